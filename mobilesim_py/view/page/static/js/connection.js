// The WebSocket: frames and news in, acknowledgements and requests out; it reconnects automatically.

import { FLAT, FRAME, PLANTS, WALLS, readFlat, readFrame, readPlants, readWalls } from "./frames.js";

const LONGEST_WAIT = 5000;
const SELDOM = {
  [WALLS]: { name: "walls", read: readWalls }, [PLANTS]: { name: "plants", read: readPlants }, [FLAT]: { name: "flat", read: readFlat },
};

export class Connection extends EventTarget {
  #socket = null;
  #wait = 300;
  #show = [];
  #selected = null;

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/stream`);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.#wait = 300;
      this.#send({ show: this.#show, select: this.#selected });
      this.dispatchEvent(new Event("open"));
    });
    socket.addEventListener("message", (event) => this.#receive(event.data));
    socket.addEventListener("close", () => {
      this.dispatchEvent(new Event("closed"));
      setTimeout(() => this.open(), this.#wait);
      this.#wait = Math.min(LONGEST_WAIT, this.#wait * 1.7);
    });
    this.#socket = socket;
  }

  /** Disconnect; the connection is restored automatically. */
  drop() { this.#socket.close(); }

  show(layers) { this.#show = layers; this.#send({ show: layers }); }
  select(id) { this.#selected = id; this.#send({ select: id }); }
  place(id, pose) { this.#send({ place: { id, ...pose } }); }
  drive(id, shares) { this.#send({ drive: { id, ...shares } }); }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #receive(data) {
    if (typeof data === "string") {
      const message = JSON.parse(data);
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
      return;
    }
    const kind = new DataView(data).getUint32(0, true);
    if (kind !== FRAME) {
      const { name, read } = SELDOM[kind];
      this.dispatchEvent(new CustomEvent(name, { detail: read(data) }));
      return;
    }
    const frame = readFrame(data);
    this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
    // Acknowledged when the browser is about to draw it: a page that is slow, or hidden, is sent fewer frames.
    const acknowledge = () => {
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(new Uint32Array([frame.number]));
    };
    if (document.hidden) setTimeout(acknowledge, 250);
    else requestAnimationFrame(acknowledge);
  }
}
