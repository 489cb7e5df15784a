// The HTTP side of the API; an error response becomes an Error with the server's message.

export async function call(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    const isFile = body instanceof Blob;
    options.headers["Content-Type"] = isFile ? "text/plain" : "application/json";
    options.body = isFile ? body : JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The simulator does not answer.");
  }
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(content.error ?? `${response.status} ${response.statusText}`);
  return content;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
