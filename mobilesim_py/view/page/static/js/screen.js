// Three stacked canvases, each redrawn only when necessary: map, sensors and trails, robots.

import { Camera } from "./camera.js";
import { bedsOf } from "./paint_field.js";
import { paintMap, tilesOf } from "./paint_map.js";
import { paintRobots } from "./paint_robots.js";
import { paintSensors } from "./paint_sensors.js";

const MANY = 6000;         // Maps with more walls and plants than this are not redrawn for every move of the camera,
const SETTLED = 120;       // ... but when it has been still for this long, or this long after the last redraw [ms].
const MARGIN = 0.25;       // Fraction of the stage by which such a map's canvas extends on each side.

export class Screen extends EventTarget {
  camera = new Camera();
  follows = null;
  fps = 0;
  painters = new Set();  // Further functions (context, { camera, ratio, scene, view, colours }) that draw on the sensor layer.
  picker = null;         // A function (x, y, heading or null) that the next click or drag on the map is for, whatever is there.
  send = null;           // A function (x, y) for a click with the right button or Alt beside robots and boxes.
  during = null;         // Is told of every move of such a drag.
  anywhere = null;       // What Enter does instead of a click, while there is a picker.
  drawn = 0;
  #aim = { size: null, pose: null };
  #tiles = [];
  #beds = [];
  #mapCamera = null;
  #stale = { map: true, sensors: true, robots: true };
  #mapDue = 0;
  #fitWanted = true;
  #times = [];

  constructor(stage, scene, view, theme) {
    super();
    this.stage = stage;
    this.scene = scene;
    this.view = view;
    this.theme = theme;
    [this.mapCanvas, this.sensorCanvas, this.robotCanvas] = stage.querySelectorAll("canvas");
    this.scale = document.querySelector("#scale span");
    this.hint = stage.querySelector("#hint");
    new ResizeObserver(() => this.#resize()).observe(stage);
    scene.addEventListener("map", () => { this.#fitWanted = true; this.#retile(); });
    scene.addEventListener("walls", () => this.#retile());
    scene.addEventListener("plants", () => this.#replant());
    scene.addEventListener("frame", () => this.refresh("sensors", "robots"));
    for (const what of ["roster", "selected"]) scene.addEventListener(what, () => this.refresh("sensors", "robots"));
    for (const source of [view, theme]) source.addEventListener("change", () => this.refresh("map", "sensors", "robots"));
    this.#resize();
    requestAnimationFrame((now) => this.#draw(now));
  }

  refresh(...layers) { for (const layer of layers) this.#stale[layer] = true; }

  moved() { this.refresh("sensors", "robots"); this.#stale.camera = true; this.dispatchEvent(new Event("camera")); }

  fit() {
    const { map } = this.scene;
    if (!map) { this.#fitWanted = true; return; }
    const robots = map.has_map ? [] : [...this.scene.robots.keys()].map((id) => this.scene.pose(id, performance.now())).filter(Boolean);
    let bounds = map.bounds;
    if (robots.length) {
      const xs = robots.map(({ x }) => x), ys = robots.map(({ y }) => y);
      bounds = [Math.min(...xs) - 5, Math.min(...ys) - 5, Math.max(...xs) + 5, Math.max(...ys) + 5];
    }
    this.camera.fit(bounds);
    this.moved();
  }

  /** Let the next click or drag on the map be for somebody; null for the usual again.
   *
   * `text` tells what to do, `size` is that of a body drawn under the pointer, `anywhere` is called for Enter,
   * `during` (x, y of both ends) while it is dragged. The picker gets x, y, heading or null, and the other end or null.
   */
  pick(picker, { text = "", size = null, anywhere = null, during = null } = {}) {
    Object.assign(this, { picker, anywhere: picker && anywhere, during: picker && during });
    this.#aim = { size: picker && size, pose: null };
    this.hint.textContent = picker ? text : "";
    this.stage.classList.toggle("picking", picker !== null);
    this.refresh("sensors");
    this.dispatchEvent(new Event("pick"));
  }

  /** Show where what is being placed would stand. */
  aimAt(pose) {
    this.#aim.pose = pose;
    if (this.#aim.size) this.refresh("sensors");
  }

  follow(id) { this.follows = id; this.dispatchEvent(new Event("follow")); this.refresh("robots"); }

  get ratio() { return Math.min(3, window.devicePixelRatio || 1); }

  /** Draw all layers onto one canvas. */
  picture(canvas) {
    const { camera, ratio } = this, context = canvas.getContext("2d");
    const wide = Math.round(camera.width * ratio), high = Math.round(camera.height * ratio);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    context.setTransform(1, 0, 0, 1, 0, 0);
    paintMap(context, camera, ratio, this.#mapThings());
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.sensorCanvas, 0, 0);
    context.drawImage(this.robotCanvas, 0, 0);
  }

  #mapThings() {
    return { map: this.scene.map, tiles: this.#tiles, beds: this.#beds, view: this.view, colours: this.theme.colours };
  }

  #retile() {
    const { map, walls } = this.scene;
    const fits = map && walls && walls.number === map.number;
    this.#tiles = fits ? tilesOf(walls, map.bounds) : [];
    if (map && this.#fitWanted && (map.has_map || this.scene.frame)) { this.#fitWanted = false; this.fit(); }
    this.refresh("map");
  }

  #replant() {
    const { map, plants } = this.scene;
    this.#beds = map && plants?.number === map.number ? bedsOf(plants, map.bounds) : [];
    this.refresh("map");
  }

  #resize() {
    const { clientWidth, clientHeight } = this.stage, ratio = this.ratio;
    const first = this.camera.width <= 1;
    this.camera.width = Math.max(1, clientWidth);
    this.camera.height = Math.max(1, clientHeight);
    for (const canvas of [this.sensorCanvas, this.robotCanvas]) size(canvas, clientWidth, clientHeight, ratio);
    if (first) this.fit();
    this.refresh("map", "sensors", "robots");
  }

  #draw(now) {
    requestAnimationFrame((next) => this.#draw(next));
    if (this.#fitWanted && this.scene.map && this.scene.frame) { this.#fitWanted = false; this.fit(); }
    if (this.follows !== null) this.#keepUp(now);
    if (this.scene.moves(now)) this.#stale.robots = true;
    const { camera, ratio, scene, view, theme: { colours } } = this;
    const worked = this.#stale.map || this.#stale.camera || this.#stale.sensors || this.#stale.robots;
    this.#drawMap(now);
    if (this.#stale.sensors) {
      const context = this.sensorCanvas.getContext("2d");
      paintSensors(context, camera, ratio, scene, view, colours);
      for (const paint of this.painters) paint(context, { camera, ratio, scene, view, colours });
      this.#drawAim(context);
    }
    if (this.#stale.robots) paintRobots(this.robotCanvas.getContext("2d"), camera, ratio, scene, view, colours, now, this.devices?.of(scene.selected));
    this.#stale.sensors = this.#stale.robots = false;
    if (worked) { this.drawn += 1; this.dispatchEvent(new Event("drawn")); }
    this.#times.push(now);
    while (this.#times[0] < now - 1000) this.#times.shift();
    this.fps = this.#times.length;
  }

  #drawAim(context) {
    const { size, pose } = this.#aim;
    if (!size || !pose) return;
    const [length, width] = size;
    this.camera.apply(context, this.ratio);
    context.translate(pose.x, pose.y);
    context.rotate(pose.heading);
    context.beginPath();
    context.rect(-length / 2, -width / 2, length, width);
    context.moveTo(0, 0);
    context.lineTo(0.8 * length, 0);
    context.strokeStyle = this.theme.colours.select;
    context.lineWidth = 2 / this.camera.scale;
    context.stroke();
  }

  // A map with many walls is drawn with a margin, then moved and scaled by CSS until the camera is still.
  #drawMap(now) {
    const many = (this.scene.walls?.count ?? 0) + (this.scene.plants?.count ?? 0) > MANY;
    if (this.#stale.camera) {
      this.#stale.camera = false;
      this.#drawScale();
      if (many && this.#mapCamera) {
        this.#mapDue = this.#mapDue || now + SETTLED;
        this.#stretch();
      } else this.#stale.map = true;
    }
    if (this.#mapDue && now >= this.#mapDue) this.#stale.map = true;
    if (!this.#stale.map) return;
    this.#stale.map = false;
    this.#mapDue = 0;
    const { camera, ratio } = this;
    const marginX = many ? Math.round(MARGIN * camera.width) : 0, marginY = many ? Math.round(MARGIN * camera.height) : 0;
    size(this.mapCanvas, camera.width + 2 * marginX, camera.height + 2 * marginY, ratio);
    paintMap(this.mapCanvas.getContext("2d"), camera, ratio, { ...this.#mapThings(), marginX, marginY });
    this.#mapCamera = Object.assign(camera.copy(), { marginX, marginY });
    this.#stretch();
  }

  #stretch() {
    const old = this.#mapCamera, { camera } = this;
    const factor = camera.scale / old.scale;
    const [x, y] = camera.toScreen(...old.toWorld(-old.marginX, -old.marginY));
    this.mapCanvas.style.transform = factor === 1 ? `translate(${x}px, ${y}px)` : `translate(${x}px, ${y}px) scale(${factor})`;
  }

  #keepUp(now) {
    const pose = this.scene.pose(this.follows, now);
    if (!pose) { this.follow(null); return; }
    if (pose.x === this.camera.x && pose.y === this.camera.y) return;
    this.camera.x = pose.x;
    this.camera.y = pose.y;
    this.moved();
  }

  #drawScale() {
    const wanted = 110 / this.camera.scale, power = 10 ** Math.floor(Math.log10(wanted));
    const length = [5, 2, 1].map((n) => n * power).find((n) => n <= wanted) ?? power;
    this.scale.style.width = `${Math.round(length * this.camera.scale)}px`;
    this.scale.textContent = length >= 1 ? `${length} m` : `${Math.round(length * 1000)} mm`;
  }
}

function size(canvas, width, height, ratio) {
  const w = Math.round(width * ratio), h = Math.round(height * ratio);
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
