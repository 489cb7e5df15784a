// The pad of an Oz: two sticks and buttons; what is held is sent ten times a second while the pad is on.

import { button, make, toggle } from "./elements.js";

const EVERY = 100;             // [ms]
const MOST = 127;
const BUTTONS = [["△", 7], ["○", 6], ["✕", 5], ["□", 4], ["▲", 3], ["◀", 2], ["▼", 1], ["▶", 0]];
const SHOULDERS = [["L1", 0], ["R1", 2], ["L3", 1], ["R3", 3], ["share", 4], ["option", 5], ["PS", 6]];

export class Pad {
  #held = { left_x: 0, left_y: 0, right_x: 0, right_y: 0, buttons: 0, shoulders: 0, l2: 0, r2: 0 };
  #timer = 0;

  constructor(tell) {
    this.tell = tell;
    this.switch = toggle("Pad", "Switch the remote on", (on) => this.#switched(on));
    this.root = make("div", "", { className: "oz-pad", hidden: true });
    this.reach = make("p", "", { className: "hint" });
    const keys = make("div", "", { className: "oz-keys" });
    for (const [text, bit] of BUTTONS) keys.append(this.#key(text, (down) => this.#bit("buttons", bit, down)));
    for (const [text, bit] of SHOULDERS) keys.append(this.#key(text, (down) => this.#bit("shoulders", bit, down)));
    for (const name of ["l2", "r2"]) keys.append(this.#key(name.toUpperCase(), (down) => this.#hold({ [name]: down ? 255 : 0 })));
    this.root.append(this.#stick("left"), this.#stick("right"), keys, this.reach);
  }

  take({ in_reach: near, clients }) {
    const use = clients.length ? "Packets go to the client." : "No client: the left stick drives.";
    this.reach.textContent = near ? use : "Out of reach.";
  }

  #switched(on) {
    this.root.hidden = !on;
    clearInterval(this.#timer);
    if (on) this.#timer = setInterval(() => this.#send(), EVERY);
    this.tell("pad", { on, ...this.#held });
  }

  #send() { this.tell("pad", { on: true, ...this.#held }); }

  #hold(change) { Object.assign(this.#held, change); }

  #bit(name, bit, down) { this.#hold({ [name]: down ? this.#held[name] | (1 << bit) : this.#held[name] & ~(1 << bit) }); }

  #key(text, changed) {
    const key = button(text, `Pad ${text}`);
    key.addEventListener("pointerdown", (event) => { key.setPointerCapture(event.pointerId); changed(true); });
    for (const end of ["pointerup", "pointercancel"]) key.addEventListener(end, () => changed(false));
    return key;
  }

  #stick(side) {
    const base = make("div", "", { className: "stick", title: `${side} stick` }), knob = make("span");
    base.append(knob);
    const at = (x, y) => {
      this.#hold({ [`${side}_x`]: Math.round(MOST * x), [`${side}_y`]: Math.round(MOST * y) });
      knob.style.transform = `translate(${26 * x}px, ${-26 * y}px)`;
    };
    base.addEventListener("pointerdown", (event) => { base.setPointerCapture(event.pointerId); move(event); });
    const move = (event) => {
      if (!base.hasPointerCapture(event.pointerId)) return;
      const box = base.getBoundingClientRect(), half = box.width / 2;
      let x = (event.clientX - box.left - half) / half, y = (half - (event.clientY - box.top)) / half;
      const far = Math.hypot(x, y);
      if (far > 1) { x /= far; y /= far; }
      at(x, y);
    };
    base.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) base.addEventListener(end, () => at(0, 0));
    return base;
  }
}
