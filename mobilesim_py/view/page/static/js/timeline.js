// The last minutes of what was seen, kept in the browser: scrub back, and share a moment as a link.

import { notice } from "./notice.js";

const LONGEST = 180;                // Simulated seconds that are kept ...
const MOST_BYTES = 64 * 2 ** 20;    // ... but no more than this.
const MOST_THINGS = 200;            // In a link.

const element = (id) => document.getElementById(id);

export class Timeline {
  #kept = [];                       // {frame, scans, echoes, sensedFrame}, oldest first.
  #bytes = 0;
  #shown = null;                    // The time that is looked at; null for now.
  #linked = readLink();
  #isLinked = false;                // Whether what is looked at came with a link.

  constructor(scene, screen) {
    Object.assign(this, { scene, screen, slider: element("timeline-slider") });
    this.slider.addEventListener("input", () => this.show(this.slider.valueAsNumber));
    element("timeline-live").addEventListener("click", () => this.live());
    element("timeline-link").addEventListener("click", () => this.#link());
    scene.addEventListener("map", () => this.clear());
    this.#tell();
  }

  /** Keep a frame, and show it unless the past is being looked at. */
  take(frame, now) {
    const last = this.#kept.at(-1);
    if (last && frame.time < last.frame.time) this.clear();
    else if (last?.frame.time === frame.time) this.#bytes -= this.#kept.pop().frame.bytes;
    const held = this.#kept.at(-1);
    this.#kept.push({
      frame, scans: frame.scans ?? held?.scans ?? null, echoes: frame.echoes ?? held?.echoes ?? null,
      sensedFrame: frame.scans || frame.echoes ? frame : held?.sensedFrame ?? null,
    });
    this.#bytes += frame.bytes;
    while (this.#kept.length > 1 && (this.#bytes > MOST_BYTES || this.#kept[0].frame.time < frame.time - LONGEST)) {
      this.#bytes -= this.#kept.shift().frame.bytes;
    }
    if (this.#shown === null) this.scene.takeFrame(frame, now);
    this.#tell();
    if (this.#linked && this.scene.map && this.scene.robots.size) this.#open();
  }

  clear() {
    this.#kept = [];
    this.#bytes = 0;
    this.#shown = null;
    this.#isLinked = this.scene.isPast = false;
    this.#tell();
  }

  /** Look at a moment: the last frame that is not later. */
  show(time) {
    if (!this.#kept.length) return;
    const found = this.#kept.findLast(({ frame }) => frame.time <= time + 1e-6) ?? this.#kept[0];
    if (found === this.#kept.at(-1)) { this.live(); return; }
    this.#shown = found.frame.time;
    this.#isLinked = false;
    this.scene.showPast(found);
    this.#tell();
  }

  /** Look at what is now. */
  live() {
    const last = this.#kept.at(-1);
    this.#shown = null;
    this.#isLinked = false;
    if (last) this.scene.showPast(last);
    this.scene.isPast = false;
    this.#tell();
  }

  #tell() {
    const first = this.#kept[0]?.frame.time ?? 0, last = this.#kept.at(-1)?.frame.time ?? 0;
    Object.assign(this.slider, { min: first, max: last });
    this.slider.value = this.#shown ?? last;
    this.slider.disabled = this.#kept.length < 2;
    const past = this.#shown !== null, text = this.#isLinked ? "a moment from a link" : past ? `${(last - this.#shown).toFixed(1)} s ago` : "now";
    element("timeline-live").disabled = !past;
    this.slider.setAttribute("aria-valuetext", text);
    element("timeline-text").textContent = text;
    element("timeline").classList.toggle("past", past);
  }

  async #link() {
    const { scene, screen: { camera } } = this, { frame } = scene;
    if (!frame) return;
    const things = [...scene.robots.values(), ...scene.boxes.values()].slice(0, MOST_THINGS).flatMap(({ id, name }) => {
      const k = frame.index.get(id);
      return k === undefined ? [] : [[name, ...[frame.pose.x[k], frame.pose.y[k], frame.pose.z[k]].map((n) => Math.round(1e4 * n) / 1e4)]];
    });
    const moment = { time: frame.time, map: scene.map.name, view: [camera.x, camera.y, camera.scale], select: scene.thing(scene.selected)?.name ?? null, things };
    const bytes = new TextEncoder().encode(JSON.stringify(moment));
    const url = new URL(location.href);
    url.hash = `moment=${btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
    globalThis.history.replaceState(null, "", url);
    const copied = await navigator.clipboard?.writeText(url.href).then(() => true, () => false);
    notice(copied ? "The link to this moment was copied." : "The link to this moment is in the address bar.");
  }

  // Show the moment of the link with which the page was opened: where everything stood and what was seen of it.
  #open() {
    const { scene, screen } = this, { view, things, select, map } = this.#linked, live = scene.frame;
    this.#linked = null;
    if (map !== scene.map.name) { notice(`The link is to a moment in ${map}, but this is ${scene.map.name}.`, 10); return; }
    if (view?.length === 3 && view.every(Number.isFinite)) { [screen.camera.x, screen.camera.y, screen.camera.scale] = view; screen.moved(); }
    const known = [...scene.robots.values(), ...scene.boxes.values()];
    const x = live.pose.x.slice(), y = live.pose.y.slice(), z = live.pose.z.slice();
    for (const [name, ...pose] of things.filter(Array.isArray)) {
      const k = live.index.get(known.find((thing) => thing.name === name)?.id);
      if (k !== undefined && pose.every(Number.isFinite)) [x[k], y[k], z[k]] = pose;
    }
    const chosen = known.find(({ name }) => name === select);
    if (chosen) scene.select(chosen.id);
    const frame = { ...live, pose: { x, y, z } };
    this.#shown = this.#kept[0].frame.time;
    scene.showPast({ frame, scans: null, echoes: null, sensedFrame: null });
    this.#isLinked = true;
    this.#tell();
  }
}

function readLink() {
  const words = /^#moment=([\w-]+)$/.exec(location.hash)?.[1];
  if (!words) return null;
  try {
    const bytes = Uint8Array.from(atob(words.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const moment = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(moment?.things) ? moment : null;
  } catch {
    return null;
  }
}
