// Trails, laser fields and hits, sonar rays, odometry: the layer below the robots, redrawn for each frame.

const CROWD = 12;          // With more robots than this, rays are drawn fainter.

export function paintSensors(context, camera, ratio, scene, view, colours) {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, camera.width * ratio, camera.height * ratio);
  camera.apply(context, ratio);
  const pixel = 1 / camera.scale;
  context.lineJoin = "round";
  const shown = (id) => scene.robots.has(id) && (!view.onlySelected || id === scene.selected);
  if (scene.scans && (view.laser || view.points)) paintScans(context, scene, view, shown, pixel, camera.view());
  if (view.trails) paintTrails(context, scene, shown, pixel);
  if (scene.echoes && view.sonar) paintEchoes(context, scene, shown, pixel);
  if (view.odometry) paintAxes(context, scene, colours, pixel);
}

// Each robot's rays and hits have its colour; the more robots, the fainter, so that a crowd stays readable.
function paintScans(context, scene, view, shown, pixel, seen) {
  const { ids, x, y, first, increment, most, counts, ranges } = scene.scans;
  const dot = 2.4 * pixel, half = dot / 2, faint = ids.length > CROWD ? 0.5 : 1;
  context.lineWidth = 0.8 * pixel;
  for (let k = 0, offset = 0; k < ids.length; offset += counts[k++]) {
    if (!shown(ids[k]) || x[k] + most[k] < seen[0] || x[k] - most[k] > seen[2] || y[k] + most[k] < seen[1] || y[k] - most[k] > seen[3]) continue;
    const none = 1000 * most[k] - 1, hits = view.points ? new Path2D() : null;
    context.fillStyle = context.strokeStyle = scene.robots.get(ids[k]).colour;
    context.beginPath();
    context.moveTo(x[k], y[k]);
    for (let i = 0; i < counts[k]; i++) {
      const range = ranges[offset + i], angle = first[k] + i * increment[k];
      const px = x[k] + range * 0.001 * Math.cos(angle), py = y[k] + range * 0.001 * Math.sin(angle);
      context.lineTo(px, py);
      if (hits && range < none && px > seen[0] && px < seen[2] && py > seen[1] && py < seen[3]) hits.rect(px - half, py - half, dot, dot);
    }
    if (view.laser) {
      context.closePath();
      context.globalAlpha = 0.14 * faint;
      context.fill();
      context.globalAlpha = 0.35 * faint;
      context.stroke();
    }
    context.globalAlpha = 0.9;
    if (hits) context.fill(hits);
  }
  context.globalAlpha = 1;
}

function paintTrails(context, scene, shown, pixel) {
  context.lineWidth = 1.6 * pixel;
  context.globalAlpha = 0.7;
  for (const [id, { points }] of scene.trails) {
    if (points.length < 4 || !shown(id)) continue;
    context.beginPath();
    context.moveTo(points[0], points[1]);
    for (let k = 2; k < points.length; k += 2) context.lineTo(points[k], points[k + 1]);
    context.strokeStyle = scene.robots.get(id)?.colour ?? "#888888";
    context.stroke();
  }
  context.globalAlpha = 1;
}

function paintEchoes(context, scene, shown, pixel) {
  const { ids, counts, ranges } = scene.echoes;
  const frame = scene.sensedFrame;
  context.lineWidth = pixel;
  context.globalAlpha = ids.length > CROWD ? 0.4 : 0.7;
  for (let k = 0, offset = 0; k < ids.length; offset += counts[k++]) {
    const robot = scene.robots.get(ids[k]), model = robot && scene.models.get(robot.model), b = frame.index.get(ids[k]);
    if (!model || b === undefined || !shown(ids[k])) continue;
    const x = frame.pose.x[b], y = frame.pose.y[b], heading = frame.pose.z[b];
    const cos = Math.cos(heading), sin = Math.sin(heading);
    context.beginPath();
    for (let i = 0; i < counts[k] && i < model.sonar.length; i++) {
      const [sx, sy, angle] = model.sonar[i];
      const range = ranges[offset + i] * 0.001, wx = x + cos * sx - sin * sy, wy = y + sin * sx + cos * sy;
      const ex = wx + range * Math.cos(heading + angle), ey = wy + range * Math.sin(heading + angle);
      context.moveTo(wx, wy);
      context.lineTo(ex, ey);
      const arc = Math.min(0.13, 0.25 * model.sonar_cone);
      context.moveTo(wx + range * Math.cos(heading + angle - arc), wy + range * Math.sin(heading + angle - arc));
      context.arc(wx, wy, range, heading + angle - arc, heading + angle + arc);
    }
    context.strokeStyle = robot.colour;
    context.stroke();
  }
  context.globalAlpha = 1;
}

function paintAxes(context, scene, colours, pixel) {
  const length = 0.6;
  context.lineWidth = 1.6 * pixel;
  for (const [id, { x, y, heading }] of scene.odometryFrames) {
    if (!scene.robots.has(id)) continue;
    const cos = Math.cos(heading), sin = Math.sin(heading);
    for (const [colour, dx, dy] of [[colours.stall, cos, sin], [colours.goal, -sin, cos]]) {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + length * dx, y + length * dy);
      context.strokeStyle = colour;
      context.stroke();
    }
    context.beginPath();
    context.arc(x, y, 3 * pixel, 0, 2 * Math.PI);
    context.fillStyle = colours.odometry;
    context.fill();
  }
}
