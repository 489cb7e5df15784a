// The live log, with filters. Lines are inserted as text, never as HTML.

const MOST = 2000;

export class LogPane {
  #lines = [];
  #robots = new Set();

  constructor() {
    this.place = document.getElementById("log-lines");
    this.level = document.getElementById("log-level");
    this.robot = document.getElementById("log-robot");
    this.search = document.getElementById("log-search");
    for (const control of [this.level, this.robot, this.search]) control.addEventListener("input", () => this.#redraw());
    const toggle = document.getElementById("toggle-log");
    toggle.addEventListener("click", () => {
      this.place.hidden = !this.place.hidden;
      toggle.setAttribute("aria-expanded", String(!this.place.hidden));
    });
  }

  /** Clear the log: a new stream sends all lines again. */
  clear() { this.#lines = []; this.place.replaceChildren(); }

  take(lines) {
    const atEnd = this.place.scrollHeight - this.place.scrollTop - this.place.clientHeight < 24;
    for (const line of lines) {
      this.#lines.push(line);
      if (line.robot && !this.#robots.has(line.robot)) {
        this.#robots.add(line.robot);
        this.robot.append(new Option(line.robot, line.robot));
      }
    }
    this.#lines.splice(0, Math.max(0, this.#lines.length - MOST));
    this.place.append(...lines.filter((line) => this.#wanted(line)).map(row));
    while (this.place.children.length > MOST) this.place.firstChild.remove();
    if (atEnd) this.place.scrollTop = this.place.scrollHeight;
  }

  #wanted(line) {
    if (this.level.value === "error" && line.level !== "error") return false;
    if (this.level.value === "warning" && line.level === "info") return false;
    if (this.robot.value && line.robot !== this.robot.value) return false;
    const words = this.search.value.toLowerCase();
    return !words || `${line.robot} ${line.text}`.toLowerCase().includes(words);
  }

  #redraw() {
    this.place.replaceChildren(...this.#lines.filter((line) => this.#wanted(line)).map(row));
    this.place.scrollTop = this.place.scrollHeight;
  }
}

function row(line) {
  const item = document.createElement("div"), time = document.createElement("time"), name = document.createElement("b");
  const date = new Date(1000 * line.time);
  item.className = line.level;
  time.dateTime = date.toISOString();
  time.textContent = date.toLocaleTimeString([], { hour12: false });
  name.textContent = line.robot ? ` ${line.robot}:` : "";
  const tag = line.level === "info" ? "" : ` ${line.level}:`;
  item.append(time, tag, name, ` ${line.text}`);
  return item;
}
