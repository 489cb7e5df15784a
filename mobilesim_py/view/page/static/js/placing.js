// Adding robots and boxes: choose a model, then click where it shall stand; dragging from there gives its heading.

import { call, get, post } from "./api.js";
import { attempt, notice } from "./notice.js";

const element = (id) => document.getElementById(id);

export class Placing {
  #sizes = new Map();

  constructor(scene, screen, history) {
    Object.assign(this, { scene, screen, history });
    element("add-robot").addEventListener("submit", (event) => { event.preventDefault(); this.#aim("robots", element("robot-model").value); });
    element("add-box").addEventListener("submit", (event) => { event.preventDefault(); this.#aim("boxes", element("box-model").value); });
  }

  /** Take the models that can be added. */
  take(models) {
    for (const model of models) this.#sizes.set(model.name, model.size);
    fill(element("robot-model"), models.filter((model) => !model.is_box).map(({ name }) => name), "p3dx");
    fill(element("box-model"), models.filter((model) => model.is_box).map(({ name }) => name), "box");
  }

  #aim(kind, model) {
    const text = `Click where the new ${model} shall stand; drag for its heading. Enter: where there is room. Esc: nowhere.`;
    this.screen.stage.focus({ preventScroll: true });
    this.screen.pick((x, y, heading) => this.#add(kind, model, { x, y, heading: heading ?? 0 }),
      { text, size: this.#sizes.get(model), anywhere: () => this.#add(kind, model, null) });
  }

  async #add(kind, model, pose) {
    const wish = { model, name: element("add-name").value.trim() };
    const thing = await attempt(() => post(`/api/${kind}`, pose ? { ...wish, pose } : wish));
    if (!thing) { if (pose) this.#aim(kind, model); return; }
    element("add-name").value = "";
    this.scene.selectWhenKnown(thing.id);
    notice(thing.port ? `${thing.name} waits for a client on TCP port ${thing.port}.` : `${thing.name} was added.`);
    this.history.push(`${thing.name} was added`, () => call("DELETE", `/api/${kind}/${this.history.now(thing.id)}`));
  }

  /** Remove a robot or a box. */
  async remove(thing) {
    const kind = this.scene.robots.has(thing.id) ? "robots" : "boxes";
    const gone = await attempt(() => get(`/api/${kind}/${thing.id}`));
    if (!gone || !await attempt(() => call("DELETE", `/api/${kind}/${thing.id}`))) return;
    notice(`${thing.name} was removed. Ctrl+Z brings it back.`, 8);
    this.history.push(`${thing.name} was removed`, async () => {
      const wish = { model: gone.model ?? gone.kind, name: gone.name, pose: gone.pose, force: true };
      const back = await post(`/api/${kind}`, gone.port ? { ...wish, port: gone.port } : wish);
      this.history.inherit(thing.id, back.id);
      this.scene.selectWhenKnown(back.id);
    });
  }

  /** Remember that something was carried or turned away from a pose. */
  moved(id, { x, y, heading }, key = null) {
    const thing = this.scene.thing(id), kind = this.scene.robots.has(id) ? "robots" : "boxes";
    if (!thing) return;
    const back = () => call("PUT", `/api/${kind}/${this.history.now(id)}/pose`, { x, y, heading, force: true });
    this.history.push(`${thing.name} was moved`, back, key);
  }
}

function fill(select, names, chosen) {
  const before = select.value;
  select.replaceChildren(...names.map((name) => new Option(name, name)));
  for (const name of [chosen, before]) if (names.includes(name)) select.value = name;
}
