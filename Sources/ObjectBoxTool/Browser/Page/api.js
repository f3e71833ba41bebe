// Requests to the program. Addresses are relative: the path of the page has the token.

/** A fault that the program tells, with its place in a condition or its property. */
export class Fault extends Error {
  constructor(status, content) {
    super(content.fault);
    this.status = status;
    this.start = content.start;
    this.end = content.end;
    this.property = content.property;
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(`api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Fault(0, { fault: "the program does not answer; it may have ended" });
  }
  const text = await response.text();
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    content = { fault: text };
  }
  if (!response.ok) throw new Fault(response.status, content);
  return content;
}

/** Asks for data; parameters that are undefined or empty are left out. */
export function get(name, parameters = {}, signal) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given).toString();
  return request(query ? `${name}?${query}` : name, { signal });
}

/** Asks for a change. */
export function post(name, content) {
  return request(name, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
  });
}

let known;
/** The schema with the counts, as it was last read. */
export function schema() { return known; }

/** Reads the schema with the counts. */
export async function readSchema() {
  known = await get("schema");
  known.byName = new Map(known.entities.map((entity) => [entity.name, entity]));
  return known;
}

/** Returns an entity; a name of another page's address may be of none. */
export function entityNamed(name) {
  const entity = known.byName.get(name);
  if (!entity) throw new Fault(404, { fault: `${known.isDatabase ? "the database" : "the store"} has no entity '${name}'` });
  return entity;
}

// Addresses of the page

export function tableAddress(entity, state = {}) {
  const given = Object.entries(state).filter(([, value]) => value);
  const query = new URLSearchParams(given).toString();
  return `#/table/${encodeURIComponent(entity)}${query ? `?${query}` : ""}`;
}

export function objectAddress(entity, id) {
  return `#/object/${encodeURIComponent(entity)}/${id}`;
}

export function newAddress(entity) { return `#/new/${encodeURIComponent(entity)}`; }
