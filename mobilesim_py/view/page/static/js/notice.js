// News in the status bar, and errors that stay until they have been read. Both are read out by screen readers.

const news = document.getElementById("notice");
const errors = document.getElementById("errors");
const MOST = 4;
let timer = 0;

export function notice(text, seconds = 5) {
  news.textContent = news.title = text;
  clearTimeout(timer);
  timer = setTimeout(() => { news.textContent = news.title = ""; }, 1000 * seconds);
}

/** Show an error until somebody closes it; said again, it is only counted. */
export function complain(text) {
  const known = [...errors.children].find((one) => one.dataset.text === text);
  if (known) {
    known.dataset.count = String(Number(known.dataset.count) + 1);
    known.querySelector(".count").textContent = ` (${known.dataset.count} times)`;
    return;
  }
  const line = document.createElement("p"), words = document.createElement("span"), count = document.createElement("span");
  const close = document.createElement("button");
  line.dataset.text = text;
  line.dataset.count = "1";
  words.textContent = text;
  count.className = "count";
  close.type = "button";
  close.textContent = "×";
  close.setAttribute("aria-label", "Close this error");
  close.addEventListener("click", () => line.remove());
  words.append(count);
  line.append(words, close);
  errors.append(line);
  while (errors.children.length > MOST) errors.firstChild.remove();
}

/** Close all errors; return whether there were any. */
export function forgive() {
  const any = errors.children.length > 0;
  errors.replaceChildren();
  return any;
}

/** Run something that may fail, and show the error if it does. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    complain(error.message);
    return undefined;
  }
}
