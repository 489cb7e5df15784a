// The devices of the selected robot: what they say, and switches, sliders and buttons for their inputs; a gamepad is its joystick.

import { call, post } from "./api.js";
import { attempt } from "./notice.js";

const element = (id) => document.getElementById(id);
const GAMEPAD_PERIOD = 100;  // [ms]
const DEAD = 0.08;           // Share of its travel in which a gamepad's stick counts as let go.

export class Devices {
  #facts = null;
  #id = null;
  #heard = 0;
  #audio = null;

  constructor(scene) {
    this.scene = scene;
    this.root = element("devices");
    this.#build();
    scene.addEventListener("selected", () => { this.#facts = null; this.root.hidden = true; });
    setInterval(() => this.#gamepad(), GAMEPAD_PERIOD);
  }

  /** Show the devices of the selected robot. */
  take(thing) {
    if (thing.id !== this.scene.selected) return;
    const facts = thing.devices ?? null;
    if (this.#id !== thing.id) this.#heard = facts?.sounds.count ?? 0;
    this.#id = thing.id;
    this.#facts = facts;
    this.root.hidden = !facts;
    if (!facts) return;
    this.#show(facts);
    if (facts.sounds.count !== this.#heard) this.#play(facts.sounds.tones);
    this.#heard = facts.sounds.count;
  }

  /** What is known of the selected robot's devices, for painting; null when nothing is. */
  of(id) { return id === this.#id ? this.#facts : null; }

  #path(what) { return `/api/robots/${this.scene.selected}/${what}`; }
  #set(wish) { attempt(() => call("PATCH", this.#path("devices"), wish)); }

  #build() {
    const switches = element("digital-in"), lamps = element("digital-out"), sliders = element("analog");
    for (let bit = 0; bit < 8; bit += 1) {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.setAttribute("aria-label", `Digital input ${bit}`);
      box.addEventListener("change", () => {
        const bits = [...switches.querySelectorAll("input")].reduce((sum, one, k) => sum | (one.checked ? 1 << k : 0), 0);
        this.#set({ digital_in: bits });
      });
      label.append(box, String(bit));
      switches.append(label);
      const lamp = document.createElement("span");
      lamp.textContent = String(bit);
      lamps.append(lamp);
      const row = document.createElement("label"), slider = document.createElement("input"), volts = document.createElement("output");
      Object.assign(slider, { type: "range", min: 0, max: 5, step: 0.05 });
      slider.setAttribute("aria-label", `Analog input ${bit} [V]`);
      slider.addEventListener("input", () => this.#set({ analog: { [bit]: slider.valueAsNumber } }));
      row.append(`AN${bit}`, slider, volts);
      sliders.append(row);
    }
    for (const button of document.querySelectorAll("[data-gripper]")) {
      button.addEventListener("click", () => this.#set({ gripper: button.dataset.gripper }));
    }
    element("charge-contacts").addEventListener("change", (event) => this.#set({ charge_contacts: event.target.checked }));
    element("gyro-failed").addEventListener("change", (event) => this.#set({ gyro_failed: event.target.checked }));
  }

  #show(facts) {
    element("digital-in").querySelectorAll("input").forEach((box, k) => { box.checked = Boolean(facts.digital_in >> k & 1); });
    [...element("digital-out").children].forEach((lamp, k) => {
      const on = Boolean(facts.digital_out >> k & 1);
      lamp.classList.toggle("on", on);
      lamp.title = `Output ${k} is ${on ? "on" : "off"}`;
    });
    [...element("analog").children].forEach((row, k) => {
      const [slider, volts] = [row.querySelector("input"), row.querySelector("output")];
      if (document.activeElement !== slider) slider.value = facts.analog[k];
      volts.textContent = `${facts.analog[k].toFixed(2)} V`;
    });
    element("gripper-row").hidden = !facts.gripper;
    element("charge-row").hidden = !facts.charging;
    element("charge-contacts").checked = Boolean(facts.charging?.contacts_out);
    element("gyro-row").hidden = !facts.gyro;
    element("gyro-failed").checked = facts.gyro_failed;
    element("device-facts").replaceChildren(...rows(facts).flatMap(([name, value]) => {
      const term = document.createElement("dt"), text = document.createElement("dd");
      term.textContent = name;
      text.textContent = value;
      return [term, text];
    }));
  }

  /** A gamepad moves the joystick at the robot's port, for as long as it is not in its middle. */
  #gamepad() {
    const pad = [...(navigator.getGamepads?.() ?? [])].find((one) => one?.connected);
    if (!pad || this.#id === null || this.#id !== this.scene.selected || !this.#facts) return;
    const [x, y] = [pad.axes[0] ?? 0, -(pad.axes[1] ?? 0)].map((value) => (Math.abs(value) < DEAD ? 0 : Math.max(-1, Math.min(1, value))));
    const buttons = [Boolean(pad.buttons[0]?.pressed), Boolean(pad.buttons[1]?.pressed)];
    const moved = x !== 0 || y !== 0 || buttons.some(Boolean);
    if (moved || this.#held) attempt(() => post(this.#path("joystick"), { x, y, throttle: 1, buttons }));
    this.#held = moved;
  }
  #held = false;

  #play(tones) {
    // Browsers let a page sound only after its user has done something on it.
    if (!navigator.userActivation?.hasBeenActive) return;
    this.#audio ??= new AudioContext();
    let at = this.#audio.currentTime;
    for (const [seconds, hertz] of tones) {
      if (hertz > 0) {
        const tone = this.#audio.createOscillator(), volume = this.#audio.createGain();
        volume.gain.value = 0.1;
        tone.type = "square";
        tone.frequency.value = hertz;
        tone.connect(volume).connect(this.#audio.destination);
        tone.start(at);
        tone.stop(at + seconds);
      }
      at += seconds;
    }
  }
}

function rows(facts) {
  const found = [], marks = (list) => list.map((on) => (on ? "●" : "○")).join(" ");
  if (facts.encoders) found.push(["Encoders", facts.encoders.join(", ")]);
  if (facts.bumpers) found.push(["Bumpers", `${marks(facts.bumpers.front)}  behind ${marks(facts.bumpers.rear)}`]);
  if (facts.infrared) found.push(["Infrared", marks(facts.infrared)]);
  if (facts.gripper) {
    const { paddles, lift, closed, holding, beams } = facts.gripper;
    const state = holding !== null ? "holds something" : closed ? "closed" : paddles >= 1 ? "open" : `${Math.round(100 * paddles)} % open`;
    const broken = [beams.outer && "outer", beams.inner && "inner"].filter(Boolean).join(" and ") || "none";
    found.push(["Gripper", `${state}, lift ${Math.round(100 * lift)} %, beams broken: ${broken}`]);
  }
  if (facts.compass) found.push(["Compass", `${facts.compass.north.toFixed(1)}°${facts.compass.calibrated ? ", calibrated" : ""}`]);
  if (facts.charging) found.push(["Charger", facts.charging.state]);
  for (const { port, device, camera } of facts.aux) {
    if (device === "none") continue;
    const looks = camera ? `: ${camera.pan.toFixed(1)}°, ${camera.tilt.toFixed(1)}°${camera.zoom_most ? `, zoom ${camera.zoom}` : ""}` : "";
    found.push([`AUX${port}`, `${device}${looks}`]);
  }
  const { x, y, buttons } = facts.joystick;
  if (x || y || buttons.some(Boolean)) found.push(["Joystick", `${x.toFixed(2)}, ${y.toFixed(2)}${buttons[0] ? ", button" : ""}`]);
  return found;
}
