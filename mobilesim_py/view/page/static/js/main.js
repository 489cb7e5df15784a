// Entry point: creates and connects the parts of the page.

import { post } from "./api.js";
import { Chart } from "./chart.js";
import { Choices } from "./choices.js";
import { layOut } from "./layout.js";
import { Connection } from "./connection.js";
import { Devices } from "./devices.js";
import { History } from "./history.js";
import { Keys } from "./keys.js";
import { LogPane } from "./log_pane.js";
import { Measure } from "./measure.js";
import { attempt, complain } from "./notice.js";
import { Panel } from "./panel.js";
import { Pictures } from "./pictures.js";
import { Placing } from "./placing.js";
import { Pointer } from "./pointer.js";
import { Scene } from "./scene.js";
import { ServicePanels } from "./service_panels.js";
import { Screen } from "./screen.js";
import { StatusBar } from "./status_bar.js";
import { Theme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { ViewOptions } from "./view_options.js";

const element = (id) => document.getElementById(id);
const theme = new Theme();
const scene = new Scene();
const view = new ViewOptions(element("view"));
const screen = new Screen(element("stage"), scene, view, theme);
const connection = new Connection();
const history = new History();
const placing = new Placing(scene, screen, history);
const panel = new Panel(scene, theme, placing);
const devices = new Devices(scene);
screen.devices = devices;
const chart = new Chart(scene, theme);
const timeline = new Timeline(scene, screen);
const measure = new Measure(screen, element("measure"));
const logPane = new LogPane();
const servicePanels = new ServicePanels(element("services"), scene, screen);
const statusBar = new StatusBar(screen);
const choices = new Choices(screen, placing);

const actions = {
  pause: () => attempt(() => post("/api/pause", { paused: !statusBar.status?.paused })),
  step: () => attempt(() => post("/api/step")),
  zoom: (factor) => { screen.camera.zoom(factor); screen.moved(); },
  follow: () => screen.follow(screen.follows === null ? scene.selected : null),
  remove: () => panel.remove(),
  live: () => timeline.live(),
  measure: () => measure.toggle(),
  unmeasure: () => measure.forget(),
  undo: () => history.undo(),
  moved: (id, pose, key) => placing.moved(id, pose, key),
  help: () => element("help-dialog").showModal(),
};
new Pointer(screen, scene, connection, actions.moved);
new Keys(screen, scene, connection, actions);
new Pictures(screen, view);

const heard = {
  map: ({ map }) => scene.takeMap(map),
  walls: (walls) => scene.takeWalls(walls),
  plants: (plants) => scene.takePlants(plants),
  flat: (flat) => scene.takeFlat(flat),
  models: ({ models }) => scene.takeModels(models),
  roster: (roster) => scene.takeRoster(roster),
  frame: (frame) => timeline.take(frame, performance.now()),
  status: (status) => statusBar.take(status),
  log: ({ lines }) => logPane.take(lines),
  service: (service) => servicePanels.take(service),
  selected: ({ thing }) => {
    panel.take(thing);
    devices.take(thing);
    if (thing.id === scene.selected) chart.take(thing, statusBar.status?.time ?? 0);
    screen.refresh("robots");
  },
  refused: ({ text }) => complain(text),
};
for (const [kind, take] of Object.entries(heard)) connection.addEventListener(kind, ({ detail }) => take(detail));
connection.addEventListener("open", () => { element("offline").hidden = true; logPane.clear(); attempt(() => choices.fill()); });
connection.addEventListener("closed", () => { element("offline").hidden = false; });

view.addEventListener("change", () => {
  scene.forgetSensors({ laser: view.laser || view.points, sonar: view.sonar });
  connection.show(view.layers());
});
scene.addEventListener("selected", () => {
  connection.select(scene.selected);
  element("follow").disabled = scene.selected === null && screen.follows === null;
  if (screen.follows !== null && scene.selected !== null) screen.follow(scene.selected);
});
screen.addEventListener("follow", () => {
  element("follow").setAttribute("aria-pressed", String(screen.follows !== null));
  element("follow").disabled = scene.selected === null && screen.follows === null;
});
element("follow").disabled = true;

element("pause").addEventListener("click", actions.pause);
element("step").addEventListener("click", actions.step);
element("speed").addEventListener("change", ({ target }) => {
  attempt(() => post("/api/speed", { speed: target.value === "max" ? "max" : Number(target.value) }));
  target.blur();
});
element("zoom-in").addEventListener("click", () => actions.zoom(1.25));
element("zoom-out").addEventListener("click", () => actions.zoom(0.8));
element("fit").addEventListener("click", () => screen.fit());
element("follow").addEventListener("click", actions.follow);
element("undo").addEventListener("click", actions.undo);
history.addEventListener("change", () => {
  element("undo").disabled = history.next === null;
  element("undo").title = history.next === null ? "Undo (Ctrl+Z)" : `Undo (Ctrl+Z): ${history.next}`;
});
scene.addEventListener("map", () => history.clear());
element("theme").addEventListener("click", () => theme.toggle());
element("help").addEventListener("click", actions.help);
element("toggle-panel").addEventListener("click", ({ currentTarget }) => {
  element("panel").hidden = !element("panel").hidden;
  currentTarget.setAttribute("aria-expanded", String(!element("panel").hidden));
});
element("trail-length").addEventListener("change", ({ target }) => { scene.trailLength = Number(target.value); });
element("clear-trails").addEventListener("click", () => scene.clearTrails());
layOut();

// For scripts and tests that inspect the page from outside.
window.mobilesim = { scene, screen, view, theme, connection, timeline, measure };

connection.show(view.layers());
connection.open();
