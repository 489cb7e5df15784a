// The panel of Oz robots: screen, display, led, speaker, keys, questions, cameras, pad, trace, blocks in the field.

import { button, make, put, row, toggle } from "./elements.js";
import { Blocks } from "./oz_blocks.js";
import { Pad } from "./oz_pad.js";
import { Trace } from "./oz_trace.js";

const PICTURES_EVERY = 100;    // Pictures are asked for at most this often, one after the other [ms].
const KEYS = [["cancel", "✕"], ["validate", "✓"], ["minus", "−"], ["plus", "+"], ["previous", "◂"], ["next", "▸"]];

export class Panel {
  #facts = null;
  #chosen = null;
  #beeps = null;
  #asked = "";

  constructor({ root, scene, screen, order, picture }) {
    Object.assign(this, { scene, order, picture });
    root.classList.add("oz");
    this.choice = make("select", "", { hidden: true });
    this.choice.setAttribute("aria-label", "Which Oz");
    this.choice.addEventListener("change", () => { this.#chosen = Number(this.choice.value); this.#show(); });
    this.state = make("p", "", { className: "hint" });
    this.screen = make("pre", "", { className: "lcd", title: "Screen of the robot" });
    this.display = make("pre", "", { className: "lcd", title: "Display of programs" });
    this.led = make("span", "led", { className: "led", title: "Led" });
    this.speaker = make("span", "♪", { className: "led", title: "Speaker" });
    this.sound = Object.assign(document.createElement("input"), { type: "checkbox" });
    const sound = make("label", "sound", { className: "hint" });
    sound.prepend(this.sound);
    this.question = make("form", "", { className: "row", hidden: true });
    this.cameras = toggle("Cameras", "Show what both cameras see", () => this.#look());
    this.picture_ = make("img", "", { className: "stereo", alt: "What the left and the right camera see", hidden: true });
    this.picture_.addEventListener("load", () => this.#lookAgain());
    this.picture_.addEventListener("error", () => this.#lookAgain(10));
    const tell = (name, wish) => this.robot && order(name, { robot: this.robot.robot, ...wish });
    this.tell = tell;
    this.pad = new Pad(tell);
    this.trace = new Trace(scene, screen);
    this.blocks = new Blocks(screen, order);
    root.append(
      make("h2", "Oz"), this.choice, this.state, this.screen, this.display, row(this.led, this.speaker, sound), this.#keys(), this.question,
      row(this.cameras.element, this.pad.switch.element, ...this.trace.buttons), this.picture_, this.pad.root, this.blocks.root,
    );
  }

  get robot() { return this.#facts?.robots.find(({ robot }) => robot === this.#chosen) ?? this.#facts?.robots[0]; }

  take(facts) {
    this.#facts = facts;
    const wanted = facts.robots.map(({ robot, name }) => `${robot} ${name}`).join();
    if (this.choice.dataset.of !== wanted) {
      this.choice.dataset.of = wanted;
      this.choice.replaceChildren(...facts.robots.map(({ robot, name }) => new Option(name, robot)));
      this.choice.hidden = facts.robots.length < 2;
    }
    this.blocks.take(facts);
    this.#show();
  }

  #show() {
    const { robot } = this;
    if (!robot) { put(this.state, "No Oz is there."); return; }
    this.trace.follow(robot.robot);
    const field = this.#facts.crops ? ` · trampled ${this.#facts.trampled} of ${this.#facts.crops}` : "";
    const clients = robot.clients.length ? robot.clients.join(", ") : "no client";
    put(this.state, `${clients} · motors ${robot.powers.join(" ")} · tool ${robot.tool} % · battery ${robot.battery} %${field}`);
    put(this.screen, robot.screen.map((line) => line.padEnd(16)).join("\n"));
    put(this.display, robot.display.map((line) => line.padEnd(20)).join("\n"));
    this.display.hidden = !robot.display.some((line) => line.trim());
    this.led.style.background = robot.led ? `hsl(${(robot.led * 47) % 360} 80% 55%)` : "transparent";
    this.led.title = `Led: ${robot.led}`;
    this.#hear(robot);
    this.#ask(robot.question);
    this.cameras.element.disabled = !robot.cameras;
    this.pad.take(robot);
  }

  // Speaker

  #hear({ beeps, beep }) {
    const rang = this.#beeps !== null && beeps > this.#beeps;
    this.#beeps = beeps;
    this.speaker.title = `Speaker: ${beeps} beeps`;
    if (!rang) return;
    this.speaker.style.background = "#e0a000";
    setTimeout(() => { this.speaker.style.background = "transparent"; }, 400);
    if (!this.sound.checked) return;
    this.audio ??= new AudioContext();
    const tone = this.audio.createOscillator(), gain = this.audio.createGain(), now = this.audio.currentTime;
    gain.gain.value = 0.2 * Math.min(1, Math.max(0.1, beep.volume / 255));
    tone.connect(gain).connect(this.audio.destination);
    tone.start(now);
    tone.stop(now + Math.min(2, Math.max(0.08, beep.duration / 100)));
  }

  // Keys and questions

  #keys() {
    return row(...KEYS.map(([name, text], bit) => {
      const key = button(text, `Key ${name}`);
      key.addEventListener("pointerdown", () => this.tell("keypad", { keys: 1 << bit }));
      for (const end of ["pointerup", "pointercancel"]) key.addEventListener(end, () => this.tell("keypad", { keys: 0 }));
      key.addEventListener("click", () => this.tell("button", { button: name }));
      return key;
    }));
  }

  #ask(question) {
    const asked = JSON.stringify(question);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.question.hidden = !question;
    if (!question) return;
    const label = make("label", [question.top, question.text].filter(Boolean).join(": "));
    let field;
    if (question.options) {
      field = make("select");
      field.append(...question.options.map((text, k) => new Option(`${text} ${question.unit}`, k)));
    } else {
      field = Object.assign(document.createElement("input"), { type: "number", min: question.least, max: question.most, step: question.step || 1 });
    }
    field.value = question.default;
    field.setAttribute("aria-label", question.text);
    const answer = (key) => this.tell("answer", { key, value: Number(field.value) || 0 });
    const yes = make("button", "OK", { type: "submit" }), no = button("✕", "Cancel", () => answer("cancel"));
    this.question.replaceChildren(label, field, make("span", question.options ? "" : question.unit), yes, no);
    this.question.onsubmit = (event) => { event.preventDefault(); answer("validate"); };
  }

  // Cameras: a picture is asked for when the one before is there, and while the page is seen.

  #look() {
    this.picture_.hidden = !this.cameras.on;
    if (!this.cameras.on || !this.robot) return;
    if (document.hidden) { setTimeout(() => this.#look(), 500); return; }
    this.picture_.src = `${this.picture(`pair-${this.robot.robot}`)}?${performance.now()}`;
  }

  #lookAgain(slower = 1) {
    if (this.cameras.on) setTimeout(() => this.#look(), PICTURES_EVERY * slower);
  }
}
