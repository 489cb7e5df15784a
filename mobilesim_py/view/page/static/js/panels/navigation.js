// The panel of navigation: goals given by clicks, what robots on their way are doing, their paths on the map.

const PHASES = { planning: "plans", driving: "drives", waiting: "waits: something is in the way" };
const MARK = 7;            // Half the size of a goal's cross [pixels].
const ARROW = 22;          // Length of the arrow of a goal with a heading [pixels].

export class Panel {
  #robots = new Map();
  #rows = new Map();

  constructor({ root, scene, screen, order }) {
    Object.assign(this, { scene, screen, order });
    const title = make("h2", "Navigation");
    this.hint = make("p");
    this.hint.className = "hint";
    this.send = button("Send…", "Then click the goal on the map, or drag from it for a heading (N)", () => this.#aim());
    this.cancel = button("Cancel", "Give the goal up", () => order("cancel", { robot: scene.selected }));
    const buttons = make("div");
    buttons.className = "actions";
    buttons.append(this.send, this.cancel);
    this.list = make("ul");
    this.list.className = "things";
    root.append(title, this.hint, buttons, this.list);
    screen.painters.add((context, picture) => this.#paint(context, picture));
    screen.send = (x, y) => { if (this.#robot !== null) order("go", { robot: this.#robot, x, y }); };
    screen.addEventListener("pick", () => this.#show());
    for (const what of ["selected", "roster"]) scene.addEventListener(what, () => this.#show());
    addEventListener("keydown", (event) => {
      if (event.key !== "n" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog")) return;
      event.preventDefault();
      this.#aim();
    });
    this.#show();
  }

  take({ robots }) {
    this.#robots = new Map(robots.map((robot) => [robot.id, robot]));
    this.screen.refresh("sensors");
    this.#show();
  }

  get #robot() {
    const id = this.scene.selected ?? (this.scene.robots.size === 1 ? [...this.scene.robots.keys()][0] : null);
    return this.scene.robots.has(id) ? id : null;
  }

  #aim() {
    const robot = this.#robot;
    if (robot === null || this.screen.picker) { this.screen.pick(null); return; }
    this.screen.pick((x, y, heading) => this.order("go", { robot, x, y, ...(heading === null ? {} : { heading }) }));
  }

  #show() {
    const id = this.#robot, name = id === null ? "" : this.scene.robots.get(id).name;
    this.send.disabled = id === null;
    this.send.setAttribute("aria-pressed", String(this.screen.picker !== null));
    this.cancel.disabled = !this.#robots.get(this.scene.selected)?.goal;
    put(this.hint, this.screen.picker ? `Click where ${name} shall go, or drag from there for a heading.`
      : id === null ? "Select a robot, then right-click its goal." : `Right-click where ${name} shall go.`);
    for (const [robot, row] of this.#rows) if (!this.#robots.has(robot)) { row.remove(); this.#rows.delete(robot); }
    for (const robot of this.#robots.values()) {
      let row = this.#rows.get(robot.id);
      if (!row) {
        row = make("li");
        const choose = button("", "", () => this.scene.select(robot.id));
        choose.append(make("span"), make("span"));
        choose.lastChild.className = "about";
        row.append(choose);
        this.#rows.set(robot.id, row);
        this.list.append(row);
      }
      put(row.firstChild.firstChild, robot.name);
      put(row.firstChild.lastChild, words(robot));
      row.firstChild.title = robot.last?.why ?? "";
    }
  }

  #paint(context, { camera, scene, colours }) {
    context.lineJoin = context.lineCap = "round";
    for (const { id, goal, path } of this.#robots.values()) {
      if (!goal) continue;
      const colour = scene.robots.get(id)?.colour ?? colours.goal;
      context.strokeStyle = context.fillStyle = colour;
      context.lineWidth = (id === scene.selected ? 3 : 1.8) / camera.scale;
      if (path.length) {
        context.setLineDash([7 / camera.scale, 5 / camera.scale]);
        context.beginPath();
        path.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
        context.stroke();
        context.setLineDash([]);
      }
      const size = MARK / camera.scale, [x, y] = path.at(-1) ?? [goal.x, goal.y];
      context.beginPath();
      context.arc(x, y, size, 0, 2 * Math.PI);
      context.moveTo(x - size, y);
      context.lineTo(x + size, y);
      context.moveTo(x, y - size);
      context.lineTo(x, y + size);
      if (goal.heading !== null) {
        const long = ARROW / camera.scale;
        context.moveTo(x, y);
        context.lineTo(x + long * Math.cos(goal.heading), y + long * Math.sin(goal.heading));
      }
      context.stroke();
    }
  }
}

function words({ phase, goal, remaining, last }) {
  if (goal) return `${PHASES[phase] ?? phase}${remaining ? `, ${remaining.toFixed(1)} m` : ""}`;
  return last ? last.outcome : "";
}

function make(tag, text = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function button(text, title, act) {
  const element = make("button", text);
  Object.assign(element, { type: "button", title });
  element.addEventListener("click", act);
  return element;
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
