// The garden interface: terrain and objects are drawn, selected and edited on the map; the robot is sent and trims.

const MODES = { look: "Select", go: "Navigate", draw: "Draw terrain", put: "Add object" };
const HINTS = {
  look: "Click objects to select them in order; click again to drop one. Drag the selected object or a blue corner to move it.",
  go: "Click where the robot shall go; drag to say which way it shall face.",
  draw: "Click corners; Enter or a double click closes the face, Esc drops it.",
  put: "Click where the new object shall stand.",
};
const SHAPES = ["cuboid", "ellipsoid", "cylinder", "cone"];
const NEAR = 10;             // So near to a corner the pointer is upon it [pixels].
const CLICK = 5;             // A pointer that moves less than this has clicked [pixels].
const GRID = ["free white", "seen obstacles magenta", "sketched obstacles green", "unseen grey"];

export class Panel {
  #facts = null;
  #sketch = null;
  #version = null;           // Of the sketch that was asked for last.
  #grids = new Map();        // Robot: { version, image }.
  #selected = [];            // Numbers of objects, in order.
  #face = null;
  #mode = "look";
  #corners = [];
  #drag = null;

  constructor({ root, scene, screen, order, picture }) {
    Object.assign(this, { root, scene, screen, order, picture });
    root.classList.add("garden");
    root.append(make("h2", "Garden"));
    this.robot = labelled(root, "Robot", document.createElement("select"));
    this.robot.parentElement.hidden = true;
    this.robot.addEventListener("change", () => this.#refresh());
    this.state = make("p");
    this.state.className = "garden-state";
    this.state.setAttribute("role", "status");
    this.goal = make("p");
    this.goal.className = "hint";
    this.progress = Object.assign(document.createElement("progress"), { max: 1, hidden: true });
    this.progress.setAttribute("aria-label", "Trimming");
    root.append(this.state, this.goal, this.progress);

    this.modes = row(root, "actions");
    this.modes.setAttribute("role", "group");
    this.modes.setAttribute("aria-label", "What a click on the map does");
    for (const [mode, text] of Object.entries(MODES)) this.modes.append(button(text, () => this.#setMode(mode), { "data-mode": mode }));
    this.hint = make("p");
    this.hint.className = "hint";
    root.append(this.hint);

    const drive = row(root, "actions");
    this.trim = button("Trim selection", () => this.#trim(), { class: "primary" });
    this.cancel = button("Cancel goal", () => order("cancel", this.#who()));
    drive.append(this.trim, this.cancel);
    const place = row(root, "row");
    this.x = number(place, "x [m]", 0.1);
    this.y = number(place, "y [m]", 0.1);
    this.turn = number(place, "°", 5);
    this.turn.placeholder = "any";
    place.append(button("Go", () => this.#go(this.x.valueAsNumber, this.y.valueAsNumber, radians(this.turn.valueAsNumber))));

    root.append(make("h3", "Objects"));
    this.list = document.createElement("ul");
    this.list.className = "things garden-things";
    root.append(this.list);
    this.terrain = labelled(root, "Terrain", document.createElement("select"));
    this.terrain.addEventListener("change", () => this.#chooseFaceNumber(this.terrain.value === "" ? null : Number(this.terrain.value)));

    this.editor = document.createElement("form");
    this.editor.addEventListener("submit", (event) => event.preventDefault());
    this.#makeEditor();
    root.append(this.editor);

    root.append(make("h3", "Sketch"));
    const drawing = row(root, "actions");
    this.undo = button("Undo drawing", () => order("undo"));
    this.register = button("Register", () => order("register", this.#who()));
    drawing.append(this.undo, this.register, button("Reset", () => order("reset")), button("Build world", () => order("build")));
    const files = row(root, "actions");
    for (const ending of ["xml", "garden"]) files.append(link(`Save .${ending}`, picture(`sketch.${ending}`), `garden.${ending}`));
    this.file = Object.assign(document.createElement("input"), { type: "file", accept: ".xml,.garden" });
    const open = make("label", "Open …");
    open.className = "file";
    open.append(this.file);
    files.append(open);
    this.file.addEventListener("change", async () => {
      const [file] = this.file.files;
      if (file) order("load", { text: await file.text() });
      this.file.value = "";
    });
    this.registration = make("p");
    this.registration.className = "hint";
    root.append(this.registration);

    const view = row(root, "checks");
    this.showGrid = check(view, "Grid", true);
    this.showSketch = check(view, "Sketch", true);
    this.covered = check(view, "Cover cameras", false);
    for (const box of [this.showGrid, this.showSketch]) box.addEventListener("change", () => this.#refresh());
    this.covered.addEventListener("change", () => order("cover", { ...this.#who(), on: this.covered.checked }));
    const legend = make("p", `Grid: ${GRID.join(", ")}.`);
    legend.className = "hint";
    root.append(legend);
    this.ended = document.createElement("ol");
    this.ended.className = "garden-ended";
    root.append(make("h3", "Last goals"), this.ended);

    this.#listen();
    this.#setMode("look");
    screen.painters.add((context, picture) => this.#paint(context, picture));
  }

  take(facts) {
    this.#facts = facts;
    this.#fillRobots(facts.robots);
    const robot = this.#robot();
    if (facts.sketch.version !== this.#version) this.#fetchSketch(facts.sketch.version);
    this.undo.disabled = facts.sketch.undo === 0;
    const found = facts.registration;
    put(this.registration, found
      ? `Registered: turned by ${found.turn}°, shifted by ${found.x}, ${found.y} m; ${found.pairs} of ${found.objects} objects, residual ${found.residual} m.`
      : "");
    if (robot) this.#showRobot(robot);
    this.#refresh();
  }

  // The robot

  #robot() { return this.#facts?.robots.find(({ id }) => String(id) === this.robot.value) ?? this.#facts?.robots[0]; }

  #who() { return { robot: this.#robot()?.id }; }

  #fillRobots(robots) {
    const names = robots.map(({ id, name }) => `${id} ${name}`).join("|");
    if (this.robot.dataset.names === names) return;
    this.robot.dataset.names = names;
    const { value } = this.robot;
    this.robot.replaceChildren(...robots.map(({ id, name }) => new Option(name, id)));
    if (robots.some(({ id }) => String(id) === value)) this.robot.value = value;
    this.robot.parentElement.hidden = robots.length < 2;
  }

  #showRobot(robot) {
    put(this.state, robot.lost ? `${robot.state.slice(1)}: no fix, it stands` : robot.state.slice(1).replaceAll("/", " › "));
    this.state.classList.toggle("bad", robot.lost);
    const waiting = robot.waiting.map(told).join(", ");
    put(this.goal, `${robot.goal ? `Goal: ${told(robot.goal)}` : "No goal"}${waiting ? `; then ${waiting}` : ""}`);
    this.progress.hidden = robot.progress <= 0;
    this.progress.value = robot.progress;
    this.cancel.disabled = !robot.goal && !waiting;
    if (document.activeElement !== this.covered) this.covered.checked = robot.covered;
    const lines = [...robot.ended].reverse().map(({ goal, outcome, why }) => `${goal}: ${outcome}${why ? ` (${why})` : ""}`);
    if (this.ended.dataset.lines !== lines.join("\n")) {
      this.ended.dataset.lines = lines.join("\n");
      this.ended.replaceChildren(...lines.map((line) => make("li", line)));
    }
    const trimmed = robot.trimmed.join(" ");
    if (this.list.dataset.trimmed !== trimmed) { this.list.dataset.trimmed = trimmed; this.#fillList(); }
    this.#fetchGrid(robot);
  }

  #go(x, y, heading) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    this.order("go", { ...this.#who(), x, y, heading: Number.isFinite(heading) ? heading : null });
  }

  #trim() {
    if (this.#selected.length) this.order("trim", { ...this.#who(), objects: this.#selected });
  }

  // The sketch

  async #fetchSketch(version) {
    this.#version = version;
    const answer = await fetch(`${this.picture("sketch")}?${version}`);
    if (!answer.ok) return;
    this.#sketch = await answer.json();
    const known = new Set(this.#sketch.objects.map(({ id }) => id));
    this.#selected = this.#selected.filter((id) => known.has(id));
    if (this.#face !== null && this.#face >= this.#sketch.faces.length) this.#face = null;
    this.label.setAttribute("list", fillLabels(this.root, this.#sketch.labels));
    this.terrain.replaceChildren(new Option("none chosen", ""), ...this.#sketch.faces.map(({ label }, k) => new Option(`${k + 1} ${label}`, k)));
    this.#fillList();
    this.#fillEditor();
    this.#refresh();
  }

  async #fetchGrid({ id, grid }) {
    const known = this.#grids.get(id);
    if (known?.version === grid.version || !this.showGrid.checked) return;
    const entry = { version: grid.version, grid, image: known?.image ?? null, box: known?.box ?? grid };
    this.#grids.set(id, entry);
    const image = new Image();
    image.src = `${this.picture(`grid-${id}`)}?${grid.version}`;
    try { await image.decode(); } catch { return; }
    entry.image = image;
    entry.box = grid;
    this.#refresh();
  }

  #fillList() {
    const trimmed = new Set(this.#robot()?.trimmed);
    this.list.replaceChildren(...(this.#sketch?.objects ?? []).filter(({ trimmable }) => trimmable).map((thing) => {
      const item = document.createElement("li"), one = button("", () => this.#select(thing.id));
      const chip = make("span"), order = this.#selected.indexOf(thing.id);
      chip.className = "chip";
      chip.style.background = thing.colour;
      const name = make("span", `${thing.id} ${thing.label}`), about = make("span", order >= 0 ? `${order + 1}.` : trimmed.has(thing.id) ? "trimmed" : "");
      name.className = "name";
      about.className = "about";
      one.setAttribute("aria-pressed", String(order >= 0));
      one.dataset.object = thing.id;
      one.append(chip, name, about);
      item.append(one);
      return item;
    }));
    this.trim.disabled = !this.#selected.length;
  }

  #select(id) {
    const focused = document.activeElement?.dataset?.object;
    this.#face = null;
    this.#selected = this.#selected.includes(id) ? this.#selected.filter((one) => one !== id) : [...this.#selected, id];
    this.#fillList();
    this.#fillEditor();
    if (focused) this.list.querySelector(`[data-object="${focused}"]`)?.focus();
    this.#refresh();
  }

  // Editing by words and numbers

  #makeEditor() {
    this.editing = make("h3", "");
    this.editor.append(this.editing);
    const first = row(this.editor, "row");
    this.label = labelled(first, "Label", document.createElement("input"));
    this.shape = labelled(first, "Shape", document.createElement("select"));
    this.shape.append(...SHAPES.map((shape) => new Option(shape, shape)));
    this.fields = {};
    for (const names of [["x", "y", "turn"], ["length", "width", "height"]]) {
      const line = row(this.editor, "row");
      for (const name of names) this.fields[name] = number(line, name === "turn" ? "turn [°]" : `${name} [m]`, name === "turn" ? 5 : 0.05);
    }
    this.corners = labelled(this.editor, "Corners: x,y x,y x,y …", Object.assign(document.createElement("input"), { type: "text" }));
    const actions = row(this.editor, "actions");
    this.apply = button("Apply", () => this.#apply(), { class: "primary" });
    this.delete = button("Delete", () => this.#delete(), { class: "danger" });
    actions.append(this.apply, this.delete);
    for (const input of this.editor.querySelectorAll("input, select")) {
      input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); this.#apply(); } });
    }
  }

  #edited() { return this.#sketch?.objects.find(({ id }) => id === this.#selected.at(-1)); }

  #fillEditor() {
    const thing = this.#edited(), face = this.#face === null ? null : this.#sketch?.faces[this.#face];
    put(this.editing, thing ? `Object ${thing.id}` : face ? `Terrain ${this.#face + 1}` : this.#mode === "draw" ? "New terrain" : "New object");
    this.terrain.value = this.#face === null ? "" : String(this.#face);
    const isFace = !thing && (face || this.#mode === "draw");
    for (const input of [this.shape, ...Object.values(this.fields)]) input.closest("label").hidden = Boolean(isFace);
    this.corners.closest("label").hidden = !isFace || Boolean(face);
    this.delete.hidden = !thing && !face;
    this.apply.textContent = thing || face ? "Apply" : "Add";
    if (this.editor.contains(document.activeElement) && document.activeElement.matches("input")) return;
    if (thing) {
      this.label.value = thing.label;
      this.shape.value = thing.shape;
      const [length, width, height] = thing.size;
      for (const [name, value] of Object.entries({ x: thing.x, y: thing.y, turn: thing.turn, length, width, height })) this.fields[name].value = value;
    } else if (face) this.label.value = face.label;
    else this.label.value = this.#mode === "draw" ? "Ground-Grass" : "Topiary-Generic";
  }

  #wish() {
    const wish = { label: this.label.value, shape: this.shape.value };
    for (const [name, input] of Object.entries(this.fields)) if (Number.isFinite(input.valueAsNumber)) wish[name] = input.valueAsNumber;
    return wish;
  }

  #apply() {
    const thing = this.#edited();
    document.activeElement?.blur();
    if (!thing && this.#face !== null) this.order("face", { face: this.#face, label: this.label.value });
    else if (!thing && this.#mode === "draw") this.#addFace(this.corners.value.trim().split(/[\s;]+/).map((place) => place.split(",").map(Number)));
    else this.order("object", thing ? { ...this.#wish(), id: thing.id } : this.#wish());
  }

  #addFace(corners) {
    this.order("face", { label: this.label.value, corners });
    this.corners.value = "";
  }

  #delete() {
    const thing = this.#edited();
    if (thing) this.order("remove-object", { id: thing.id });
    else if (this.#face !== null) this.order("remove-face", { face: this.#face });
    this.#face = null;
  }

  // Mouse and keys on the map: they are taken before the map has them, where they mean something here.

  #setMode(mode) {
    this.#mode = mode;
    this.#corners = [];
    for (const one of this.modes.children) one.setAttribute("aria-pressed", String(one.dataset.mode === mode));
    put(this.hint, HINTS[mode]);
    this.screen.stage.style.cursor = mode === "look" ? "" : "crosshair";
    if (mode === "draw" || mode === "put") { this.#selected = []; this.#face = null; this.#fillList(); }
    this.#fillEditor();
    this.#refresh();
  }

  #listen() {
    const { stage } = this.screen, taken = { capture: true };
    stage.addEventListener("pointerdown", (event) => this.#down(event), taken);
    stage.addEventListener("pointermove", (event) => this.#move(event), taken);
    stage.addEventListener("pointerup", (event) => this.#up(event), taken);
    stage.addEventListener("dblclick", (event) => { if (this.#mode === "draw") { event.stopPropagation(); this.#close(); } }, taken);
    stage.addEventListener("keydown", (event) => this.#key(event), taken);
    this.root.addEventListener("keydown", (event) => { if (event.key === "Escape") this.#key(event); });
  }

  #place(event) {
    const box = this.screen.stage.getBoundingClientRect();
    const px = event.clientX - box.left, py = event.clientY - box.top, [x, y] = this.screen.camera.toWorld(px, py);
    return { px, py, x, y };
  }

  #under({ x, y }) {
    if (!this.#sketch || !this.showSketch.checked) return null;
    const object = [...this.#sketch.objects].reverse().find(({ outline, label }) => !label.startsWith("Robot") && !label.includes("Tree") && contains(outline, x, y));
    return object ?? null;
  }

  #corner({ px, py }) {
    if (this.#face === null || !this.#sketch) return null;
    const number = this.#sketch.faces[this.#face].corners.find((corner) => {
      const [cx, cy] = this.screen.camera.toScreen(...this.#sketch.vertices[corner]);
      return Math.hypot(cx - px, cy - py) < NEAR;
    });
    return number ?? null;
  }

  #overRobot({ x, y }) {
    return this.#facts.robots.some(({ pose }) => Math.hypot(pose.x - x, pose.y - y) < 0.4);
  }

  #down(event) {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || !this.#facts) return;
    const at = this.#place(event);
    if (this.#mode === "look") {
      if (this.#overRobot(at)) return;
      const vertex = this.#corner(at), object = this.#under(at);
      if (vertex === null && !object) { this.#drag = { kind: "maybe", at }; return; }  // The map is panned, or a face is meant.
      this.#drag = { kind: vertex !== null ? "vertex" : "object", at, vertex, object, moved: false };
    } else this.#drag = { kind: this.#mode, at, moved: false };
    event.stopPropagation();
    this.screen.stage.focus({ preventScroll: true });
    this.screen.stage.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag || drag.kind === "maybe") return;
    event.stopPropagation();
    drag.to = this.#place(event);
    drag.moved ||= Math.hypot(drag.to.px - drag.at.px, drag.to.py - drag.at.py) >= CLICK;
    this.#refresh();
  }

  #up(event) {
    const drag = this.#drag, to = this.#place(event);
    this.#drag = null;
    if (!drag) return;
    const { at } = drag, moved = drag.moved || Math.hypot(to.px - at.px, to.py - at.py) >= CLICK;
    if (drag.kind === "maybe") { if (!moved) this.#chooseFace(at); return; }
    event.stopPropagation();
    if (drag.kind === "go") this.#go(round(at.x), round(at.y), moved ? Math.atan2(to.y - at.y, to.x - at.x) : NaN);
    else if (drag.kind === "draw") { this.#corners.push([round(at.x), round(at.y)]); }
    else if (drag.kind === "put") this.order("object", { ...this.#wish(), x: round(at.x), y: round(at.y) });
    else if (drag.kind === "vertex" && moved) this.order("vertex", { vertex: drag.vertex, x: round(to.x), y: round(to.y) });
    else if (drag.kind === "object" && moved && this.#selected.includes(drag.object.id)) {
      this.order("object", { id: drag.object.id, x: round(drag.object.x + to.x - at.x), y: round(drag.object.y + to.y - at.y) });
    } else if (drag.kind === "object" && !moved) this.#select(drag.object.id);
    this.#refresh();
  }

  #chooseFace({ x, y }) {
    const faces = this.#sketch?.faces ?? [];
    const found = faces.findLastIndex(({ corners }) => contains(corners.map((corner) => this.#sketch.vertices[corner]), x, y));
    this.#chooseFaceNumber(found >= 0 && found !== this.#face ? found : null);
  }

  #chooseFaceNumber(number) {
    this.#face = number;
    this.#selected = [];
    this.#fillList();
    this.#fillEditor();
    this.#refresh();
  }

  #key(event) {
    if (event.key === "Escape" && (this.#mode !== "look" || this.#selected.length || this.#face !== null)) {
      if (!this.#corners.length && this.#mode !== "look") this.#setMode("look");
      this.#corners = [];
      this.#selected = [];
      this.#face = null;
      this.#fillList();
      this.#fillEditor();
    } else if (event.key === "Enter" && this.#mode === "draw") this.#close();
    else if (event.key === "Delete" && (this.#selected.length || this.#face !== null)) this.#delete();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#refresh();
  }

  #close() {
    // A double click is two clicks at one place, too.
    const corners = this.#corners.filter(([x, y], k, all) => !k || Math.hypot(x - all[k - 1][0], y - all[k - 1][1]) > 0.02);
    this.#corners = [];
    if (corners.length > 2) this.order("face", { label: this.label.value, corners });
    this.#refresh();
  }

  #refresh() { this.screen.refresh("sensors"); }

  // Painting, in metres

  #paint(context, { camera, colours }) {
    if (!this.#facts) return;
    const pixel = 1 / camera.scale, robot = this.#robot();
    context.save();
    if (this.showSketch.checked && this.#sketch) this.#paintSketch(context, pixel, colours, new Set(robot?.trimmed));
    const grid = this.showGrid.checked && robot && this.#grids.get(robot.id);
    if (grid?.image) {
      const { x, y, width, height } = grid.box;
      context.save();
      context.imageSmoothingEnabled = false;
      context.globalAlpha = 0.65;
      context.translate(x, y + height);
      context.scale(1, -1);
      context.drawImage(grid.image, 0, 0, width, height);
      context.restore();
    }
    this.#paintSelection(context, pixel);
    for (const one of this.#facts.robots) this.#paintWay(context, pixel, one);
    this.#paintDrag(context, pixel);
    context.restore();
  }

  #paintSketch(context, pixel, colours, trimmed) {
    const { vertices, faces, objects } = this.#sketch;
    faces.forEach(({ corners, colour }) => {
      trace(context, corners.map((corner) => vertices[corner]));
      context.globalAlpha = 0.42;
      context.fillStyle = colour;
      context.fill();
    });
    for (const { id, outline, colour, label } of objects) {
      if (label.startsWith("Robot")) continue;
      trace(context, outline);
      context.globalAlpha = label.includes("Tree") ? 0.2 : 0.8;
      context.fillStyle = colour;
      context.fill();
      context.globalAlpha = 1;
      context.lineWidth = 1.3 * pixel;
      context.strokeStyle = colours.ink;
      context.stroke();
      if (trimmed.has(id)) tick(context, outline, pixel);
    }
    if (this.#face === null) return;
    const corners = faces[this.#face].corners.map((corner) => vertices[corner]);
    trace(context, corners);
    context.lineWidth = 2.5 * pixel;
    context.strokeStyle = "#1f6fd6";
    context.stroke();
    for (const [x, y] of corners) disc(context, x, y, 5 * pixel, "#1f6fd6");
  }

  #paintSelection(context, pixel) {
    const chosen = this.#selected.map((id) => this.#sketch?.objects.find((thing) => thing.id === id)).filter(Boolean);
    context.strokeStyle = context.fillStyle = "#d61ebe";
    context.lineWidth = 3 * pixel;
    for (const { outline } of chosen) { trace(context, outline); context.stroke(); }
    context.beginPath();
    chosen.forEach(({ x, y }, k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
    for (const { x, y } of chosen) disc(context, x, y, 4 * pixel, "#d61ebe");
  }

  #paintWay(context, pixel, { path, pose, position, lost }) {
    context.globalAlpha = 1;
    context.strokeStyle = "#1f6fd6";
    context.lineWidth = 2 * pixel;
    context.beginPath();
    path.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
    if (path.length) disc(context, ...path.at(-1), 5 * pixel, "#1f6fd6");
    if (position) arrow(context, position, 0.45, 2 * pixel, "#1f6fd6");
    arrow(context, pose, 0.55, 2.5 * pixel, lost ? "#d0342c" : "#e07800");  // Where it believes to be.
  }

  #paintDrag(context, pixel) {
    const drag = this.#drag;
    if (drag?.moved && drag.to) {
      const { at, to, object } = drag;
      if (drag.kind === "go") arrow(context, { x: at.x, y: at.y, heading: Math.atan2(to.y - at.y, to.x - at.x) }, 0.7, 3 * pixel, "#1f6fd6");
      if (drag.kind === "vertex") disc(context, to.x, to.y, 6 * pixel, "#1f6fd6");
      if (drag.kind === "object" && this.#selected.includes(object.id)) {
        trace(context, object.outline.map(([x, y]) => [x + to.x - at.x, y + to.y - at.y]));
        context.strokeStyle = "#d61ebe";
        context.lineWidth = 2 * pixel;
        context.stroke();
      }
    }
    if (!this.#corners.length) return;
    context.beginPath();
    this.#corners.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.strokeStyle = "#1f6fd6";
    context.lineWidth = 2 * pixel;
    context.stroke();
    for (const [x, y] of this.#corners) disc(context, x, y, 5 * pixel, "#1f6fd6");
  }
}

function trace(context, corners) {
  context.beginPath();
  corners.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

function disc(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

function arrow(context, { x, y, heading }, length, width, colour) {
  const tip = [x + length * Math.cos(heading), y + length * Math.sin(heading)];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(...tip);
  for (const side of [2.6, -2.6]) {
    context.moveTo(...tip);
    context.lineTo(tip[0] + 0.3 * length * Math.cos(heading + side), tip[1] + 0.3 * length * Math.sin(heading + side));
  }
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

function tick(context, outline, pixel) {
  const xs = outline.map(([x]) => x), ys = outline.map(([, y]) => y);
  const x = (Math.min(...xs) + Math.max(...xs)) / 2, y = (Math.min(...ys) + Math.max(...ys)) / 2;
  context.beginPath();
  context.moveTo(x - 0.2, y);
  context.lineTo(x - 0.05, y - 0.16);
  context.lineTo(x + 0.24, y + 0.2);
  context.strokeStyle = "#fff";
  context.lineWidth = 4 * pixel;
  context.stroke();
}

function contains(corners, x, y) {
  let inside = false;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    if ((ay > y) !== (by > y) && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
  });
  return inside;
}

const told = ({ object, label, x, y }) => (object === undefined ? `(${x}, ${y})` : `${label} ${object}`);
const radians = (degrees) => (degrees * Math.PI) / 180;
const round = (value) => Math.round(value * 100) / 100;

function make(tag, text = "") { return Object.assign(document.createElement(tag), { textContent: text }); }

function row(parent, name) {
  const element = make("div");
  element.className = name;
  parent.append(element);
  return element;
}

function button(text, act, attributes = {}) {
  const element = make("button", text);
  element.type = "button";
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.addEventListener("click", act);
  return element;
}

function labelled(parent, text, input) {
  const label = make("label", `${text} `);
  label.className = "garden-field";
  input.setAttribute("aria-label", text);
  label.append(input);
  parent.append(label);
  return input;
}

function number(parent, text, step) {
  return labelled(parent, text, Object.assign(document.createElement("input"), { type: "number", step }));
}

function check(parent, text, on) {
  const label = make("label"), input = Object.assign(document.createElement("input"), { type: "checkbox", checked: on });
  label.append(input, text);
  parent.append(label);
  return input;
}

function link(text, address, name) {
  return Object.assign(make("a", text), { href: address, download: name });
}

function fillLabels(root, labels) {
  let list = root.querySelector("datalist");
  if (!list) { list = Object.assign(make("datalist"), { id: "garden-labels" }); root.append(list); }
  list.replaceChildren(...labels.map((label) => new Option(label, label)));
  return list.id;
}

function put(element, text) { if (element.textContent !== text) element.textContent = text; }
