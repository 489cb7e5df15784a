// What differs between a desk and a phone: there the panel and the log are closed at first, and the drive pad is on the map.

const element = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 900px)");
const phone = matchMedia("(max-width: 600px)");

export function layOut() {
  if (narrow.matches) element("toggle-panel").click();
  if (phone.matches) element("toggle-log").click();
  const pad = element("pad"), home = element("pad-home");
  const move = () => (phone.matches ? element("stage-pad") : home).append(pad);
  element("stage-pad").addEventListener("pointerdown", (event) => event.stopPropagation());
  phone.addEventListener("change", move);
  move();
  // With the mouse somebody has chosen, and wants the keys back for the robots; with the keyboard they are still choosing.
  let byPointer = false;
  addEventListener("pointerdown", () => { byPointer = true; }, true);
  addEventListener("keydown", () => { byPointer = false; }, true);
  addEventListener("change", ({ target }) => { if (byPointer && target.matches("select")) target.blur(); });
}
