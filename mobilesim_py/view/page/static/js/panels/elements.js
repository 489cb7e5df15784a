// Small builders for panels.

export function make(tag, text = "", properties = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  return Object.assign(element, properties);
}

export function put(element, text) {
  if (element.textContent !== String(text)) element.textContent = String(text);
}

export function button(text, title, act) {
  const element = make("button", text, { type: "button", title });
  if (title) element.setAttribute("aria-label", title);
  if (act) element.addEventListener("click", act);
  return element;
}

/** A button that stays pressed; `changed` is told. */
export function toggle(text, title, changed) {
  const element = button(text, title, () => set(element.getAttribute("aria-pressed") !== "true"));
  const set = (on) => {
    if ((element.getAttribute("aria-pressed") === "true") === on) return;
    element.setAttribute("aria-pressed", String(on));
    changed(on);
  };
  element.setAttribute("aria-pressed", "false");
  return { element, set, get on() { return element.getAttribute("aria-pressed") === "true"; } };
}

export function row(...parts) {
  const element = make("div", "", { className: "actions" });
  element.append(...parts);
  return element;
}
