// Property values for people.

import { h, svg, size, counted } from "./dom.js";
import { objectAddress } from "./api.js";

const longText = 4000;

/**
 * A table cell: its text, which the program has shortened, or a link to a target object. A text in which a search
 * found words is a list of pieces.
 */
export function cell(property, text, labels) {
  if (text === null) return h("span", { class: "null" }, "null");
  if (Array.isArray(text)) return text.map((piece) => piece.isFound ? h("mark", {}, piece.text) : piece.text);
  if (property.target && text !== "0") {
    return h("a", { href: objectAddress(property.target, text) }, labelled(property, text, labels));
  }
  return text;
}

/** A value; the ID of a related object has the object's label beside it. */
export function labelled(property, text, labels) {
  const label = property.target && labels?.[property.target]?.[text];
  return label ? [text, " ", h("span", { class: "label" }, label)] : text;
}

/** Whether the values of a column are aligned as numbers: an ID with a label is not. */
export function isNumeric(property) { return property.isId || (property.isNumber && !property.target); }

/** The complete value of a property on an object's page. */
export function whole(property, value, place, labels) {
  if (value.text === null) return h("span", { class: "null" }, "null");
  switch (property.kind) {
    case "relation":
      return value.text === "0" ? "0"
        : h("a", { href: objectAddress(property.target, value.text) }, `${property.target} `,
          labelled(property, value.text, labels));
    case "vector": return vector(property, value);
    case "bytes": return bytes(value, place);
    case "list": return list(value);
    case "text": return text(value);
    default: return value.text;
  }
}

function text(value) {
  if (value.text === "") return h("span", { class: "null" }, "empty text");
  const cut = value.isCut && h("p", { class: "soft" }, `cut: the text has ${size(value.size)}`);
  const shown = h("pre", { tabindex: value.text.length > 800 ? "0" : undefined }, value.text.slice(0, longText));
  if (value.text.length <= longText) return [shown, cut];
  return [shown, h("details", {},
    h("summary", {}, "the rest"), h("pre", { tabindex: "0" }, value.text.slice(longText))), cut];
}

function parsed(value) {
  try {
    const content = JSON.parse(value.text);
    return Array.isArray(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function list(value) {
  const elements = parsed(value);
  if (!elements) return h("pre", {}, value.text);
  if (elements.length === 0) return h("span", { class: "null" }, "empty list");
  return h("ul", {}, elements.slice(0, 200).map((element) => h("li", {}, String(element))),
    elements.length > 200 && h("li", { class: "soft" }, `and ${elements.length - 200} more`));
}

function vector(property, value) {
  const numbers = parsed(value);
  if (!numbers) return h("pre", {}, value.text);
  // The digits as they came: a number has 53 bits here.
  const digits = numbers.length > 0 ? value.text.slice(1, -1).replaceAll('"', "").split(",") : [];
  const finite = numbers.map(Number).filter(Number.isFinite);
  const length = Math.hypot(...finite.slice(0, 5000));
  return [
    h("p", { class: "soft" }, `${counted(numbers.length, "number")}, length ${length.toPrecision(5)}`),
    numbers.length > 3 && bars(property, finite),
    h("details", { open: numbers.length <= 8 },
      h("summary", {}, "the numbers"), h("pre", { tabindex: "0" }, digits.join(", "))),
  ];
}

/** The numbers of a vector as bars from zero; a long vector shows the greatest number of each group. */
function bars(property, numbers) {
  const width = 192;
  const group = Math.ceil(numbers.length / width);
  const shown = [];
  for (let index = 0; index < numbers.length; index += group) {
    shown.push(numbers.slice(index, index + group).reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a));
  }
  const greatest = Math.max(...shown.map(Math.abs)) || 1;
  const scale = 38 / greatest;
  return svg("svg", {
    class: "bars", viewBox: `0 0 ${shown.length} 80`, preserveAspectRatio: "none", role: "img",
    "aria-label": `${property.name}: from ${Math.min(...numbers)} to ${Math.max(...numbers)}`,
  },
  svg("line", { x1: 0, x2: shown.length, y1: 40, y2: 40, "stroke-width": 0.5 }),
  shown.map((number, index) => {
    const height = Math.abs(number) * scale;
    return svg("rect", { x: index + 0.1, width: 0.8, y: number < 0 ? 40 : 40 - height, height });
  }));
}

function bytes(value, place) {
  const source = `api/bytes?${new URLSearchParams(place)}`;
  let content;
  try {
    content = Uint8Array.from(atob(value.text).slice(0, 512), (character) => character.charCodeAt(0));
  } catch {
    return h("pre", {}, value.text);
  }
  return [
    h("p", { class: "soft" }, size(value.size), value.image && `, ${value.image}`, " · ",
      h("a", { href: source, download: "" }, "save")),
    value.image && h("img", { class: "picture", src: source, alt: `the image in ${place.property}` }),
    content.length > 0 && h("details", { open: content.length <= 64 && !value.image },
      h("summary", {}, "the bytes"), h("pre", { class: "hex", tabindex: "0" }, hex(content)),
      value.size > content.length && h("p", { class: "soft" }, `the first ${content.length} bytes`)),
  ];
}

function hex(content) {
  const lines = [];
  for (let start = 0; start < content.length; start += 16) {
    const row = [...content.slice(start, start + 16)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row.map((byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".").join("");
    lines.push(`${start.toString(16).padStart(4, "0")}  ${digits.padEnd(47)}  ${text}`);
  }
  return lines.join("\n");
}
