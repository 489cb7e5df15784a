// What the user did to robots and boxes, so that it can be undone, the last first.

import { attempt, notice } from "./notice.js";

const MOST = 100;

export class History extends EventTarget {
  #done = [];              // {text, undo}: a sentence, and a function that takes it back.
  #heirs = new Map();      // Who was removed and came back has another id.

  /** Remember something that was done; `key` joins steps that follow each other into one, such as presses of a key. */
  push(text, undo, key = null) {
    if (key !== null && this.#done.at(-1)?.key === key) return;
    this.#done.push({ text, undo, key });
    this.#done.splice(0, Math.max(0, this.#done.length - MOST));
    this.#changed();
  }

  async undo() {
    const last = this.#done.pop();
    this.#changed();
    if (!last) { notice("There is nothing to undo."); return; }
    if (await attempt(async () => { await last.undo(); return true; })) notice(`Undone: ${last.text}`);
  }

  /** Forget everything: in another map places mean something else. */
  clear() { this.#done = []; this.#changed(); }

  /** Return what is to be undone next; null for nothing. */
  get next() { return this.#done.at(-1)?.text ?? null; }

  inherit(id, heir) { this.#heirs.set(id, heir); }

  /** Return the id that something has now. */
  now(id) {
    let found = id;
    while (this.#heirs.has(found)) found = this.#heirs.get(found);
    return found;
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}
