// A compact chart of one value of the selected robot over the last two minutes of simulated time.

const LONGEST = 120;       // [s]
const VALUES = {
  "Velocity [mm/s]": ({ velocity }) => 1000 * velocity.forward,
  "Rotation [°/s]": ({ velocity }) => velocity.rotation * 180 / Math.PI,
  "Nearest laser range [mm]": ({ readings }) => 1000 * least(readings?.lasers.filter(({ on }) => on).flatMap(({ ranges }) => ranges)),
  "Nearest sonar range [mm]": ({ readings }) => 1000 * least(readings?.sonar.ranges),
  "Battery": ({ battery, charge }) => charge ?? battery ?? NaN,
};

export class Chart {
  #points = [];            // [time, value], oldest first.
  #last = null;

  constructor(scene, theme) {
    this.scene = scene;
    this.theme = theme;
    this.choice = document.getElementById("chart-value");
    this.canvas = document.getElementById("chart");
    this.text = document.getElementById("chart-text");
    this.choice.replaceChildren(...Object.keys(VALUES).map((name) => new Option(name, name)));
    this.choice.addEventListener("change", () => this.#clear());
    scene.addEventListener("selected", () => this.#clear());
    theme.addEventListener("change", () => this.#draw());
  }

  /** Take the state of the selected robot at a time. */
  take(thing, time) {
    if (!thing.velocity || (this.#last !== null && time === this.#last)) return;
    if (this.#last !== null && time < this.#last) this.#clear();
    this.#last = time;
    const value = VALUES[this.choice.value](thing);
    this.#points.push([time, Number.isFinite(value) ? value : null]);
    while (this.#points[0][0] < time - LONGEST) this.#points.shift();
    this.#draw();
  }

  #clear() { this.#points = []; this.#last = null; this.#draw(); }

  #draw() {
    const { canvas } = this, context = canvas.getContext("2d"), { width, height } = canvas;
    const known = this.#points.filter(([, value]) => value !== null), values = known.map(([, value]) => value);
    context.clearRect(0, 0, width, height);
    this.text.textContent = values.length ? "" : "nothing yet";
    if (!values.length) return;
    let low = Math.min(...values), high = Math.max(...values);
    this.text.textContent = `${shown(values.at(-1))} now · ${shown(low)} to ${shown(high)} in ${Math.round(this.#last - known[0][0])} s`;
    if (high - low < 1e-6) { low -= 1; high += 1; }
    const [start] = this.#points[0], span = Math.max(10, this.#last - start);
    const y = (value) => height - 4 - (height - 8) * (value - low) / (high - low);
    if (low < 0 && high > 0) {
      context.fillStyle = this.theme.colours.gridCoarse;
      context.fillRect(0, y(0), width, 1);
    }
    context.beginPath();
    let pen = false;
    for (const [time, value] of this.#points) {
      if (value === null) { pen = false; continue; }
      const x = width * (time - start) / span;
      if (pen) context.lineTo(x, y(value)); else context.moveTo(x, y(value));
      pen = true;
    }
    context.strokeStyle = this.theme.colours.select;
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.stroke();
  }
}

function least(ranges) { return ranges?.length ? Math.min(...ranges) : NaN; }

function shown(value) { return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1); }
