// The side panel: the roster, the state of the selected robot or box, and actions on it.

import { call, post } from "./api.js";
import { attempt } from "./notice.js";
import { degrees } from "./paint_robots.js";

const element = (id) => document.getElementById(id);
const mm = (metres) => Math.round(1000 * metres);

export class Panel {
  #thing = null;

  constructor(scene, theme, placing) {
    Object.assign(this, { scene, theme, placing });
    scene.addEventListener("roster", () => this.#list());
    scene.addEventListener("selected", () => { this.#thing = null; this.#mark(); this.#show(); });
    element("reset").addEventListener("click", () => this.#post("reset"));
    element("ghost").addEventListener("click", () => this.#patch({ ghost: !this.#thing?.ghost }));
    element("motors").addEventListener("click", () => this.#patch({ motors: !this.#thing?.motors }));
    element("remove").addEventListener("click", () => this.remove());
    element("battery-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const value = element("battery").valueAsNumber;
      if (Number.isFinite(value)) this.#patch(this.#thing?.charge === null ? { battery: value } : { charge: value });
    });
  }

  /** Show the state of the selected robot or box. */
  take(thing) {
    if (thing.id !== this.scene.selected) return;
    const first = this.#thing === null;
    this.#thing = thing;
    this.#show(first);
  }

  async remove() {
    const thing = this.scene.thing(this.scene.selected);
    if (!thing) return;
    // What can be undone needs no question; a client that is hung up on cannot.
    if (!thing.client) { await this.placing.remove(thing); return; }
    const dialog = element("remove-dialog");
    element("remove-text").textContent = `${thing.name} will be taken out of the world, and its client is hung up on.`;
    dialog.returnValue = "no";
    dialog.showModal();
    await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
    if (dialog.returnValue === "yes") await this.placing.remove(thing);
  }

  #path(id) { return `/api/${this.scene.robots.has(id) ? "robots" : "boxes"}/${id}`; }
  #post(what) { attempt(() => post(`${this.#path(this.scene.selected)}/${what}`)); }
  #patch(change) { attempt(() => call("PATCH", this.#path(this.scene.selected), change)); }

  #list() {
    const { robots, boxes } = this.scene;
    element("robot-count").textContent = robots.size ? `(${robots.size})` : "";
    fill(element("robots"), [...robots.values()], (robot) => this.#row(robot, robot.port ? `${robot.model} · ${robot.port}` : robot.model, robot.client));
    fill(element("boxes"), [...boxes.values()], (box) => this.#row(box, box.kind, null));
    element("boxes-title").hidden = boxes.size === 0;
    this.#mark();
    this.#show();
  }

  #row(thing, about, client) {
    const item = document.createElement("li"), button = document.createElement("button");
    const chip = document.createElement("span"), name = document.createElement("span"), more = document.createElement("span");
    chip.className = "chip";
    chip.style.background = thing.colour;
    name.className = "name";
    name.textContent = thing.name;
    more.className = client ? "about held" : "about";
    more.textContent = about;
    button.type = "button";
    button.dataset.id = thing.id;
    button.title = client ? `Client: ${client}` : "";
    button.setAttribute("aria-label", `${thing.name}, ${about}${client ? ", a client is connected" : ""}`);
    button.addEventListener("click", () => this.scene.select(this.scene.selected === thing.id ? null : thing.id));
    button.append(chip, name, more);
    item.append(button);
    return item;
  }

  #mark() {
    for (const button of document.querySelectorAll(".things button")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.id) === this.scene.selected));
    }
  }

  #show(first = false) {
    const { scene } = this, id = scene.selected, entry = id === null ? null : scene.thing(id);
    element("selected").hidden = !entry;
    if (!entry) return;
    const robot = scene.robots.has(id), thing = this.#thing, held = Boolean(entry.client);
    const title = element("selected-title"), chip = document.createElement("span");
    chip.className = "chip";
    chip.style.background = entry.colour;
    title.replaceChildren(chip, entry.name);
    for (const part of ["reset", "ghost", "motors", "battery-form", "chart-home"]) element(part).hidden = !robot;
    element("pad").hidden = !robot;
    element("drive-hint").textContent = !robot ? "" : held ? "Its client drives it; these buttons move the joystick at its port." : "Drive it with the arrow keys or these buttons.";
    facts(element("facts"), thing ? (robot ? robotFacts(thing) : boxFacts(thing)) : [["Model", entry.model ?? entry.kind]]);
    this.#readings(robot ? thing?.readings : null);
    if (!thing || !robot) return;
    element("ghost").setAttribute("aria-pressed", String(thing.ghost));
    element("motors").setAttribute("aria-pressed", String(thing.motors));
    element("battery-label").textContent = thing.charge === null ? "Battery [V]" : "Charge [%]";
    if (first) element("battery").value = thing.charge ?? thing.battery;
  }

  #readings(readings) {
    const sonar = readings?.sonar.ranges ?? [], laser = readings?.lasers.find((unit) => unit.on);
    element("sonar-values").hidden = !sonar.length;
    element("sonar-values").querySelector("p").textContent = sonar.map(mm).join(" ");
    element("laser-values").hidden = !laser;
    if (!laser) return;
    const hits = laser.ranges.filter((range) => range < laser.range_max - 0.001);
    const nearest = hits.length ? `nearest ${mm(Math.min(...hits))} mm` : "nothing in range";
    element("laser-values").querySelector("p").textContent = `${laser.name}: ${laser.ranges.length} readings, ${nearest}`;
    this.#plot(laser);
  }

  #plot({ ranges, range_max }) {
    const canvas = element("laser-plot"), context = canvas.getContext("2d"), { width, height } = canvas;
    const most = Math.min(range_max, Math.max(1, ...ranges.filter((range) => range < range_max - 0.001)) * 1.1);
    context.clearRect(0, 0, width, height);
    context.beginPath();
    context.moveTo(0, height);
    ranges.forEach((range, k) => context.lineTo(k / Math.max(1, ranges.length - 1) * width, height * (1 - Math.min(range, most) / most)));
    context.lineTo(width, height);
    context.fillStyle = this.theme.colours.laserEdge;
    context.fill();
  }
}

function robotFacts(thing) {
  const pose = ({ x, y, heading }) => `${mm(x)}, ${mm(y)} mm, ${degrees(heading)}°`;
  const { forward, lateral, rotation } = thing.velocity;
  const rows = [
    ["Model", thing.model], ["Port", thing.port ?? thing.device ?? "none"], ["Client", thing.client ?? "none"],
    ["True pose", pose(thing.pose)], ["Odometry", pose(thing.odometry)],
    ["Velocity", `${mm(forward)} mm/s, ${(rotation * 180 / Math.PI).toFixed(1)}°/s${lateral ? `, sideways ${mm(lateral)} mm/s` : ""}`],
    ["Motors", thing.motors ? "on" : "off"], ["Stalled", thing.stalled ? "yes" : "no", thing.stalled],
    ["Battery", battery(thing)],
  ];
  if (thing.temperature !== null) rows.push(["Temperature", `${thing.temperature} °C`]);
  if (thing.service) rows.push(["Protocol", thing.service]);
  if (thing.client) rows.push(["Packets", `${thing.packets_sent_per_second.toFixed(1)}/s out, ${thing.packets_received_per_second.toFixed(1)}/s in`]);
  if (thing.packets_left_out) rows.push(["Left out", `${thing.packets_left_out} packets`, true]);
  return rows;
}

function battery(thing) {
  if (thing.charge !== null) return `${thing.charge.toFixed(0)} %`;
  return thing.battery === null ? "none" : `${thing.battery.toFixed(1)} V`;
}

function boxFacts(thing) {
  const bits = [[1, "robots"], [2, "sonar"], [4, "lasers"]].filter(([bit]) => thing.stops & bit).map(([, name]) => name);
  return [["Kind", thing.kind], ["Pose", `${mm(thing.pose.x)}, ${mm(thing.pose.y)} mm, ${degrees(thing.pose.heading)}°`], ["Stops", bits.join(", ") || "nothing"]];
}

/** Update only what has changed, so that a text selection survives. */
function facts(list, rows) {
  if (list.children.length !== 2 * rows.length) {
    list.replaceChildren(...rows.flatMap(() => [document.createElement("dt"), document.createElement("dd")]));
  }
  rows.forEach(([name, value, bad], k) => {
    const [term, text] = [list.children[2 * k], list.children[2 * k + 1]];
    if (term.textContent !== name) term.textContent = name;
    if (text.textContent !== String(value)) text.textContent = String(value);
    text.classList.toggle("bad", Boolean(bad));
  });
}

function fill(list, things, row) {
  const focused = document.activeElement?.dataset?.id;
  list.replaceChildren(...things.map(row));
  if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
}
