// Binary messages of the stream, as mobilesim_py/view/page/frames.py packs them.

export const FRAME = 1, WALLS = 2, PLANTS = 3, FLAT = 4;
export const LASER = 1, SONAR = 2, ODOMETRY = 4, VELOCITY = 8;
export const STALLED = 1, GHOST = 2, HELD = 4, MOTORS = 8;

class Reader {
  constructor(buffer, offset) { this.buffer = buffer; this.offset = offset; }
  take(Type, count) {
    const array = new Type(this.buffer, this.offset, count);
    this.offset += array.byteLength;
    return array;
  }
  triple(count) {
    return { x: this.take(Float32Array, count), y: this.take(Float32Array, count), z: this.take(Float32Array, count) };
  }
}

export function readFrame(buffer) {
  const head = new DataView(buffer);
  const word = (index) => head.getUint32(index, true);
  const layers = word(16), bodies = word(20), lasers = word(24), ranges = word(28), sonars = word(32), echoes = word(36);
  const reader = new Reader(buffer, 40);
  const frame = { number: word(4), time: head.getFloat64(8, true), layers, count: bodies, bytes: buffer.byteLength };
  frame.ids = reader.take(Uint32Array, bodies);
  frame.pose = reader.triple(bodies);
  frame.state = reader.take(Uint32Array, bodies);
  frame.odometry = layers & ODOMETRY ? reader.triple(bodies) : null;
  frame.velocity = layers & VELOCITY ? reader.triple(bodies) : null;
  if (layers & LASER) {
    frame.scans = {
      ids: reader.take(Uint32Array, lasers), x: reader.take(Float32Array, lasers), y: reader.take(Float32Array, lasers),
      first: reader.take(Float32Array, lasers), increment: reader.take(Float32Array, lasers),
      most: reader.take(Float32Array, lasers), counts: reader.take(Uint32Array, lasers), ranges: null,
    };
  }
  if (layers & SONAR) {
    frame.echoes = { ids: reader.take(Uint32Array, sonars), counts: reader.take(Uint32Array, sonars), ranges: null };
  }
  if (layers & LASER) frame.scans.ranges = reader.take(Uint16Array, ranges);
  if (layers & SONAR) frame.echoes.ranges = reader.take(Uint16Array, echoes);
  frame.index = new Map();
  for (let k = 0; k < bodies; k++) frame.index.set(frame.ids[k], k);
  return frame;
}

export function readPlants(buffer) {
  const head = new DataView(buffer), count = head.getUint32(8, true), column = (k) => new Float32Array(buffer, 12 + 4 * k * count, count);
  const kind = new Uint8Array(buffer, 12 + 12 * count, count), flat = new Uint8Array(buffer, 12 + 13 * count, count);
  return { number: head.getUint32(4, true), count, x: column(0), y: column(1), radius: column(2), kind, flat };
}

export function readFlat(buffer) {
  const head = new DataView(buffer);
  return { number: head.getUint32(4, true), flat: new Uint8Array(buffer, 12, head.getUint32(8, true)) };
}

export function readWalls(buffer) {
  const head = new DataView(buffer);
  const count = head.getUint32(8, true);
  const ends = new Float32Array(buffer, 12, 4 * count);
  const stops = new Uint8Array(buffer, 12 + 16 * count, count);
  const reflectance = new Uint8Array(buffer, 12 + 17 * count, count);
  return { number: head.getUint32(4, true), count, ends, stops, reflectance };
}
