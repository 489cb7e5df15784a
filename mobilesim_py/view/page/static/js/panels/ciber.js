// The panel of a CiberRato game or log: the referee's buttons, time, score board, leds; sensor cones on the map.

const HALF_CONE = Math.PI / 6;
const RADIUS = 0.5;
const FARTHEST = 3;            // Cones of sensors that see nothing are drawn this long [m].
const LEDS = [["visiting", "V", "#e0a000"], ["returning", "R", "#1f6fd6"], ["end", "E", "#d0342c"]];

export class Panel {
  #facts = null;
  #rows = new Map();

  constructor({ root, scene, screen, order }) {
    this.scene = scene;
    this.order = order;
    const title = make("h2", "CiberRato");
    this.time = make("p");
    this.time.className = "hint";
    this.progress = document.createElement("progress");
    const buttons = make("div");
    buttons.className = "actions";
    this.buttons = Object.fromEntries([["start", "Start"], ["stop", "Stop"], ["reset", "Reset"]].map(([name, text]) => {
      const button = make("button", text);
      button.type = "button";
      button.addEventListener("click", () => order(name));
      buttons.append(button);
      return [name, button];
    }));
    this.slider = Object.assign(document.createElement("input"), { type: "range", min: 0, step: 1, hidden: true });
    this.slider.setAttribute("aria-label", "Step of the log");
    this.slider.style.width = "100%";
    this.slider.addEventListener("input", () => order("go", { step: this.slider.valueAsNumber }));
    this.table = document.createElement("table");
    this.table.className = "board";
    const head = this.table.createTHead().insertRow();
    for (const text of ["", "Robot", "Score", "Time", "Hits", "Leds", ""]) head.append(make("th", text));
    this.body = this.table.createTBody();
    root.append(title, this.time, this.progress, buttons, this.slider, this.table);
    screen.painters.add((context, picture) => this.#paint(context, picture));
  }

  take(facts) {
    this.#facts = facts;
    const rules = facts.rules ? `, rules ${facts.rules}` : "";
    this.time.textContent = `${facts.lab}${rules}: ${facts.state.toLowerCase()}, time ${facts.time} of ${facts.sim_time} (key time ${facts.key_time})`;
    Object.assign(this.progress, { max: Math.max(1, facts.sim_time), value: facts.time });
    this.buttons.start.setAttribute("aria-pressed", String(facts.start_button));
    this.buttons.stop.setAttribute("aria-pressed", String(facts.stop_button));
    this.slider.hidden = facts.kind !== "log";
    if (facts.kind === "log") {
      this.slider.max = facts.steps - 1;
      if (document.activeElement !== this.slider || facts.state === "Running") this.slider.value = facts.step;
    }
    this.#board(facts);
  }

  // Rows are kept while their robots are there, so that buttons can be clicked while scores change.
  #board({ robots, kind }) {
    const there = new Set(robots.map(({ id }) => id));
    for (const [id, row] of this.#rows) if (!there.has(id)) { row.remove(); this.#rows.delete(id); }
    robots.forEach((robot, place) => {
      let row = this.#rows.get(robot.id);
      if (!row) {
        row = this.#row(robot, kind);
        this.#rows.set(robot.id, row);
      }
      if (this.body.rows[place] !== row) this.body.insertBefore(row, this.body.rows[place] ?? null);
      const [number, name, score, time, hits, leds] = row.cells;
      put(number, `${place + 1}`);
      put(name.firstChild, `${robot.id} ${robot.name}`);
      name.firstChild.title = robot.state;
      put(name.lastChild, robot.state);
      put(score, robot.score);
      put(time, robot.tie_time);
      put(hits, robot.collisions);
      hits.classList.toggle("bad", robot.collision);
      LEDS.forEach(([led, , colour], k) => { leds.children[k].style.background = robot.leds[led] ? colour : "transparent"; });
    });
  }

  #row({ id, body }, kind) {
    const row = document.createElement("tr");
    for (let k = 0; k < 7; k++) row.insertCell();
    const name = make("button"), state = make("small");
    name.type = "button";
    name.addEventListener("click", () => this.scene.select(this.#bodyOf(id) ?? body));
    row.cells[1].append(name, state);
    for (const [led, letter] of LEDS) {
      const lamp = make("span", letter);
      lamp.className = "led";
      lamp.title = `${led} led`;
      row.cells[5].append(lamp);
    }
    if (kind === "game") {
      for (const [what, text, title] of [["remove", "−", "Remove"], ["disqualify", "✕", "Disqualify: 250 points"]]) {
        const button = make("button", text);
        Object.assign(button, { type: "button", title });
        button.setAttribute("aria-label", `${title} robot ${id}`);
        button.addEventListener("click", () => this.order(what, { robot: id }));
        row.cells[6].append(button);
      }
    }
    return row;
  }

  #bodyOf(id) { return this.#facts?.robots.find((robot) => robot.id === id)?.body; }

  #paint(context, { camera, scene, view, colours }) {
    if (!this.#facts || !view.sonar) return;
    for (const { body, obstacles } of this.#facts.robots) {
      const pose = body && scene.pose(body, performance.now());
      if (!pose) continue;
      for (const { angle, value } of obstacles) {
        const direction = pose.heading + angle, range = Math.min(FARTHEST, 1 / Math.max(value, 1e-6));
        const x = pose.x + RADIUS * Math.cos(direction), y = pose.y + RADIUS * Math.sin(direction);
        context.beginPath();
        context.moveTo(x, y);
        context.arc(x, y, range, direction - HALF_CONE, direction + HALF_CONE);
        context.closePath();
        context.globalAlpha = range < FARTHEST ? 0.25 : 0.08;
        context.fillStyle = colours.sonar;
        context.fill();
        context.globalAlpha = 1;
        context.lineWidth = 0.8 / camera.scale;
        context.strokeStyle = colours.sonar;
        context.stroke();
      }
    }
  }
}

function make(tag, text = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function put(element, text) {
  if (element.textContent !== String(text)) element.textContent = String(text);
}
