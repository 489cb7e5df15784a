// The measure: drag from one place to another to read distance and angle. The line stays until Esc or the next one.

import { write } from "./labels.js";
import { degrees } from "./paint_robots.js";

export class Measure {
  #line = null;            // [x1, y1, x2, y2] in metres.

  constructor(screen, button) {
    this.screen = screen;
    this.button = button;
    button.addEventListener("click", () => this.toggle());
    screen.painters.add((context, { camera, ratio, colours }) => this.#paint(context, camera, ratio, colours));
    screen.addEventListener("pick", () => button.setAttribute("aria-pressed", String(this.#measures)));
    screen.scene.addEventListener("map", () => this.forget());
  }

  get #measures() { return this.screen.picker === this.taken; }

  /** Start or end measuring. */
  toggle() {
    this.forget();
    if (this.#measures) this.screen.pick(null);
    else this.screen.pick(this.taken, { text: "Drag from one place to another. Esc ends it.", during: (...line) => this.#take(line) });
  }

  taken = (x, y, heading, end) => { if (end) this.#take([x, y, ...end]); };

  /** Take the line away; return whether there was one. */
  forget() {
    const had = this.#line !== null;
    this.#line = null;
    this.screen.refresh("sensors");
    return had;
  }

  get text() {
    if (!this.#line) return "";
    const [x1, y1, x2, y2] = this.#line;
    return `${Math.hypot(x2 - x1, y2 - y1).toFixed(3)} m, ${degrees(Math.atan2(y2 - y1, x2 - x1))}°`;
  }

  #take(line) { this.#line = line; this.screen.refresh("sensors"); }

  #paint(context, camera, ratio, colours) {
    if (!this.#line) return;
    const [x1, y1, x2, y2] = this.#line, [ax, ay] = camera.toScreen(x1, y1), [bx, by] = camera.toScreen(x2, y2);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = colours.select;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    for (const [x, y] of [[ax, ay], [bx, by]]) { context.moveTo(x + 4, y); context.arc(x, y, 4, 0, 2 * Math.PI); }
    context.stroke();
    write(context, this.text, (ax + bx) / 2, (ay + by) / 2 - 14, colours.label, colours.rim, "center", "600 13px system-ui, sans-serif");
  }
}
