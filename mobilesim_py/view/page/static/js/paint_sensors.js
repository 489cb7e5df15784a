// Trails, laser fields and hits, sonar rays, odometry: the layer below the robots, redrawn for each frame.

export function paintSensors(context, camera, ratio, scene, view, colours) {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, camera.width * ratio, camera.height * ratio);
  camera.apply(context, ratio);
  const pixel = 1 / camera.scale;
  context.lineJoin = "round";
  if (scene.scans && (view.laser || view.points)) paintScans(context, scene, view, colours, pixel, camera.view());
  if (view.trails) paintTrails(context, scene, pixel);
  if (scene.echoes && view.sonar) paintEchoes(context, scene, colours, pixel);
  if (view.odometry) paintAxes(context, scene, colours, pixel);
}

function paintScans(context, scene, view, colours, pixel, seen) {
  const { ids, x, y, first, increment, most, counts, ranges } = scene.scans;
  const dot = 2.4 * pixel, half = dot / 2;
  const hits = new Path2D();
  for (let k = 0, offset = 0; k < ids.length; offset += counts[k++]) {
    if (!scene.robots.has(ids[k]) || x[k] + most[k] < seen[0] || x[k] - most[k] > seen[2] || y[k] + most[k] < seen[1] || y[k] - most[k] > seen[3]) continue;
    const none = 1000 * most[k] - 1;
    context.beginPath();
    context.moveTo(x[k], y[k]);
    for (let i = 0; i < counts[k]; i++) {
      const range = ranges[offset + i], angle = first[k] + i * increment[k];
      const px = x[k] + range * 0.001 * Math.cos(angle), py = y[k] + range * 0.001 * Math.sin(angle);
      context.lineTo(px, py);
      if (view.points && range < none && px > seen[0] && px < seen[2] && py > seen[1] && py < seen[3]) hits.rect(px - half, py - half, dot, dot);
    }
    if (!view.laser) continue;
    context.closePath();
    context.fillStyle = colours.laser;
    context.fill();
    context.strokeStyle = colours.laserEdge;
    context.lineWidth = 0.8 * pixel;
    context.stroke();
  }
  context.fillStyle = colours.point;
  context.fill(hits);
}

function paintTrails(context, scene, pixel) {
  context.lineWidth = 1.6 * pixel;
  context.globalAlpha = 0.7;
  for (const [id, { points }] of scene.trails) {
    if (points.length < 4) continue;
    context.beginPath();
    context.moveTo(points[0], points[1]);
    for (let k = 2; k < points.length; k += 2) context.lineTo(points[k], points[k + 1]);
    context.strokeStyle = scene.robots.get(id)?.colour ?? "#888888";
    context.stroke();
  }
  context.globalAlpha = 1;
}

function paintEchoes(context, scene, colours, pixel) {
  const { ids, counts, ranges } = scene.echoes;
  const frame = scene.sensedFrame;
  context.beginPath();
  for (let k = 0, offset = 0; k < ids.length; offset += counts[k++]) {
    const robot = scene.robots.get(ids[k]), model = robot && scene.models.get(robot.model), b = frame.index.get(ids[k]);
    if (!model || b === undefined) continue;
    const x = frame.pose.x[b], y = frame.pose.y[b], heading = frame.pose.z[b];
    const cos = Math.cos(heading), sin = Math.sin(heading);
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
  }
  context.strokeStyle = colours.sonar;
  context.lineWidth = pixel;
  context.stroke();
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
