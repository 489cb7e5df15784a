// The map: grid, areas, walls, reflectors and places. Walls are cached as tiles of paths; only visible tiles are drawn.

import { fade, write } from "./labels.js";
import { paintField } from "./paint_field.js";

const TILES = 12;
const LASER_STOPS = 4;

/** Split walls into tiles of Path2D in metres. */
export function tilesOf(walls, bounds) {
  const [minX, minY, maxX, maxY] = bounds;
  const size = Math.max(8, Math.max(maxX - minX, maxY - minY) / TILES);
  const tiles = new Map();
  const { ends, stops, reflectance, count } = walls;
  for (let k = 0; k < count; k++) {
    const x1 = ends[4 * k], y1 = ends[4 * k + 1], x2 = ends[4 * k + 2], y2 = ends[4 * k + 3];
    const kind = reflectance[k] > 1 ? "shiny" : stops[k] & LASER_STOPS ? "walls" : "faint";
    const key = `${Math.floor((x1 + x2) / 2 / size)} ${Math.floor((y1 + y2) / 2 / size)}`;
    let tile = tiles.get(key);
    if (!tile) tiles.set(key, tile = { box: [Infinity, Infinity, -Infinity, -Infinity], walls: null, shiny: null, faint: null, end: null });
    const path = tile[kind] ??= new Path2D();
    // Consecutive segments of an outline continue the path without moveTo, which gives a few long lines.
    if (tile.end !== `${kind} ${x1} ${y1}`) path.moveTo(x1, y1);
    path.lineTo(x2, y2);
    tile.end = `${kind} ${x2} ${y2}`;
    const box = tile.box;
    box[0] = Math.min(box[0], x1, x2); box[1] = Math.min(box[1], y1, y2);
    box[2] = Math.max(box[2], x1, x2); box[3] = Math.max(box[3], y1, y2);
  }
  return [...tiles.values()];
}

/** Draw the map; `margin` is how far the canvas reaches beyond the stage on each side [CSS pixels]. */
export function paintMap(context, camera, ratio, { map, tiles, beds, view, colours, marginX = 0, marginY = 0 }) {
  const width = camera.width + 2 * marginX, height = camera.height + 2 * marginY;
  const [minX, maxY] = camera.toWorld(-marginX, -marginY), [maxX, minY] = camera.toWorld(width - marginX, height - marginY);
  const seen = [minX, minY, maxX, maxY];
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width * ratio, height * ratio);
  if (!map) return;
  camera.apply(context, ratio, marginX, marginY);
  const pixel = 1 / camera.scale;
  if (!map.has_map) paintEdge(context, map.bounds, seen, colours);
  paintField(context, map, beds, seen, pixel, colours);
  if (view.grid) paintGrid(context, seen, camera.scale, colours);
  context.lineJoin = context.lineCap = "round";
  if (view.objects) for (const object of map.objects) if (object.shape === "area") paintArea(context, object, pixel, colours);
  for (const [kind, colour, thick] of [["faint", colours.plain, 1.2], ["walls", colours.ink, 1.6], ["shiny", colours.reflector, 3]]) {
    context.strokeStyle = colour;
    context.lineWidth = thick * pixel;
    for (const tile of tiles) if (tile[kind] && overlap(tile.box, seen)) context.stroke(tile[kind]);
  }
  if (!view.objects) return;
  for (const object of map.objects) if (object.shape === "line") paintLine(context, object, pixel, colours);
  context.setTransform(ratio, 0, 0, ratio, marginX * ratio, marginY * ratio);
  for (const object of map.objects) if (object.shape !== "line") paintPlace(context, camera, object, colours);
}

function paintGrid(context, [minX, minY, maxX, maxY], scale, colours) {
  let step = 1;
  for (const factor of [1, 2, 5, 10, 20, 50, 100, 200]) { step = factor; if (factor * scale >= 22) break; }
  for (const [space, colour] of [[step, colours.gridFine], [step * 10, colours.gridCoarse]]) {
    context.beginPath();
    for (let x = Math.ceil(minX / space) * space; x <= maxX; x += space) { context.moveTo(x, minY); context.lineTo(x, maxY); }
    for (let y = Math.ceil(minY / space) * space; y <= maxY; y += space) { context.moveTo(minX, y); context.lineTo(maxX, y); }
    context.strokeStyle = colour;
    context.lineWidth = 1 / scale;
    context.stroke();
  }
}

/** Grey out everything beyond the edge of the empty world. */
function paintEdge(context, [left, low, right, high], [minX, minY, maxX, maxY], colours) {
  context.fillStyle = colours.gridCoarse;
  context.beginPath();
  context.rect(minX, minY, maxX - minX, maxY - minY);
  context.rect(left, low, right - left, high - low);
  context.fill("evenodd");
}

export function colourOf(object, colours) {
  const kind = object.kind.toLowerCase();
  for (const word of ["forbidden", "goal", "dock", "home", "reflector"]) if (kind.includes(word)) return colours[word];
  const given = /^(?:0x|#)?([0-9a-f]{6})$/i.exec(object.colour);
  return given ? `#${given[1]}` : colours.plain;
}

function paintArea(context, object, pixel, colours) {
  const colour = colourOf(object, colours);
  context.beginPath();
  object.corners.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.globalAlpha = 0.12;
  context.fillStyle = colour;
  context.fill();
  context.globalAlpha = 0.8;
  context.strokeStyle = colour;
  context.lineWidth = 1.2 * pixel;
  context.stroke();
  if (object.kind.toLowerCase().includes("forbidden")) hatch(context, object.corners, pixel);
  context.globalAlpha = 1;
}

function hatch(context, corners, pixel) {
  const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y);
  const left = Math.min(...xs), right = Math.max(...xs), low = Math.min(...ys), high = Math.max(...ys);
  const gap = Math.max(10 * pixel, (right - left + high - low) / 400);
  context.save();
  context.clip();
  context.globalAlpha = 0.35;
  context.lineWidth = pixel;
  context.beginPath();
  for (let x = left - (high - low); x < right; x += gap) { context.moveTo(x, low); context.lineTo(x + high - low, high); }
  context.stroke();
  context.restore();
}

function paintLine(context, object, pixel, colours) {
  const [[x1, y1], [x2, y2]] = object.corners;
  const kind = object.kind.toLowerCase();
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.setLineDash(kind.includes("forbidden") ? [6 * pixel, 5 * pixel] : []);
  context.lineWidth = (kind.endsWith("reflector") ? 3 : 1.5) * pixel;
  context.strokeStyle = colourOf(object, colours);
  context.stroke();
  context.setLineDash([]);
}

/** Return where an object of the map is on the screen; of an area, its middle. */
function middle(camera, object) {
  if (object.shape !== "area") return camera.toScreen(object.pose.x, object.pose.y);
  const n = object.corners.length;
  return camera.toScreen(object.corners.reduce((s, c) => s + c[0], 0) / n, object.corners.reduce((s, c) => s + c[1], 0) / n);
}

function paintPlace(context, camera, object, colours) {
  const colour = colourOf(object, colours), kind = object.kind.toLowerCase(), [x, y] = middle(camera, object);
  if (object.shape === "area" || kind === "label") return;
  if (object.has_heading) {
    context.save();
    context.translate(x, y);
    context.rotate(-object.pose.heading);
    context.beginPath();
    context.moveTo(13, 0); context.lineTo(3, 5); context.lineTo(3, -5);
    context.fillStyle = colour;
    context.fill();
    context.restore();
  }
  const letter = kind.includes("dock") ? "D" : kind.includes("home") ? "H" : "";
  context.beginPath();
  context.arc(x, y, letter ? 7 : 4.5, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
  if (letter) write(context, letter, x, y, colours.paper, null, "center", "bold 10px system-ui, sans-serif");
}

/** Return the labels of a map's objects that can be seen; they fade when it is zoomed out. */
export function mapLabels(map, camera, colours) {
  const alpha = fade(camera.scale, 4, 10), font = "12px system-ui, sans-serif", labels = [];
  if (!map || alpha <= 0) return labels;
  for (const [k, object] of map.objects.entries()) {
    if (!object.name || object.shape === "line") continue;
    const [x, y] = middle(camera, object), kind = object.kind.toLowerCase();
    if (x < -80 || y < -20 || x > camera.width + 80 || y > camera.height + 20) continue;
    const left = object.has_heading && Math.cos(object.pose.heading) > 0.5;
    const beside = [[x + 10, y, "left"], [x - 10, y, "right"]];
    const centred = object.shape === "area" || kind === "label";
    const spots = centred ? [[x, y, "center"], [x, y - 15, "center"], [x, y + 15, "center"]]
      : [...(left ? beside.reverse() : beside), [x, y + 15, "center"], [x, y - 15, "center"]];
    labels.push({ key: `map ${k}`, lines: [{ text: object.name, font, colour: kind === "label" ? colours.label : colourOf(object, colours) }], alpha, spots });
  }
  return labels;
}

export function overlap(a, b) { return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1]; }
