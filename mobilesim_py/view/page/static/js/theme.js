// Dark and light themes: CSS for the page, these colours for the canvases.

const LIGHT = {
  paper: "#fcfcfa", ink: "#26323f", gridFine: "#eef0f2", gridCoarse: "#dde2e7", label: "#3a4653", rim: "#fcfcfa",
  laser: "rgba(60,140,230,0.16)", laserEdge: "rgba(40,110,210,0.35)", point: "#1464c8", sonar: "rgba(110,118,126,0.75)",
  forbidden: "#cc3c32", goal: "#148c60", dock: "#b87400", home: "#2862c8", plain: "#78787f", reflector: "#cd28be",
  odometry: "#7a4fd0", select: "#0b63ce", stall: "#d0342c",
};
const DARK = {
  paper: "#12161b", ink: "#c9d3dd", gridFine: "#1b2128", gridCoarse: "#2a333d", label: "#c3ced9", rim: "#12161b",
  laser: "rgba(90,170,255,0.15)", laserEdge: "rgba(120,185,255,0.35)", point: "#7dbdff", sonar: "rgba(160,170,180,0.6)",
  forbidden: "#ff7a70", goal: "#43c794", dock: "#f0b040", home: "#7fb0ff", plain: "#9aa3ad", reflector: "#ff7af0",
  odometry: "#b79bff", select: "#7db4ff", stall: "#ff6b62",
};
const KEY = "mobilesim-theme";
const wish = matchMedia("(prefers-color-scheme: dark)");

export class Theme extends EventTarget {
  colours = LIGHT;
  name = "light";

  constructor() {
    super();
    wish.addEventListener("change", () => this.#apply());
    this.#apply();
  }

  toggle() {
    try { localStorage.setItem(KEY, this.name === "dark" ? "light" : "dark"); } catch { /* no storage: for this visit only */ }
    this.#apply(this.name === "dark" ? "light" : "dark");
  }

  #apply(chosen) {
    let stored = null;
    try { stored = localStorage.getItem(KEY); } catch { /* no storage */ }
    this.name = chosen ?? stored ?? (wish.matches ? "dark" : "light");
    this.colours = this.name === "dark" ? DARK : LIGHT;
    document.documentElement.dataset.theme = this.name;
    document.getElementById("stage").style.setProperty("--stage", this.colours.paper);
    this.dispatchEvent(new Event("change"));
  }
}
