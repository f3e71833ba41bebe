// Elements of the page. Texts become text nodes only, so that nothing of a store is read as HTML.

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

/** Makes an element of HTML; properties that begin with "on" are listeners. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Makes an element of SVG. */
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
/** Returns an identifier that no other element has. */
export function identifier(prefix) {
  lastIdentifier += 1;
  return `${prefix}-${lastIdentifier}`;
}

/** Tells screen readers of a change that is seen elsewhere. */
export function announce(text) {
  document.getElementById("announcement").textContent = text;
}

/** Makes a heading of a page with buttons beside it. */
export function heading(title, remark, ...actions) {
  return h("div", { class: "heading" },
    h("h1", { tabindex: "-1" }, title), remark && h("span", { class: "soft" }, remark),
    actions.length > 0 && h("div", { class: "actions" }, actions));
}

/** A fault as a box. */
export function faultBox(error) {
  return h("div", { class: "fault", role: "alert" }, error.message);
}

export const number = new Intl.NumberFormat();

/** A number with its noun. */
export function counted(count, noun) {
  return `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The number of an entity's objects; those of a large table of a database are not counted. */
export function objectCount(entity) {
  return `${entity.isEstimate ? "about " : ""}${number.format(entity.count)}`;
}

/** A size in bytes with a unit that suits it. */
export function size(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) { bytes /= 1024; unit += 1; }
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}
