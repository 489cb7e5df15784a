// Robots and boxes, names, the selection and its handle, ghosts at the odometry poses.

import { GHOST, STALLED } from "./frames.js";
import { Labels, fade } from "./labels.js";
import { paintDevices } from "./paint_devices.js";
import { mapLabels } from "./paint_map.js";

const LEAST = 16;          // Robots are drawn at least this long, however far away they are [pixels] ...
const LEAST_OF_MANY = 10;  // ... or this, when there are more of them than `MANY`.
const MANY = 20;
const SMALL = 20;          // Robots smaller than this are drawn without their lasers [pixels].
export const HANDLE = 8;   // Radius of the handle with which the selected one is turned [pixels].
const paths = new WeakMap();
const words = new Labels();

export function paintRobots(context, camera, ratio, scene, view, colours, now, devices) {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, camera.width * ratio, camera.height * ratio);
  context.lineJoin = "round";
  const [minX, minY, maxX, maxY] = camera.view();
  const seen = [];
  for (const robot of scene.robots.values()) {
    const model = scene.models.get(robot.model), pose = scene.pose(robot.id, now);
    if (!model || !pose) continue;
    const grown = growth(scene, robot.id, camera), reach = grown * Math.max(...model.size);
    if (view.ghosts) paintBelief(context, camera, ratio, scene, robot, model);
    if (pose.x + reach < minX || pose.x - reach > maxX || pose.y + reach < minY || pose.y - reach > maxY) continue;
    seen.push({ robot, model, pose, grown, reach });
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (view.labels || view.diagnostics) paintWords(context, camera, scene, seen, view, colours);
  for (const box of scene.boxes.values()) {
    const pose = scene.pose(box.id, now);
    if (pose) paintBox(context, camera, ratio, box, pose, colours);
  }
  for (const one of seen) {
    paintRobot(context, camera, ratio, one, scene.state(one.robot.id), colours);
    if (!devices || one.robot.id !== scene.selected || one.grown > 1) continue;
    inBody(context, camera, ratio, one.pose);
    paintDevices(context, camera, devices, one.model, colours);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintSelection(context, camera, scene, colours, now);
}

/** Return by how much a robot is drawn larger than it is, so that it can be seen from far away. */
export function growth(scene, id, camera) {
  const robot = scene.robots.get(id), size = robot && scene.models.get(robot.model)?.size;
  if (!size) return 1;
  return Math.max(1, (scene.robots.size > MANY ? LEAST_OF_MANY : LEAST) / (Math.max(...size) * camera.scale));
}

/** Write names and diagnostics below the robots, and the map's labels where there is room left. */
function paintWords(context, camera, scene, seen, view, colours) {
  const bodies = seen.map(({ pose, reach }) => {
    const [x, y] = camera.toScreen(pose.x, pose.y), half = 0.4 * reach * camera.scale;
    return [x - half, y - half, x + half, y + half];
  });
  const many = seen.length > MANY;
  const labels = seen.map((one) => nameOf(camera, scene, one, many, view, colours)).filter(({ lines }) => lines.length);
  labels.sort((a, b) => b.must - a.must);
  words.clear(bodies);
  words.draw(context, [...labels, ...(view.labels && view.objects ? mapLabels(scene.map, camera, colours) : [])], colours.rim,
    [camera.width, camera.height]);
}

function nameOf(camera, scene, { robot, pose, reach }, many, view, colours) {
  const [x, y] = camera.toScreen(pose.x, pose.y), off = 0.5 * reach * camera.scale, must = robot.id === scene.selected;
  const lines = [];
  if (view.labels) lines.push({ text: robot.name, font: "600 12px system-ui, sans-serif", colour: colours.label });
  if (view.diagnostics) lines.push(...diagnostics(scene, robot, pose, colours));
  const high = 14 * (lines.length - 1);
  const spots = [[x, y + off + 10, "center"], [x, y - off - 10 - high, "center"], [x + off + 7, y, "left"], [x - off - 7, y, "right"]];
  return { key: robot.id, lines, alpha: must || !many ? 1 : fade(camera.scale, 4, 12), must, spots };
}

function diagnostics(scene, robot, pose, colours) {
  const font = "11px ui-monospace, monospace", colour = colours.label, k = scene.frame?.index.get(robot.id), velocity = scene.frame?.velocity;
  const lines = [{ text: `${Math.round(1000 * pose.x)}, ${Math.round(1000 * pose.y)} mm ${degrees(pose.heading)}°`, font, colour }];
  if (velocity && k !== undefined) {
    lines.push({ text: `${Math.round(1000 * velocity.x[k])} mm/s ${(velocity.z[k] * 180 / Math.PI).toFixed(1)} °/s`, font, colour });
  }
  if (scene.state(robot.id) & STALLED) lines.push({ text: "stalled", font, colour: colours.stall });
  return lines;
}

function inBody(context, camera, ratio, { x, y, heading }) {
  camera.apply(context, ratio);
  context.translate(x, y);
  context.rotate(heading);
}

function bodyPath(polygons, owner) {
  let path = paths.get(owner);
  if (!path) {
    path = new Path2D();
    for (const polygon of polygons) {
      polygon.forEach(([x, y], k) => (k ? path.lineTo(x, y) : path.moveTo(x, y)));
      path.closePath();
    }
    paths.set(owner, path);
  }
  return path;
}

function paintRobot(context, camera, ratio, { robot, model, pose, grown }, state, colours) {
  inBody(context, camera, ratio, pose);
  context.scale(grown, grown);
  const pixel = 1 / (camera.scale * grown), [length, width] = model.size;
  context.globalAlpha = state & GHOST ? 0.35 : 1;
  context.fillStyle = robot.colour;
  const body = bodyPath(model.body, model);
  context.fill(body);
  context.strokeStyle = state & STALLED ? colours.stall : colours.ink;
  context.lineWidth = (state & STALLED ? 3 : 1) * pixel;
  context.stroke(body);
  for (const laser of length < SMALL * pixel ? [] : model.lasers) {
    const [long, wide] = laser.size;
    context.fillStyle = "rgba(20,40,70,0.55)";
    context.fillRect(laser.pose.x - long / 2, laser.pose.y - wide / 2, long, wide);
  }
  context.beginPath();
  context.moveTo(0.40 * length, 0);
  context.lineTo(0.08 * length, 0.26 * width);
  context.lineTo(0.08 * length, -0.26 * width);
  context.fillStyle = "#ffffff";
  context.fill();
  context.globalAlpha = 1;
}

function paintBox(context, camera, ratio, box, pose, colours) {
  inBody(context, camera, ratio, pose);
  const path = bodyPath([box.outline], box);
  context.globalAlpha = [0.25, 0.5, 0.7, 0.9][(box.stops & 1) + ((box.stops >> 1) & 1) + ((box.stops >> 2) & 1)];
  context.fillStyle = box.colour;
  context.fill(path);
  context.globalAlpha = 1;
  context.strokeStyle = box.reflectance > 1 ? colours.reflector : colours.ink;
  context.lineWidth = 1.2 / camera.scale;
  context.stroke(path);
}

function paintBelief(context, camera, ratio, scene, robot, model) {
  const origin = scene.odometryFrames.get(robot.id);
  if (!origin) return;
  const cos = Math.cos(origin.heading), sin = Math.sin(origin.heading), { own } = origin;
  const pose = { x: origin.x + cos * own.x - sin * own.y, y: origin.y + sin * own.x + cos * own.y, heading: origin.heading + own.heading };
  inBody(context, camera, ratio, pose);
  context.strokeStyle = robot.colour;
  context.lineWidth = 1.4 / camera.scale;
  context.setLineDash([4 / camera.scale, 3 / camera.scale]);
  context.stroke(bodyPath(model.body, model));
  context.setLineDash([]);
}

function paintSelection(context, camera, scene, colours, now) {
  const pose = scene.selected === null ? null : scene.pose(scene.selected, now);
  if (!pose) return;
  const [x, y] = camera.toScreen(pose.x, pose.y), radius = ring(scene, camera);
  context.strokeStyle = colours.select;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
  const [hx, hy] = handle(scene, camera, pose);
  context.beginPath();
  context.moveTo(x + radius * Math.cos(pose.heading), y - radius * Math.sin(pose.heading));
  context.lineTo(hx, hy);
  context.stroke();
  context.beginPath();
  context.arc(hx, hy, HANDLE, 0, 2 * Math.PI);
  context.fillStyle = colours.select;
  context.fill();
}

/** Return the radius of the ring around the selected robot or box [pixels]. */
function ring(scene, camera) {
  return Math.max(14, 0.75 * sizeOf(scene, scene.selected) * camera.scale);
}

/** Return the position of the handle on the screen. */
export function handle(scene, camera, pose) {
  const [x, y] = camera.toScreen(pose.x, pose.y), far = ring(scene, camera) + 20;
  return [x + far * Math.cos(pose.heading), y - far * Math.sin(pose.heading)];
}

/** Return the larger extent of a robot or box [m]. */
export function sizeOf(scene, id) {
  const robot = scene.robots.get(id), box = scene.boxes.get(id);
  if (robot) return Math.max(...(scene.models.get(robot.model)?.size ?? [0.5]));
  return box ? 2 * Math.max(...box.outline.map(([x, y]) => Math.hypot(x, y))) : 0.5;
}

export function degrees(angle) { return (Math.atan2(Math.sin(angle), Math.cos(angle)) * 180 / Math.PI).toFixed(1).replace(/^-0\.0$/, "0.0"); }
