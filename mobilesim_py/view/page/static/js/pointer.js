// Mouse, pen and touch on the stage: move, turn, select, pan, zoom.

import { HANDLE, degrees, growth, handle, sizeOf } from "./paint_robots.js";

const CLICK = 4;           // A pointer that moves less than this has clicked [pixels].
const DEAD = 10;           // Closer to the middle than this the pointer turns nothing [pixels].
const SEND_EVERY = 30;     // Poses are sent at most this often while dragging [ms].

export class Pointer {
  #fingers = new Map();
  #drag = null;            // {kind: carry|turn|pan|zoom|pinch, ...}
  #sent = 0;

  constructor(screen, scene, connection, moved) {
    this.moved = moved;      // A function (id, pose) that is told what was carried or turned, and from where.
    this.screen = screen;
    this.scene = scene;
    this.connection = connection;
    this.readout = document.getElementById("pointer");
    const { stage } = screen;
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", (event) => this.#up(event));
    stage.addEventListener("pointerleave", () => { this.readout.textContent = ""; });
    stage.addEventListener("contextmenu", (event) => event.preventDefault());
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    stage.addEventListener("dblclick", (event) => {
      const id = this.#under(...this.#at(event));
      if (id !== null) screen.follow(id);
    });
  }

  #at(event) {
    const box = this.screen.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** Return the robot or box at a position on the screen; robots take precedence, the nearest first. */
  #under(px, py, slack = 0) {
    const { camera } = this.screen, now = performance.now();
    let best = null, nearest = Infinity;
    for (const things of [this.scene.robots, this.scene.boxes]) {
      for (const id of things.keys()) {
        const pose = this.scene.pose(id, now);
        if (!pose) continue;
        const [x, y] = camera.toScreen(pose.x, pose.y), distance = Math.hypot(px - x, py - y);
        const reach = Math.max(8 + slack, 0.5 * growth(this.scene, id, camera) * sizeOf(this.scene, id) * camera.scale + slack);
        if (distance <= reach && distance < nearest) { best = id; nearest = distance; }
      }
      if (best !== null) return best;
    }
    return best;
  }

  #onHandle(px, py, slack) {
    const pose = this.scene.selected === null ? null : this.scene.pose(this.scene.selected, performance.now());
    if (!pose) return false;
    const [x, y] = handle(this.scene, this.screen.camera, pose);
    return Math.hypot(px - x, py - y) <= HANDLE + slack;
  }

  #down(event) {
    const [px, py] = this.#at(event), touch = event.pointerType === "touch", slack = touch ? 12 : 2;
    this.screen.stage.focus({ preventScroll: true });
    this.screen.stage.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, [px, py]);
    if (this.#fingers.size === 2) { this.#pinch(); return; }
    if (this.screen.picker && event.button === 0) {
      this.#drag = { kind: "aim", px, py, id: null, moved: false };
      return;
    }
    const start = { px, py, id: this.#under(px, py, slack), moved: false };
    const turning = event.button === 2 || event.shiftKey || event.ctrlKey || event.metaKey;
    if (event.button !== 1 && !this.scene.isPast && this.#onHandle(px, py, slack)) {
      this.#drag = { kind: "turn", ...start, id: this.scene.selected, onHandle: true };
    } else if (event.button === 1) this.#drag = { kind: "zoom", ...start };
    else if (start.id !== null && !this.scene.isPast) this.#drag = { kind: turning ? "turn" : "carry", ...start };
    else this.#drag = { kind: "pan", ...start };
    const pose = this.#drag.id !== null && this.scene.pose(this.#drag.id, performance.now());
    if (pose) {
      const [x, y] = this.screen.camera.toWorld(px, py);
      Object.assign(this.#drag, { pose: { x: pose.x, y: pose.y, heading: pose.heading }, dx: pose.x - x, dy: pose.y - y });
    }
  }

  #pinch() {
    this.#release();
    const [[ax, ay], [bx, by]] = [...this.#fingers.values()];
    this.#drag = { kind: "pinch", distance: Math.hypot(ax - bx, ay - by), mx: (ax + bx) / 2, my: (ay + by) / 2, moved: true };
  }

  #move(event) {
    const [px, py] = this.#at(event);
    if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, [px, py]);
    const drag = this.#drag;
    if (!drag) { this.#hover(px, py); return; }
    if (!drag.moved && Math.hypot(px - drag.px, py - drag.py) < CLICK) return;
    if (!drag.moved && (drag.kind === "carry" || drag.kind === "turn")) this.scene.select(drag.id);
    drag.moved = true;
    this.screen.stage.classList.toggle("grabbing", drag.kind === "pan" || drag.kind === "carry");
    this.screen.stage.classList.toggle("turning", drag.kind === "turn");
    this[`_${drag.kind}`](drag, px, py);
  }

  _pan(drag, px, py) {
    this.screen.follow(null);
    this.screen.camera.pan(px - drag.px, py - drag.py);
    [drag.px, drag.py] = [px, py];
    this.screen.moved();
  }

  _aim(drag, px, py) {
    const [x, y] = this.screen.camera.toWorld(drag.px, drag.py), [tx, ty] = this.screen.camera.toWorld(px, py);
    drag.heading = Math.atan2(ty - y, tx - x);
    drag.end = [tx, ty];
    this.screen.aimAt({ x, y, heading: drag.heading });
    this.screen.during?.(x, y, tx, ty);
    this.#say({ x, y, heading: drag.heading });
  }

  _zoom(drag, px, py) {
    this.screen.camera.zoom(Math.exp((drag.py - py) * 0.01));
    drag.py = py;
    this.screen.moved();
  }

  _pinch(drag) {
    const [a, b] = [...this.#fingers.values()];
    if (!b) return;
    const distance = Math.hypot(a[0] - b[0], a[1] - b[1]), mx = (a[0] + b[0]) / 2, my = (a[1] + b[1]) / 2;
    this.screen.camera.pan(mx - drag.mx, my - drag.my);
    this.screen.camera.zoom(distance / Math.max(1, drag.distance), mx, my);
    Object.assign(drag, { distance, mx, my });
    this.screen.moved();
  }

  _carry(drag, px, py) {
    const [x, y] = this.screen.camera.toWorld(px, py);
    this.#put(drag, { x: x + drag.dx, y: y + drag.dy, heading: drag.pose.heading });
  }

  /** Turn it to face the pointer; over its middle the pointer has no direction, and nothing happens. */
  _turn(drag, px, py) {
    const [cx, cy] = this.screen.camera.toScreen(drag.pose.x, drag.pose.y);
    if (Math.hypot(px - cx, py - cy) < DEAD) return;
    this.#put(drag, { x: drag.pose.x, y: drag.pose.y, heading: Math.atan2(cy - py, px - cx) });
  }

  #put(drag, pose) {
    this.scene.held = { id: drag.id, ...pose };
    this.#say(pose);
    this.screen.refresh("robots");
    const now = performance.now();
    if (now - this.#sent < SEND_EVERY) return;
    this.#sent = now;
    this.connection.place(drag.id, pose);
  }

  #up(event) {
    this.#fingers.delete(event.pointerId);
    const drag = this.#drag;
    if (!drag || drag.kind === "pinch") {
      if (this.#fingers.size === 0) this.#drag = null;
      return;
    }
    if (drag.kind === "aim") {
      const { picker } = this.screen;
      if (event.type === "pointerup") this.screen.pick(null);
      if (event.type === "pointerup") picker?.(...this.screen.camera.toWorld(drag.px, drag.py), drag.heading ?? null, drag.end ?? null);
      this.#release();
      return;
    }
    const sends = drag.kind === "pan" && (event.button === 2 || event.altKey) && this.screen.send;
    if (!drag.moved && event.type === "pointerup" && sends) {
      this.screen.send(...this.screen.camera.toWorld(drag.px, drag.py));
    } else if (!drag.moved && event.type === "pointerup") this.scene.select(drag.onHandle ? this.scene.selected : drag.id);
    this.#release();
  }

  /** Drop what is dragged at its final pose. */
  #release() {
    const { held } = this.scene, drag = this.#drag;
    this.#drag = null;
    this.screen.stage.classList.remove("grabbing", "turning");
    if (!held) return;
    if (drag?.pose && drag.moved) this.moved(held.id, drag.pose);
    this.connection.place(held.id, { x: held.x, y: held.y, heading: held.heading });
    this.scene.hold(held);
  }

  #hover(px, py) {
    const [x, y] = this.screen.camera.toWorld(px, py);
    this.readout.textContent = `${Math.round(1000 * x)}, ${Math.round(1000 * y)} mm`;
    if (this.screen.picker) this.screen.aimAt({ x, y, heading: 0 });
    this.screen.stage.classList.toggle("over-thing", this.#onHandle(px, py, 2) || this.#under(px, py) !== null);
  }

  #say({ x, y, heading }) {
    this.readout.textContent = `${Math.round(1000 * x)}, ${Math.round(1000 * y)} mm, ${degrees(heading)}°`;
  }

  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.screen.camera.zoom(Math.exp(-event.deltaY * lines * 0.0016), ...this.#at(event));
    this.screen.moved();
  }
}
