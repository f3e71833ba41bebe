// Related objects: by relations in both directions, and by the distance of vectors.

import { get, post, schema, entityNamed, objectAddress, tableAddress } from "./api.js";
import { h, show, faultBox, identifier, announce } from "./dom.js";
import { cell, isNumeric } from "./values.js";

const shownCount = 8;
const columnCount = 5;

/** The columns of a short table: the ID, the label, and the next columns with brief values. */
function columns(entity) {
  const label = entity.properties.findIndex((property) => property.name === entity.label);
  const brief = entity.properties.map((property, index) => ({ property, index }))
    .filter(({ property, index }) => property.isId || index === label
      || !["vector", "bytes", "list"].includes(property.kind));
  brief.sort((a, b) => rank(a) - rank(b) || a.index - b.index);
  function rank({ property, index }) { return property.isId ? 0 : index === label ? 1 : 2; }
  return brief.slice(0, columnCount);
}

/** A short table of objects; `remove` adds a button to each row, `score` is the title of a last column. */
function shortTable(entity, { rows, labels }, caption, { score, remove } = {}) {
  const shown = columns(entity);
  return h("div", { class: "table objects", role: "region", "aria-label": caption, tabindex: "0" }, h("table", {},
    h("thead", {}, h("tr", {},
      shown.map(({ property }) => h("th", { scope: "col", class: isNumeric(property) ? "number" : undefined },
        h("span", {}, property.name))),
      score && h("th", { scope: "col", class: "number" }, h("span", {}, score)),
      remove && h("th", { scope: "col" }, h("span", {}, "Change")))),
    h("tbody", {}, rows.map((row) => h("tr", {},
      shown.map(({ property, index }) => property.isId
        ? h("th", { scope: "row", class: "number" }, h("a", { href: objectAddress(entity.name, row.id) }, row.id))
        : h("td", { class: isNumeric(property) ? "number" : undefined }, cell(property, row.cells[index], labels))),
      score && h("td", { class: "number" }, Number(row.score).toPrecision(5)),
      remove && h("td", {}, h("button", {
        type: "button", "aria-label": `Take ${entity.name} ${row.id} out`, onclick: () => remove(row.id),
      }, "Take out")))))));
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
    const text = JSON.stringify([page.rows, page.hasMore, page.labels]);
    if (isUpdate && text === part.text) return;
    part.text = text;
    const title = relation.isBacklink ? `${relation.entity}.${relation.name}` : relation.name;
    const words = relation.isBacklink
      ? `${relation.entity} objects that lead here` : `leads to ${relation.entity}`;
    const isOwn = schema().isWritable && relation.isToMany && !relation.isBacklink;
    const fault = h("div", {});
    const change = async (changes) => {
      show(fault);
      try {
        await post("relate", { entity: this.entity.name, id: this.id, relation: relation.name, ...changes });
        announce("stored");
        await this.loadOne(relation);
      } catch (error) {
        show(fault, faultBox(error));
      }
    };
    show(part.element,
      h("h2", {}, title, " ", h("small", {}, words)),
      page.rows.length === 0 ? h("p", { class: "soft" }, "none")
        : shortTable(entity, page, `${title}: ${words}`,
          { remove: isOwn ? (id) => change({ remove: [id] }) : undefined }),
      isOwn && this.addition(relation, change), fault,
      page.hasMore && h("p", {}, h("a", { href: tableAddress(relation.entity, { filter: relation.filter }) },
        `All ${relation.entity} objects of ${title}`)));
  }

  /** A form that adds a target to a relation. */
  addition(relation, change) {
    const input = h("input", { id: identifier("add"), inputmode: "numeric" });
    return h("form", {
      onsubmit: (event) => {
        event.preventDefault();
        change({ add: [input.value.trim()] });
      },
    }, h("label", { for: input.id }, `ID of ${relation.entity}`), input, h("button", {}, "Add"));
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
            : shortTable(entity, found, title, { score: "score" }));
      } catch (error) {
        return show(content, h("h2", {}, `Nearest by ${property.name}`), faultBox(error));
      }
    },
  };
}
