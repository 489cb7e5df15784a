// Words on the map that keep out of each other's way: each has a few spots where it may stand, and takes the first free one.

const MOST = 400;          // Labels that are tried at all; nobody reads more.
const GAP = 2;             // Between two labels [pixels].
const LINE = 14;           // Height of a line [pixels].
const widths = new Map();  // Of texts that were measured before; forgotten when there are too many.

export class Labels {
  #taken = [];
  #spots = new Map();      // Where each label stood the last time: it stays there while it can, and does not jump to and fro.

  /** Draw labels, the most important first: {key, lines: [{text, font, colour}], alpha, must, spots: [[x, y, align]]}. */
  draw(context, labels, rim, screen = [Infinity, Infinity]) {
    const before = this.#spots;
    this.#spots = new Map();
    let drawn = 0;
    for (const label of labels) {
      if (label.alpha <= 0.02 || drawn >= MOST) continue;
      const wide = Math.max(...label.lines.map(({ text, font }) => width(context, text, font)));
      const last = before.get(label.key) ?? 0;
      const order = [last, ...label.spots.keys()].filter((n, k) => n < label.spots.length && (k === 0 || n !== last));
      const open = order.filter((n) => this.#isFree(box(label.spots[n], wide, label.lines.length)));
      const free = open.find((n) => isInside(box(label.spots[n], wide, label.lines.length), screen)) ?? open[0];
      if (free === undefined && !label.must) continue;
      const spot = label.spots[free ?? 0];
      this.#spots.set(label.key, free ?? 0);
      this.#taken.push(box(spot, wide, label.lines.length));
      context.globalAlpha = label.alpha;
      label.lines.forEach((line, k) => write(context, line.text, spot[0], spot[1] + LINE * k, line.colour, rim, spot[2], line.font));
      drawn += 1;
    }
    context.globalAlpha = 1;
  }

  /** Begin anew; labels keep clear of what is given here as [left, top, right, bottom] in pixels. */
  clear(taken = []) { this.#taken = taken; }

  #isFree([left, top, right, bottom]) {
    return this.#taken.every((other) => other[0] >= right || other[2] <= left || other[1] >= bottom || other[3] <= top);
  }
}

function isInside([left, top, right, bottom], [width, height]) { return left >= 0 && top >= 0 && right <= width && bottom <= height; }

function box([x, y, align], wide, lines) {
  const left = align === "center" ? x - wide / 2 : align === "right" ? x - wide : x;
  return [left - GAP, y - LINE / 2, left + wide + GAP, y + LINE * (lines - 0.5)];
}

function width(context, text, font) {
  const key = `${font}|${text}`;
  let found = widths.get(key);
  if (found === undefined) {
    if (widths.size > 5000) widths.clear();
    context.font = font;
    widths.set(key, found = context.measureText(text).width);
  }
  return found;
}

/** Return how much of a label is seen at a scale: nothing below `least` pixels per metre, all of it from `full` on. */
export function fade(scale, least, full) { return Math.min(1, Math.max(0, (scale - least) / (full - least))); }

export function write(context, text, x, y, colour, rim, align = "center", font = "12px system-ui, sans-serif") {
  context.font = font;
  context.textAlign = align;
  context.textBaseline = "middle";
  if (rim) { context.lineWidth = 3; context.lineJoin = "round"; context.strokeStyle = rim; context.strokeText(text, x, y); }
  context.fillStyle = colour;
  context.fillText(text, x, y);
}
