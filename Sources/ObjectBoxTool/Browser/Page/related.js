// Objects that belong to another one: by relations in both directions, and by the distance of vectors.

import { get, entityNamed, objectAddress, tableAddress } from "./api.js";
import { h, show, faultBox } from "./dom.js";
import { cell, labelIndex } from "./values.js";

const shownCount = 8;
const columnCount = 5;

/** The columns that a short table has: the ID, the label, and the next ones that are brief. */
function columns(entity) {
  const label = labelIndex(entity);
  const brief = entity.properties.map((property, index) => ({ property, index }))
    .filter(({ property, index }) => property.isId || index === label
      || !["vector", "bytes", "list"].includes(property.kind));
  brief.sort((a, b) => rank(a) - rank(b) || a.index - b.index);
  function rank({ property, index }) { return property.isId ? 0 : index === label ? 1 : 2; }
  return brief.slice(0, columnCount);
}

/** A short table of objects. */
function shortTable(entity, rows, caption, score) {
  const shown = columns(entity);
  return h("div", { class: "table short", role: "region", "aria-label": caption, tabindex: "0" }, h("table", {},
    h("thead", {}, h("tr", {},
      shown.map(({ property }) => h("th", { scope: "col", class: property.isNumber ? "number" : undefined },
        h("span", {}, property.name))),
      score && h("th", { scope: "col", class: "number" }, h("span", {}, score)))),
    h("tbody", {}, rows.map((row) => h("tr", {},
      shown.map(({ property, index }) => property.isId
        ? h("th", { scope: "row", class: "number" }, h("a", { href: objectAddress(entity.name, row.id) }, row.id))
        : h("td", { class: property.isNumber ? "number" : undefined }, cell(property, row.cells[index]))),
      score && h("td", { class: "number" }, Number(row.score).toPrecision(5)))))));
}

/** The tables of the relations of an object. */
export class RelatedTables {
  constructor(entity, id) {
    this.entity = entity;
    this.id = id;
    this.content = h("div", {});
    this.parts = new Map();
  }

  hide() { show(this.content); this.parts.clear(); }

  async load(object, isUpdate) {
    await Promise.all(object.relations.map((relation) => this.loadOne(relation, isUpdate)));
  }

  async loadOne(relation, isUpdate) {
    const key = `${relation.isBacklink} ${relation.entity} ${relation.name}`;
    if (!this.parts.has(key)) {
      const element = h("section", { class: "related" });
      this.parts.set(key, { element, text: "" });
      this.content.append(element);
    }
    const part = this.parts.get(key);
    const entity = entityNamed(relation.entity);
    let page;
    try {
      page = await get("objects", { entity: relation.entity, filter: relation.filter, limit: shownCount });
    } catch (error) {
      show(part.element, h("h2", {}, relation.name), faultBox(error));
      return;
    }
    const text = JSON.stringify([page.rows, page.hasMore]);
    if (isUpdate && text === part.text) return;
    part.text = text;
    const title = relation.isBacklink ? `${relation.entity}.${relation.name}` : relation.name;
    const words = relation.isBacklink
      ? `${relation.entity} objects that lead here` : `leads to ${relation.entity}`;
    show(part.element,
      h("h2", {}, title, " ", h("small", {}, words)),
      page.rows.length === 0 ? h("p", { class: "soft" }, "none")
        : shortTable(entity, page.rows, `${title}: ${words}`),
      page.hasMore && h("p", {}, h("a", { href: tableAddress(relation.entity, { filter: relation.filter }) },
        `All ${relation.entity} objects of ${title}`)));
  }
}

/** The nearest neighbours of an object by one property. */
export function neighbours(entity, id, property) {
  const content = h("section", { class: "related" });
  return {
    content,
    async load(object) {
      const index = entity.properties.indexOf(property);
      if (object.properties[index].text === null) return show(content);
      try {
        const found = await get("neighbours", { entity: entity.name, id, property: property.name });
        const title = `Nearest by ${property.name}`;
        return show(content, h("h2", {}, title, " ", h("small", {}, `distance ${found.distance}`)),
          found.rows.length === 0 ? h("p", { class: "soft" }, "none")
            : shortTable(entity, found.rows, title, "score"));
      } catch (error) {
        return show(content, h("h2", {}, `Nearest by ${property.name}`), faultBox(error));
      }
    },
  };
}
