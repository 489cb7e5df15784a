// Transformation between metres and pixels. y points up in the world and down on the screen.

const CLOSEST = 2000, FARTHEST = 0.2;   // Pixels per metre.

export class Camera {
  x = 0; y = 0;            // Centre of the view [m].
  scale = 40;              // Pixels per metre.
  width = 1; height = 1;   // Of the stage, in CSS pixels.

  toScreen(x, y) { return [(x - this.x) * this.scale + this.width / 2, (this.y - y) * this.scale + this.height / 2]; }
  toWorld(px, py) { return [(px - this.width / 2) / this.scale + this.x, this.y - (py - this.height / 2) / this.scale]; }

  pan(dx, dy) { this.x -= dx / this.scale; this.y += dy / this.scale; }

  /** Zoom so that what is under the pointer stays there. */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toWorld(px, py);
    this.scale = Math.min(CLOSEST, Math.max(FARTHEST, this.scale * factor));
    const [newX, newY] = this.toWorld(px, py);
    this.x += x - newX;
    this.y += y - newY;
  }

  fit([minX, minY, maxX, maxY], margin = 30) {
    this.x = (minX + maxX) / 2;
    this.y = (minY + maxY) / 2;
    const wide = Math.max(1, this.width - 2 * margin) / Math.max(0.1, maxX - minX);
    const high = Math.max(1, this.height - 2 * margin) / Math.max(0.1, maxY - minY);
    this.scale = Math.min(CLOSEST, Math.max(FARTHEST, Math.min(wide, high)));
  }

  view() {
    const [minX, maxY] = this.toWorld(0, 0), [maxX, minY] = this.toWorld(this.width, this.height);
    return [minX, minY, maxX, maxY];
  }

  copy() { return Object.assign(new Camera(), this); }

  /** Set a context's transformation so that it draws in metres. */
  apply(context, ratio, marginX = 0, marginY = 0) {
    const s = this.scale * ratio;
    context.setTransform(s, 0, 0, -s, (this.width / 2 + marginX) * ratio - this.x * s, (this.height / 2 + marginY) * ratio + this.y * s);
  }
}
