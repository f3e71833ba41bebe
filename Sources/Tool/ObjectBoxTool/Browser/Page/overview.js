// The entities of the store or database.

import { schema, tableAddress } from "./api.js";
import { h, show, heading, objectCount, counted } from "./dom.js";

/** Fills the list of entities that is beside every page. */
export function showSide(current) {
  show(document.getElementById("entities"), schema().entities.map((entity) =>
    h("li", {}, h("a", {
      href: tableAddress(entity.name), "aria-current": entity.name === current ? "page" : undefined,
    }, h("span", {}, entity.name), h("span", { class: "count" }, objectCount(entity))))));
}

function rows() {
  return schema().entities.map((entity) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: tableAddress(entity.name) }, entity.name)),
    h("td", { class: "number" }, objectCount(entity)),
    h("td", { class: "number" }, entity.properties.length),
    h("td", {}, relations(entity)),
    h("td", {}, indexes(entity))));
}

function relations(entity) {
  const toOne = entity.properties.filter((property) => property.target)
    .map((property) => `${property.name} → ${property.target}`);
  const toMany = entity.relations.map((relation) => `${relation.name} ⇉ ${relation.target}`);
  return [...toOne, ...toMany].join(", ");
}

function indexes(entity) {
  const own = entity.properties.filter((property) => property.hasIndex && !property.target)
    .map((property) => property.isUnique ? `${property.name} (unique)` : property.name);
  const texts = entity.textIndexes.map((index) => `words of ${index.properties.join(", ")}`);
  return [...own, ...entity.indexes.map((index) => `(${index.properties.join(", ")})`), ...texts].join(", ");
}

export async function overview() {
  const body = h("tbody", {}, rows());
  const remark = h("span", {});
  const tell = () => show(remark, counted(
    schema().entities.reduce((sum, entity) => sum + entity.count, 0), "object"),
  ` in ${counted(schema().entities.length, "entity").replace("entitys", "entities")}`);
  tell();
  const content = h("div", {},
    heading("Overview", remark),
    h("p", {}, schema().isDatabase ? "Database " : "File ", h("code", {}, schema().store), schema().isWritable
      ? ". The page can change objects." : ". The page changes nothing; start with ", !schema().isWritable && h("code", {}, "--writable"),
    !schema().isWritable && " to edit."),
    h("div", { class: "table", role: "region", "aria-label": "All entities", tabindex: "0" },
      h("table", {},
        h("thead", {}, h("tr", {}, ["Entity", "Objects", "Properties", "Relations", "Indexes"].map((title, index) =>
          h("th", { scope: "col", class: index === 1 || index === 2 ? "number" : undefined }, h("span", {}, title))))),
        body)));
  return {
    title: "Overview",
    content,
    update() {
      // Update the cells, so that a link keeps the focus.
      const counts = body.querySelectorAll("td:nth-child(2)");
      schema().entities.forEach((entity, index) => {
        const text = objectCount(entity);
        const cell = counts[index];
        if (cell.textContent === text) return;
        cell.textContent = text;
        cell.classList.remove("changed");
        void cell.offsetWidth;
        cell.classList.add("changed");
      });
      tell();
    },
  };
}
