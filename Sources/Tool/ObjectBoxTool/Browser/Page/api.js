// Requests to the program. Addresses are relative, since the page's path contains the token.

/** A fault reported by the program, with its place in a condition or its property. */
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

/** Asks for data; undefined and empty parameters are omitted. */
export function get(name, parameters = {}, signal) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given).toString();
  return request(query ? `${name}?${query}` : name, { signal });
}

/** Requests a change. */
export function post(name, content) {
  return request(name, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
  });
}

let known;
/** The schema with the counts, as last read. */
export function schema() { return known; }

/** Reads the schema with the counts. */
export async function readSchema() {
  known = await get("schema");
  known.byName = new Map(known.entities.map((entity) => [entity.name, entity]));
  return known;
}

/** Returns an entity; throws for a name that does not exist, such as from another page's address. */
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

export function groupsAddress(entity, state = {}) {
  return tableAddress(entity, state).replace("#/table/", "#/groups/");
}

export function objectAddress(entity, id) {
  return `#/object/${encodeURIComponent(entity)}/${id}`;
}

export function newAddress(entity) { return `#/new/${encodeURIComponent(entity)}`; }
