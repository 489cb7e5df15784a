// Pictures and movies: the current view as PNG or WebM by the browser, the whole world as SVG, GIF or pictures by the server.

import { get, post } from "./api.js";
import { attempt, notice } from "./notice.js";

export class Pictures {
  #recorder = null;
  #ending = null;

  constructor(screen, view) {
    this.screen = screen;
    this.view = view;
    this.button = document.getElementById("record");
    this.format = document.getElementById("movie-format");
    document.getElementById("save-png").addEventListener("click", () => this.#png());
    document.getElementById("save-svg").addEventListener("click", () => this.#svg());
    this.button.addEventListener("click", () => this.#toggle());
    attempt(() => get("/api/movie")).then((state) => {
      if (state?.formats.includes("webm")) this.format.append(new Option("WebM of the world", "webm"));
      if (state?.recording) this.#recording(() => this.#endOnServer());
    });
  }

  #png() {
    const canvas = document.createElement("canvas");
    this.screen.picture(canvas);
    canvas.toBlob((blob) => { save(blob, name("png")); notice("The picture is saved."); }, "image/png");
  }

  async #svg() {
    const show = ["laser", "sonar", "labels"].filter((layer) => this.view[layer]).join(",");
    await attempt(async () => {
      const response = await fetch(`/api/snapshot.svg?show=${show}`);
      if (!response.ok) throw new Error("The simulator could not draw the picture.");
      save(await response.blob(), name("svg"));
      notice("The drawing is saved.");
    });
  }

  async #toggle() {
    if (this.#ending) {
      const end = this.#ending;
      this.#ending = null;
      this.button.setAttribute("aria-pressed", "false");
      this.button.querySelector(".word").textContent = "Record";
      await attempt(end);
    } else if (this.format.value === "webm-page") this.#recordHere();
    else if (await attempt(() => post("/api/movie", { format: this.format.value }))) this.#recording(() => this.#endOnServer());
  }

  #recording(end) {
    this.#ending = end;
    this.button.setAttribute("aria-pressed", "true");
    this.button.querySelector(".word").textContent = "Stop";
    notice("Recording. Press the button again to end.");
  }

  async #endOnServer() {
    const state = await post("/api/movie/stop");
    if (!state.pictures) { notice("Nothing was recorded: the simulation stood still."); return; }
    const link = document.createElement("a");
    link.href = "/api/movie/file";
    link.download = state.file;
    link.click();
    notice(`${state.pictures} pictures were recorded.`);
  }

  #recordHere() {
    if (!window.MediaRecorder) { notice("This browser cannot record; choose GIF."); return; }
    const canvas = document.createElement("canvas"), chunks = [];
    this.screen.picture(canvas);
    const draw = () => this.screen.picture(canvas);
    this.screen.addEventListener("drawn", draw);
    this.#recorder = new MediaRecorder(canvas.captureStream(30));
    this.#recorder.addEventListener("dataavailable", ({ data }) => chunks.push(data));
    this.#recorder.addEventListener("stop", () => {
      this.screen.removeEventListener("drawn", draw);
      save(new Blob(chunks, { type: this.#recorder.mimeType }), name(this.#recorder.mimeType.includes("mp4") ? "mp4" : "webm"));
      notice("The movie is saved.");
    });
    this.#recorder.start(1000);
    this.#recording(async () => this.#recorder.stop());
  }
}

function name(ending) {
  return `mobilesim-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.${ending}`;
}

function save(blob, file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
