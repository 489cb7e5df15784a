// A field: its soil, mounds, and what stands in it. Plants are cached as tiles of paths; only visible tiles are drawn.

import { overlap } from "./paint_map.js";

const TILES = 12;
const ROCK = 3, STAKE = 4;
const FLAT = 5;            // Drawn behind the kinds of plants.
// By kind: how wide it is drawn for its radius, and its colours on paper and in the dark.
const LOOKS = [
  { name: "leek", spread: 2.2, colour: "#3d8c4a" }, { name: "cabbage", spread: 1, colour: "#7fb069" },
  { name: "grass", spread: 1, colour: "#b4c23c" }, { name: "rock", spread: 1, colour: "#8d8f94" },
  { name: "stake", spread: 2.4, colour: "#d8322a" }, { name: "flat", spread: 2, colour: "#a08a5c" },
];
const SOILS = { sand: "rgba(214,186,120,.28)", dirt: "rgba(140,98,60,.20)", grass: "rgba(110,160,70,.20)", heightmap: "rgba(150,120,80,.22)" };

/** Split plants into tiles of Path2D in metres, a path for each kind. */
export function bedsOf({ x, y, radius, kind, flat, count }, [minX, minY, maxX, maxY]) {
  const size = Math.max(4, Math.max(maxX - minX, maxY - minY) / TILES);
  const beds = new Map();
  for (let k = 0; k < count; k++) {
    const key = `${Math.floor(x[k] / size)} ${Math.floor(y[k] / size)}`;
    let bed = beds.get(key);
    if (!bed) beds.set(key, bed = { box: [Infinity, Infinity, -Infinity, -Infinity], paths: [] });
    const look = flat[k] && kind[k] < ROCK ? FLAT : kind[k];
    const path = bed.paths[look] ??= new Path2D(), r = radius[k] * LOOKS[look].spread, box = bed.box;
    path.moveTo(x[k] + r, y[k]);
    path.arc(x[k], y[k], r, 0, 2 * Math.PI);
    box[0] = Math.min(box[0], x[k] - r); box[1] = Math.min(box[1], y[k] - r);
    box[2] = Math.max(box[2], x[k] + r); box[3] = Math.max(box[3], y[k] + r);
  }
  return [...beds.values()];
}

/** Draw soil, mounds and plants; `pixel` is the size of a pixel in metres. */
export function paintField(context, map, beds, seen, pixel, colours) {
  if (map.soil in SOILS) {
    const [left, low, right, high] = map.bounds;
    context.fillStyle = SOILS[map.soil];
    context.fillRect(left, low, right - left, high - low);
  }
  const { crests, half_width: half } = map.mounds;
  if (crests.length) {
    context.lineCap = "round";
    for (const [share, opacity] of [[2, 0.10], [1.2, 0.10], [0.5, 0.12]]) {
      context.beginPath();
      for (const [x1, y1, x2, y2] of crests) { context.moveTo(x1, y1); context.lineTo(x2, y2); }
      context.globalAlpha = opacity;
      context.lineWidth = share * half;
      context.strokeStyle = "#7a4c22";
      context.stroke();
    }
    context.globalAlpha = 1;
  }
  for (const look of [FLAT, 2, 1, 0, ROCK, STAKE]) {
    context.fillStyle = context.strokeStyle = LOOKS[look].colour;
    context.lineWidth = (look === STAKE ? 2.5 : 1) * pixel;  // However far away, they stay to be seen.
    for (const { box, paths } of beds) {
      if (!paths[look] || !overlap(box, seen)) continue;
      context.fill(paths[look]);
      context.stroke(paths[look]);
    }
  }
}
