// Figures and short tables, of statistics and of synchronization.

import { h, svg } from "./dom.js";

/** One figure with its title. */
export function figure(title, value) {
  return h("li", {}, h("span", {}, title), h("strong", {}, value));
}

/** A table of rows, whose first cells are their heads; a text if there are none. */
export function table(label, titles, rows, none) {
  if (rows.length === 0) return h("p", { class: "soft" }, none);
  return h("div", { class: "table", role: "region", "aria-label": label, tabindex: "0" }, h("table", {},
    h("thead", {}, h("tr", {}, titles.map(({ title, isNumber }) =>
      h("th", { scope: "col", class: isNumber ? "number" : undefined }, h("span", {}, title))))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, index) =>
      index === 0 ? h("th", { scope: "row" }, cell)
        : h("td", { class: titles[index].isNumber ? "number" : undefined }, cell)))))));
}

/** A bar that shows a part of a whole, from 0 to 1. */
export function share(part) {
  return svg("svg", { class: "share", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { width: 100, height: 10 }), svg("rect", { width: Math.max(part * 100, part > 0 ? 1 : 0), height: 10 }));
}
