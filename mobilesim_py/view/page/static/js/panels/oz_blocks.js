// Blocks in the field: while "Place" or "Remove" is pressed, clicks on the map put blocks down or take them away.

import { button, make, put, row, toggle } from "./elements.js";

const SLACK = 5;               // A pointer that moves farther than this drags the map [pixels].

export class Blocks {
  #at = null;                  // Where the pointer is [m].
  #down = null;

  constructor(screen, order) {
    this.screen = screen;
    this.order = order;
    this.size = Object.assign(document.createElement("input"), { type: "range", min: 1, max: 128, value: 20 });
    this.size.setAttribute("aria-label", "Size of blocks [cm]");
    this.number = make("output", "20 cm");
    this.size.addEventListener("input", () => put(this.number, `${this.size.value} cm`));
    this.place = toggle("Place", "Clicks on the map put blocks down", (on) => { if (on) this.remove.set(false); this.#changed(); });
    this.remove = toggle("Remove", "Clicks on the map take blocks away", (on) => { if (on) this.place.set(false); this.#changed(); });
    this.reset = button("Reset Obs", "Take all blocks away", () => order("reset"));
    this.root = make("div");
    const sizes = make("div", "", { className: "row" });
    sizes.append(make("span", "Blocks"), this.size, this.number);
    this.root.append(sizes, row(this.place.element, this.remove.element, this.reset));
    const { stage } = screen;
    stage.addEventListener("pointerdown", (event) => { if (this.#isOn) this.#down = [event.clientX, event.clientY]; }, true);
    stage.addEventListener("pointerup", (event) => this.#up(event), true);
    stage.addEventListener("pointermove", (event) => this.#moved(event));
    stage.addEventListener("pointerleave", () => { this.#at = null; screen.refresh("sensors"); });
    screen.painters.add((context, picture) => this.#paint(context, picture));
  }

  take({ blocks }) { put(this.reset, blocks ? `Reset Obs (${blocks})` : "Reset Obs"); }

  get #isOn() { return this.place.on || this.remove.on; }

  #changed() { this.screen.stage.style.cursor = this.#isOn ? "crosshair" : ""; this.screen.refresh("sensors"); }

  #where(event) {
    const box = this.screen.stage.getBoundingClientRect();
    return this.screen.camera.toWorld(event.clientX - box.left, event.clientY - box.top);
  }

  #moved(event) {
    if (!this.#isOn) return;
    this.#at = this.#where(event);
    this.screen.refresh("sensors");
  }

  #up(event) {
    const down = this.#down;
    this.#down = null;
    if (!this.#isOn || !down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > SLACK) return;
    const [x, y] = this.#where(event);
    if (this.place.on) this.order("place", { x, y, size: this.size.valueAsNumber });
    else this.order("remove", { x, y });
  }

  #paint(context, { camera, colours }) {
    if (!this.#isOn || !this.#at) return;
    const [x, y] = this.#at, half = this.place.on ? this.size.valueAsNumber / 200 : 6 / camera.scale;
    context.lineWidth = 1.5 / camera.scale;
    context.strokeStyle = this.place.on ? colours.ink : colours.stall;
    context.strokeRect(x - half, y - half, 2 * half, 2 * half);
  }
}
