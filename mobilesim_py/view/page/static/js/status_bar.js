// The status bar, and the buttons that show pause and speed.

const element = (id) => document.getElementById(id);

export class StatusBar {
  status = null;

  constructor(screen) {
    setInterval(() => { element("status-fps").textContent = screen.fps; }, 500);
  }

  take(status) {
    this.status = status;
    element("status-time").textContent = clock(status.time);
    element("status-ratio").textContent = status.paused ? "paused" : status.ratio.toFixed(2);
    element("status-robots").textContent = status.robots;
    element("status-clients").textContent = status.clients;
    element("status-viewers").textContent = status.viewers;
    element("status-version").textContent = `MobileSim ${status.version} · ${status.engine} engine`;
    element("map-name").textContent = status.map;
    element("map-progress").hidden = !status.loading_map;
    document.title = `${status.map} – MobileSim`;
    const pause = element("pause");
    pause.setAttribute("aria-pressed", String(status.paused));
    pause.querySelector(".word").textContent = status.paused ? "Go on" : "Pause";
    pause.querySelector(".icon").dataset.icon = status.paused ? "play" : "pause";
    element("step").disabled = !status.paused;
    showSpeed(String(status.speed));
  }
}

function showSpeed(speed) {
  const select = element("speed");
  if (document.activeElement === select || select.value === speed) return;
  if (![...select.options].some((option) => option.value === speed)) select.append(new Option(`${speed}×`, speed));
  select.value = speed;
}

function clock(seconds) {
  const whole = Math.floor(seconds), two = (n) => String(n).padStart(2, "0");
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${Math.floor(10 * (seconds - whole))}`;
}
