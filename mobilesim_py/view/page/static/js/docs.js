// The documentation page of the API, generated from its OpenAPI document.

const list = document.getElementById("routes");
const response = await fetch("/api/openapi.json");
const { info, paths } = await response.json();
document.getElementById("about").textContent = `Version ${info.version}. ${info.description}`;

function add(parent, tag, text, className = "") {
  const child = document.createElement(tag);
  child.textContent = text;
  child.className = className;
  parent.append(child);
  return child;
}

function kind(schema) {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.oneOf) return schema.oneOf.map(kind).join(" | ");
  if (schema.properties) return `{${Object.keys(schema.properties).join(", ")}}`;
  return schema.type;
}

for (const [path, methods] of Object.entries(paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const item = add(list, "article", "");
    const title = add(item, "h2", "");
    add(title, "span", method.toUpperCase(), `method ${method}`);
    add(title, "code", path);
    add(item, "p", operation.summary);
    const rows = (operation.parameters ?? []).map(({ name, in: where, description, schema }) => [name, where, kind(schema), description ?? ""]);
    const body = operation.requestBody?.content ?? {};
    for (const [type, { schema }] of Object.entries(body)) {
      if (!schema.properties) rows.push(["body", type, kind(schema), ""]);
      for (const [name, property] of Object.entries(schema.properties ?? {})) rows.push([name, "body", kind(property), property.description ?? ""]);
    }
    if (!rows.length) continue;
    const table = add(item, "table", "");
    for (const row of rows) {
      const line = add(table, "tr", "");
      row.forEach((text, column) => add(line, column ? "td" : "th", text));
    }
  }
}
