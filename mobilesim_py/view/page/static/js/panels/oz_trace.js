// A trace of where an Oz has been: "Start T" begins it, "Clear" forgets it. It is kept while the page is open.

import { button, toggle } from "./elements.js";

const STEP = 0.05;             // Between two points [m].
const MOST = 100000;           // Numbers kept; then every other point is dropped.

export class Trace {
  #id = null;
  #points = new Map();         // x and y in turn, by robot.

  constructor(scene, screen) {
    this.scene = scene;
    this.screen = screen;
    this.switch = toggle("Start T", "Trace the robot from here", () => {});
    this.buttons = [this.switch.element, button("Clear T", "Forget the trace", () => { this.#points.clear(); screen.refresh("sensors"); })];
    scene.addEventListener("frame", () => this.#extend());
    screen.painters.add((context, picture) => this.#paint(context, picture));
  }

  follow(id) { this.#id = id; }

  get points() { return this.#points.get(this.#id) ?? []; }

  #extend() {
    const k = this.#id === null ? undefined : this.scene.frame.index.get(this.#id);
    if (!this.switch.on || k === undefined) return;
    const { x, y } = this.scene.frame.pose;
    let points = this.#points.get(this.#id);
    if (!points) this.#points.set(this.#id, points = []);
    const n = points.length;
    if (n && Math.hypot(x[k] - points[n - 2], y[k] - points[n - 1]) < STEP) return;
    points.push(x[k], y[k]);
    if (points.length > MOST) this.#points.set(this.#id, points.filter((_, i) => i % 4 < 2));
  }

  #paint(context, { camera }) {
    context.fillStyle = "#c2410c";
    const half = Math.max(0.015, 1.2 / camera.scale);
    for (const points of this.#points.values()) {
      for (let k = 0; k < points.length; k += 2) context.fillRect(points[k] - half, points[k + 1] - half, 2 * half, 2 * half);
    }
  }
}
