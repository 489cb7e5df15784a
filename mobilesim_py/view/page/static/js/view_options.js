// What is shown: the check boxes of the View section, kept in local storage.

const OPTIONS = [
  ["laser", "Laser field", true], ["points", "Laser points", true], ["sonar", "Sonar", false], ["trails", "Trails", false],
  ["odometry", "Odometry", false], ["ghosts", "Estimated pose", false], ["grid", "Grid", true], ["labels", "Labels", true],
  ["objects", "Map objects", true], ["diagnostics", "Diagnostics", false],
  ["onlySelected", "Only of selected", false, "Laser, sonar and trails of the selected robot only"],
];
const KEY = "mobilesim-view";

export class ViewOptions extends EventTarget {
  constructor(place) {
    super();
    let stored = {};
    try { stored = JSON.parse(localStorage.getItem(KEY) ?? "{}"); } catch { /* no storage, or not ours */ }
    for (const [name, text, normally, title = ""] of OPTIONS) {
      this[name] = typeof stored[name] === "boolean" ? stored[name] : normally;
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.id = `view-${name}`;
      box.checked = this[name];
      box.addEventListener("change", () => this.#set(name, box.checked));
      label.title = title;
      label.append(box, text);
      place.append(label);
    }
  }

  #set(name, value) {
    this[name] = value;
    const all = Object.fromEntries(OPTIONS.map(([option]) => [option, this[option]]));
    try { localStorage.setItem(KEY, JSON.stringify(all)); } catch { /* no storage */ }
    this.dispatchEvent(new Event("change"));
  }

  /** Return the layers that the stream must send for what is shown. */
  layers() {
    const layers = [];
    if (this.laser || this.points) layers.push("laser");
    if (this.sonar) layers.push("sonar");
    if (this.odometry || this.ghosts) layers.push("odometry");
    if (this.diagnostics) layers.push("velocity");
    return layers;
  }
}
