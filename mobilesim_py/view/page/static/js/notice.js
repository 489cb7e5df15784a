// A short message at the bottom, read out by screen readers.

const place = document.getElementById("notice");
let timer = 0;

export function notice(text, seconds = 4) {
  place.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => { place.textContent = ""; }, 1000 * seconds);
}

/** Run something that may fail, and show the error if it does. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    notice(error.message, 7);
    return undefined;
  }
}
