// Returns the visible texts of a page, and the borders of its fields, whose contrast is below WCAG 2.2 AA.
const scope = document.querySelector("dialog[open]") ?? document.body;
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

/** The red, green, blue and opacity of a computed colour, from 0 to 1. */
function parts(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
}
const over = (front, back) => [0, 1, 2].map((index) => front[index] * front[3] + back[index] * (1 - front[3])).concat(1);
function ground(element) {
  if (!element) return parts(getComputedStyle(document.documentElement).colorScheme === "dark" ? "#000" : "#fff");
  const own = parts(getComputedStyle(element).backgroundColor);
  return own[3] === 1 ? own : over(own, ground(element.parentElement));
}
function light(colour) {
  const [red, green, blue] = colour.map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(front, back) {
  const [less, more] = [light(front), light(back)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}
function isVisible(element) {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && getComputedStyle(element).clipPath === "none" && !element.closest(":disabled, .skip, svg");
}
const faults = [];
let count = 0;
function check(element, colour, text, least) {
  const back = ground(element);
  const ratio = contrast(over(parts(colour), back), back);
  count += 1;
  if (ratio < least) faults.push(`${ratio.toFixed(2)} of ${least}: ${element.tagName}.${element.className} ${text.slice(0, 40)}`);
}
const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const text = walker.currentNode.data.trim();
  if (!text || !isVisible(element) || ["SCRIPT", "OPTION", "TEXTAREA"].includes(element.tagName)) continue;
  const style = getComputedStyle(element);
  const points = parseFloat(style.fontSize);
  check(element, style.color, text, points >= 24 || (points >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5);
}
for (const field of scope.querySelectorAll("input:not([type=checkbox]), textarea, select")) {
  if (!isVisible(field)) continue;
  check(field, getComputedStyle(field).color, "value", 4.5);
  if (field.placeholder) check(field, getComputedStyle(field, "::placeholder").color, field.placeholder, 4.5);
  check(field.parentElement, getComputedStyle(field).borderTopColor, "border", 3);
}
return { faults, count };
