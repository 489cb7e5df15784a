// Keyboard shortcuts and driving: keys and pad buttons that are held down are sent to the server repeatedly.

import { call, post } from "./api.js";
import { HELD } from "./frames.js";
import { attempt, forgive, notice } from "./notice.js";

const REPEAT = 150;        // Period [ms]; the server stops a robot without a command for 600 ms.
const ARROWS = {
  ArrowUp: { forward: 1 }, ArrowDown: { forward: -1 }, ArrowLeft: { rotation: 1 }, ArrowRight: { rotation: -1 },
};
const TYPED = "select, textarea, dialog, #log-lines, input:not([type=checkbox], [type=radio], [type=button])";   // They need the keys themselves.
const PAD = { forward: "ArrowUp", back: "ArrowDown", left: "ArrowLeft", right: "ArrowRight" };

export class Keys {
  #down = new Set();
  #timer = 0;

  constructor(screen, scene, connection, actions) {
    Object.assign(this, { screen, scene, connection, actions });
    addEventListener("keydown", (event) => this.#pressed(event));
    addEventListener("keyup", (event) => this.#letGo(event.key));
    addEventListener("blur", () => this.#letGoAll());
    scene.addEventListener("selected", () => this.#letGoAll());
    // The pad moves the joystick of a robot that a client holds.
    for (const button of document.querySelectorAll("[data-drive]")) {
      const key = PAD[button.dataset.drive];
      button.addEventListener("pointerdown", (event) => { event.preventDefault(); this.#hold(key, true); });
      for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, () => this.#letGo(key));
      button.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") this.#hold(key, true); });
      for (const end of ["keyup", "blur"]) button.addEventListener(end, () => this.#letGo(key));
    }
  }

  get #drivable() {
    const id = this.scene.selected;
    return id !== null && this.scene.robots.has(id) && !(this.scene.state(id) & HELD);
  }

  #pressed(event) {
    if (event.defaultPrevented || event.target.closest?.(TYPED)) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey) {
      event.preventDefault();
      this.actions.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key in ARROWS) {
      event.preventDefault();
      if (this.scene.isPast) this.actions.live();
      if (event.altKey) this.#nudge(event);
      else if (this.#drivable) this.#hold(event.key);
      else this.#pan(event.key);
      return;
    }
    if (event.altKey || (event.target.closest?.("button, a, input") && (event.key === " " || event.key === "Enter"))) return;
    const action = {
      " ": () => this.actions.pause(), ".": () => this.actions.step(), "?": () => this.actions.help(),
      "+": () => this.actions.zoom(1.25), "=": () => this.actions.zoom(1.25), "-": () => this.actions.zoom(0.8),
      f: () => this.screen.fit(), 0: () => this.screen.fit(), g: () => this.actions.follow(),
      "[": () => this.#next(-1), "]": () => this.#next(1), Escape: () => { if (this.screen.picker) this.screen.pick(null); else if (!forgive() && !this.actions.unmeasure()) this.scene.select(null); },
      Enter: this.screen.anywhere ? () => { const { anywhere } = this.screen; this.screen.pick(null); anywhere(); } : null,
      m: () => this.actions.measure(),
      Delete: () => this.actions.remove(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #next(step) {
    const ids = [...this.scene.robots.keys(), ...this.scene.boxes.keys()];
    if (!ids.length) return;
    const at = ids.indexOf(this.scene.selected);
    const id = ids[(at + step + ids.length + (at < 0 && step < 0 ? 1 : 0)) % ids.length];
    this.scene.select(id);
    notice(`${this.scene.thing(id).name} is selected.`, 2);
  }

  #pan(key) {
    const { forward = 0, rotation = 0 } = ARROWS[key];
    this.screen.follow(null);
    this.screen.camera.pan(60 * rotation, 60 * forward);
    this.screen.moved();
  }

  #nudge(event) {
    // From its target pose, not from the interpolated one, or quick presses would be lost.
    const id = this.scene.selected, pose = id === null ? null : this.scene.pose(id, Infinity);
    if (!pose) return;
    const { forward = 0, rotation = 0 } = ARROWS[event.key];
    const moved = { x: pose.x, y: pose.y, heading: pose.heading };
    if (event.shiftKey) moved.heading += (rotation || forward) * Math.PI / 36;
    else { moved.x -= 0.1 * rotation; moved.y += 0.1 * forward; }
    this.actions.moved(id, pose, `nudge ${id}`);
    this.scene.hold({ id, ...moved });
    this.screen.refresh("robots");
    const kind = this.scene.robots.has(id) ? "robots" : "boxes";
    attempt(() => call("PUT", `/api/${kind}/${id}/pose`, { ...moved, force: true }));
  }

  #hold(key, pad = false) {
    if (!(pad || this.#drivable) || this.#down.has(key)) return;
    this.#down.add(key);
    if (this.#down.size === 1) this.#timer = setInterval(() => this.#drive(), REPEAT);
    this.#drive();
  }

  #letGo(key) {
    if (!this.#down.delete(key)) return;
    if (!this.#down.size) clearInterval(this.#timer);
    this.#drive();
  }

  #letGoAll() { for (const key of [...this.#down]) this.#letGo(key); }

  #drive() {
    const id = this.scene.selected;
    if (id === null || !this.scene.robots.has(id)) return;
    const shares = { forward: 0, rotation: 0 };
    for (const key of this.#down) for (const [axis, share] of Object.entries(ARROWS[key])) shares[axis] += share;
    if (this.scene.state(id) & HELD) {
      const stick = { x: -shares.rotation, y: shares.forward, throttle: 0.6, buttons: [this.#down.size > 0] };
      attempt(() => post(`/api/robots/${id}/joystick`, stick));
      return;
    }
    this.connection.drive(id, { forward: 0.6 * shares.forward, rotation: 0.5 * shares.rotation });
  }
}
