// Maps and models to choose from: the start screen, and loading maps by name, file or drop.

import { call, get, post } from "./api.js";
import { attempt, notice } from "./notice.js";

const element = (id) => document.getElementById(id);
const NO_MAP = "(no map)";

export class Choices {
  constructor(screen, placing) {
    this.placing = placing;
    element("choose-map").addEventListener("submit", (event) => {
      event.preventDefault();
      const name = element("map-choice").value;
      this.#load(() => call("PUT", "/api/map", { name: name === NO_MAP ? "" : name }));
    });
    element("map-file").addEventListener("change", (event) => this.#upload(event.target.files[0]));
    this.#acceptDrops(screen.stage);
  }

  /** Fetch the choices; show the start screen if nothing was given on the command line. */
  async fill() {
    const [{ maps, current }, { models }, state] = await Promise.all([get("/api/maps"), get("/api/models"), get("/api/state")]);
    options(element("map-choice"), [...maps, NO_MAP], current);
    const robots = models.filter((model) => !model.is_box).map(({ name }) => name);
    this.placing.take(models);
    if (state.start_screen) this.#start(maps, robots, current, state);
  }

  #start(maps, robots, current, state) {
    const dialog = element("start-dialog");
    if (dialog.open) return;
    options(element("start-map"), [...maps, NO_MAP], current);
    options(element("start-model"), robots, "p3dx");
    element("start-port").textContent = state.robots.find(({ port }) => port)?.port ?? "";
    dialog.addEventListener("close", () => {
      const map = element("start-map").value, model = element("start-model").value;
      const wish = dialog.returnValue === "go" ? { map: map === NO_MAP ? "" : map, model } : {};
      this.#load(() => post("/api/start", wish), dialog.returnValue === "go");
    }, { once: true });
    dialog.returnValue = "keep";
    dialog.showModal();
    element("start-go").focus();
  }

  async #upload(file) {
    if (!file) return;
    if (await this.#load(() => call("POST", `/api/map?name=${encodeURIComponent(file.name)}`, file))) {
      const { maps, current } = await get("/api/maps");
      options(element("map-choice"), [...maps, NO_MAP], current);
    }
    element("map-file").value = "";
  }

  async #load(action, say = true) {
    const progress = element("map-progress");
    progress.hidden = false;
    const done = await attempt(action);
    progress.hidden = true;
    if (done && say) notice("The map is loaded.");
    return Boolean(done);
  }

  #acceptDrops(stage) {
    const hint = element("drop-hint");
    stage.addEventListener("dragover", (event) => { event.preventDefault(); hint.hidden = false; });
    stage.addEventListener("dragleave", () => { hint.hidden = true; });
    stage.addEventListener("drop", (event) => {
      event.preventDefault();
      hint.hidden = true;
      this.#upload(event.dataTransfer.files[0]);
    });
  }
}

function options(select, names, chosen) {
  select.replaceChildren(...names.map((name) => new Option(name, name)));
  if (names.includes(chosen)) select.value = chosen;
}
