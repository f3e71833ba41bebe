// Elements of the page. Texts only become text nodes, so no content of a store is parsed as HTML.

const svgNamespace = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Makes an HTML element; properties that begin with "on" are listeners. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Makes an SVG element. */
export function svg(tag, properties, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), properties, children);
}

/** Replaces the content of an element. */
export function show(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

let lastIdentifier = 0;
/** Returns a unique element identifier. */
export function identifier(prefix) {
  lastIdentifier += 1;
  return `${prefix}-${lastIdentifier}`;
}

/** Announces a visible change to screen readers. */
export function announce(text) {
  document.getElementById("announcement").textContent = text;
}

/** Makes a page heading with buttons beside it. */
export function heading(title, remark, ...actions) {
  return h("div", { class: "heading" },
    h("h1", { tabindex: "-1" }, title), remark && h("span", { class: "soft" }, remark),
    actions.length > 0 && h("div", { class: "actions" }, actions));
}

/** A box that shows a fault. */
export function faultBox(error) {
  return h("div", { class: "fault", role: "alert" }, error.message);
}

export const number = new Intl.NumberFormat();

/** A number with its noun. */
export function counted(count, noun) {
  return `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The number of an entity's objects; an estimate for a database's large tables. */
export function objectCount(entity) {
  return `${entity.isEstimate ? "about " : ""}${number.format(entity.count)}`;
}

/** A size in bytes with a suitable unit. */
export function size(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) { bytes /= 1024; unit += 1; }
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}
