// The page's model of the world: map, roster, the last two frames and the interpolation between them, trails.

import { ODOMETRY } from "./frames.js";

const TELEPORT = 1.0;      // A larger jump between two frames is a teleport, not motion [m].
const PUT_DOWN = 150;      // How long a dropped robot or box is shown where it was dropped [ms].
const TRAIL_STEP = 0.04;   // Resolution of trails [m].

export class Scene extends EventTarget {
  map = null;
  walls = null;
  plants = null;           // What stands in a field.
  models = new Map();
  robots = new Map();
  boxes = new Map();
  selected = null;
  isPast = false;          // Whether what is shown has been: nothing can be moved there.
  held = null;             // {id, x, y, heading}: what is being dragged.
  frame = null;
  scans = null;
  echoes = null;
  sensedFrame = null;      // The frame that the scans belong to.
  trails = new Map();
  trailLength = 20;
  odometryFrames = new Map();
  #wanted = null;
  #before = null;
  #arrived = 0;
  #interval = 100;

  takeMap(map) { this.map = map; this.trails.clear(); this.#changed("map"); }
  takeWalls(walls) { this.walls = walls; this.#changed("walls"); }
  takePlants(plants) { this.plants = plants; this.#changed("plants"); }

  takeFlat({ number, flat }) {
    if (this.plants?.number === number && this.plants.count === flat.length) { this.plants.flat = flat; this.#changed("plants"); }
  }

  takeModels(models) { for (const model of models) this.models.set(model.name, model); }

  takeRoster({ robots, boxes }) {
    // In the order in which they came, whatever the order in which the simulator keeps them.
    const byId = (a, b) => a.id - b.id;
    this.robots = new Map(robots.sort(byId).map((robot) => [robot.id, robot]));
    this.boxes = new Map(boxes.sort(byId).map((box) => [box.id, box]));
    for (const id of this.trails.keys()) if (!this.robots.has(id)) this.trails.delete(id);
    for (const id of this.odometryFrames.keys()) if (!this.robots.has(id)) this.odometryFrames.delete(id);
    if (this.selected !== null && !this.thing(this.selected)) this.select(null);
    this.#changed("roster");
    if (this.#wanted !== null && this.thing(this.#wanted)) this.selectWhenKnown(this.#wanted);
  }

  takeFrame(frame, now) {
    const gap = now - this.#arrived;
    if (this.frame && gap < 1000) this.#interval += 0.2 * (Math.max(16, Math.min(250, gap)) - this.#interval);
    this.#before = this.frame;
    this.frame = frame;
    this.#arrived = now;
    if (frame.scans) { this.scans = frame.scans; this.sensedFrame = frame; }
    if (frame.echoes) { this.echoes = frame.echoes; this.sensedFrame = frame; }
    this.#extendTrails(frame);
    if (frame.layers & ODOMETRY) this.#followOdometry(frame);
    this.#changed("frame");
  }

  /** Show a moment of the past, or again what is now, without a motion in between. */
  showPast({ frame, scans, echoes, sensedFrame }) {
    Object.assign(this, { frame, scans, echoes, sensedFrame, isPast: true, held: null });
    this.#before = null;
    this.#changed("frame");
  }

  forgetSensors({ laser, sonar }) {
    if (!laser) this.scans = null;
    if (!sonar) this.echoes = null;
  }

  thing(id) { return this.robots.get(id) ?? this.boxes.get(id) ?? null; }

  /** Select something that was just added, of which the roster may not tell yet. */
  selectWhenKnown(id) {
    this.#wanted = this.thing(id) ? null : id;
    if (this.#wanted === null) this.select(id);
  }

  select(id) {
    if (id === this.selected) return;
    this.selected = id;
    this.#changed("selected");
  }

  /** Tell whether the interpolation to the last frame is still running. */
  moves(now) { return this.#before !== null && now - this.#arrived < this.#interval + 20; }

  /** Return the true pose of a body as it is to be drawn now; null if it is unknown. */
  pose(id, now) {
    if (this.held?.id === id) return this.held;
    const k = this.frame?.index.get(id);
    if (k === undefined) return null;
    const { x, y, z } = this.frame.pose;
    const last = { x: x[k], y: y[k], heading: z[k] };
    const b = this.#before?.index.get(id);
    if (b === undefined) return last;
    const share = Math.min(1, (now - this.#arrived) / this.#interval);
    const p = this.#before.pose;
    const dx = last.x - p.x[b], dy = last.y - p.y[b];
    if (share >= 1 || Math.hypot(dx, dy) > TELEPORT) return last;
    return { x: p.x[b] + share * dx, y: p.y[b] + share * dy, heading: p.z[b] + share * turn(last.heading - p.z[b]) };
  }

  /** Show something where it was dropped until the server's frames have it there; otherwise it would jump back briefly. */
  hold(held) {
    this.held = held;
    setTimeout(() => { if (this.held === held) { this.held = null; this.#changed("frame"); } }, PUT_DOWN);
  }

  state(id) {
    const k = this.frame?.index.get(id);
    return k === undefined ? 0 : this.frame.state[k];
  }

  clearTrails() { this.trails.clear(); this.#changed("frame"); }

  #extendTrails(frame) {
    for (const id of this.robots.keys()) {
      const k = frame.index.get(id);
      if (k === undefined) continue;
      const x = frame.pose.x[k], y = frame.pose.y[k];
      let trail = this.trails.get(id);
      if (!trail) this.trails.set(id, trail = { points: [x, y], length: 0 });
      const n = trail.points.length;
      const step = Math.hypot(x - trail.points[n - 2], y - trail.points[n - 1]);
      if (step < TRAIL_STEP) continue;
      if (step > TELEPORT) { trail.points = [x, y]; trail.length = 0; continue; }
      trail.points.push(x, y);
      trail.length += step;
      let drop = 0;
      while (trail.length > this.trailLength && drop + 4 <= trail.points.length) {
        trail.length -= Math.hypot(trail.points[drop + 2] - trail.points[drop], trail.points[drop + 3] - trail.points[drop + 1]);
        drop += 2;
      }
      if (drop) trail.points.splice(0, drop);
    }
  }

  // The true pose of the origin of each robot's odometry frame since its last reset.
  #followOdometry(frame) {
    for (const id of this.robots.keys()) {
      const k = frame.index.get(id);
      if (k === undefined) continue;
      const own = { x: frame.odometry.x[k], y: frame.odometry.y[k], heading: frame.odometry.z[k] };
      const known = this.odometryFrames.get(id);
      const jumped = known && Math.hypot(own.x - known.own.x, own.y - known.own.y) > 0.6;
      if (known && !jumped) { known.own = own; continue; }
      const truth = { x: frame.pose.x[k], y: frame.pose.y[k], heading: frame.pose.z[k] };
      const heading = truth.heading - own.heading, cos = Math.cos(heading), sin = Math.sin(heading);
      const x = truth.x - (cos * own.x - sin * own.y), y = truth.y - (sin * own.x + cos * own.y);
      this.odometryFrames.set(id, { x, y, heading, own });
    }
  }

  #changed(what) { this.dispatchEvent(new Event(what)); }
}

/** Wrap an angle to -pi .. pi. */
export function turn(angle) { return Math.atan2(Math.sin(angle), Math.cos(angle)); }
