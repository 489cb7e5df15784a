// The gripper and the cameras of the selected robot, in its frame.

const FINGER = 0.02;       // Thickness of a paddle [m].
const FARTHEST = 2.0;      // Length of a camera's view [m].
const WIDE = 45, NARROW = 2;  // Its opening without zoom and with all of it [degrees].

export function paintDevices(context, camera, facts, model, colours) {
  const pixel = 1 / camera.scale;
  for (const { camera: view } of facts.aux) if (view?.on) paintView(context, view, colours, pixel);
  if (facts.gripper && model.gripper) paintGripper(context, facts.gripper, model.gripper, colours, pixel);
}

function paintGripper(context, { paddles, lift }, { base, opening, depth }, colours, pixel) {
  const half = 0.5 * paddles * opening;
  context.fillStyle = lift > 0.05 ? colours.select : colours.ink;
  context.fillRect(base, -0.5 * opening - FINGER, FINGER / 2, opening + 2 * FINGER);
  for (const side of [-1, 1]) context.fillRect(base, side * half - (side < 0 ? FINGER : 0), depth, Math.max(FINGER, pixel));
}

function paintView(context, { pan, tilt, zoom, zoom_most }, colours, pixel) {
  const share = zoom_most ? zoom / zoom_most : 0, half = (WIDE + (NARROW - WIDE) * share) * Math.PI / 360;
  // Its pan is clockwise, our angles are not.
  const middle = -pan * Math.PI / 180, reach = FARTHEST * Math.cos(tilt * Math.PI / 180);
  context.beginPath();
  context.moveTo(0, 0);
  context.arc(0, 0, reach, middle - half, middle + half);
  context.closePath();
  context.strokeStyle = colours.select;
  context.lineWidth = pixel;
  context.globalAlpha = 0.6;
  context.stroke();
  context.globalAlpha = 1;
}
