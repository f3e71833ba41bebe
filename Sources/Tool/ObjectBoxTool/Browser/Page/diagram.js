// The schema as a diagram: a box for each entity, a line for each relation, columns from sources to targets.

import { schema, tableAddress } from "./api.js";
import { h, svg, heading } from "./dom.js";

const width = 230;
const lineHeight = 18;
const gapX = 90;
const gapY = 28;
const maximumLines = 14;
const margin = 20;

function relationsOf(entity) {
  return [
    ...entity.properties.filter((property) => property.target)
      .map((property) => ({ source: entity.name, target: property.target, name: property.name, isToMany: false })),
    ...entity.relations
      .map((relation) => ({ source: entity.name, target: relation.target, name: relation.name, isToMany: true })),
  ];
}

/** At most six columns, by the longest path from an entity without incoming relations; the limit ends cycles. */
function columnsOf(entities, relations) {
  const depth = new Map(entities.map((entity) => [entity.name, 0]));
  for (let round = 1; round < entities.length; round += 1) {
    let isChanged = false;
    for (const { source, target } of relations) {
      if (source === target || !depth.has(target)) continue;
      const wanted = depth.get(source) + 1;
      if (depth.get(target) < wanted && wanted < Math.min(entities.length, 6)) {
        depth.set(target, wanted);
        isChanged = true;
      }
    }
    if (!isChanged) break;
  }
  const columns = [];
  for (const entity of entities) (columns[depth.get(entity.name)] ??= []).push(entity);
  return columns.filter(Boolean);
}

function lines(entity) {
  const rows = entity.properties.map((property) => ({ name: property.name, type: property.type }));
  for (const relation of entity.relations) rows.push({ name: relation.name, type: `to-many ${relation.target}` });
  if (rows.length <= maximumLines) return rows;
  return [...rows.slice(0, maximumLines - 1), { name: `and ${rows.length - maximumLines + 1} more`, type: "" }];
}

const cut = (text, count) => text.length > count ? `${text.slice(0, count - 1)}…` : text;

function place(columns) {
  const boxes = new Map();
  let x = margin;
  for (const column of columns) {
    let y = margin;
    for (const entity of column) {
      const rows = lines(entity);
      const height = (rows.length + 1) * lineHeight + 14;
      boxes.set(entity.name, { entity, rows, x, y, height, incoming: 0 });
      y += height + gapY;
    }
    x += width + gapX;
  }
  return boxes;
}

function box({ entity, rows, x, y, height }) {
  return svg("a", { href: tableAddress(entity.name), "aria-label": `${entity.name}, ${rows.length} properties and relations` },
    svg("rect", { class: "box", x, y, width, height, rx: 6 }),
    svg("rect", { class: "title", x: x + 1, y: y + 1, width: width - 2, height: lineHeight + 4, rx: 5 }),
    svg("text", { class: "name", x: x + 10, y: y + 16 }, cut(entity.name, 28)),
    rows.map((row, index) => [
      svg("text", { x: x + 10, y: y + 16 + (index + 1) * lineHeight + 4 }, cut(row.name, 16)),
      svg("text", { class: "type", x: x + width - 10, y: y + 16 + (index + 1) * lineHeight + 4, "text-anchor": "end" },
        cut(row.type, 15)),
    ]));
}

function path(relation, boxes) {
  const from = boxes.get(relation.source);
  const to = boxes.get(relation.target);
  if (!from || !to) return undefined;
  const index = Math.min(from.rows.findIndex((row) => row.name === relation.name), from.rows.length - 1);
  const line = index < 0 ? from.rows.length - 1 : index;
  const startY = from.y + 12 + (line + 1) * lineHeight + 4;
  // Arrows to the same box end at different heights, as far as its height allows.
  const incoming = to.incoming;
  to.incoming += 1;
  const endY = to.y + 12 + (incoming % Math.floor((to.height - 16) / 12)) * 12;
  const properties = { "marker-end": relation.isToMany ? "url(#many)" : "url(#one)" };
  if (to.x > from.x) {
    const startX = from.x + width;
    const bend = (to.x - startX) / 2;
    return svg("path", { ...properties, d: `M${startX} ${startY} C${startX + bend} ${startY} ${to.x - bend} ${endY} ${to.x - 2} ${endY}` });
  }
  // To the same or an earlier column: around the right side.
  const right = Math.max(from.x, to.x) + width;
  const out = right + 30 + 6 * line % 30;
  return svg("path", { ...properties, d: `M${from.x + width} ${startY} C${out + 10} ${startY} ${out + 10} ${endY} ${to.x + width + 2} ${endY}` });
}

function marker(id, content) {
  return svg("marker", { id, viewBox: "0 0 12 10", refX: 11, refY: 5, markerWidth: 9, markerHeight: 8, orient: "auto" },
    svg("path", { d: content }));
}

export async function diagram() {
  const { entities } = schema();
  const relations = entities.flatMap(relationsOf);
  const boxes = place(columnsOf(entities, relations));
  const all = [...boxes.values()];
  const fullWidth = Math.max(0, ...all.map((box) => box.x + width)) + margin + 40;
  const fullHeight = Math.max(0, ...all.map((box) => box.y + box.height)) + margin;
  const content = h("div", {},
    heading("Schema"),
    h("p", { class: "soft" }, "One arrow head leads to one object, two to many. The same as a list stands below."),
    h("div", { class: "diagram", role: "region", "aria-label": "Diagram of the schema", tabindex: "0" },
      svg("svg", { width: fullWidth, height: fullHeight, role: "group", "aria-label": "Entities and relations" },
        svg("defs", {}, marker("one", "M0 0L11 5L0 10z"), marker("many", "M0 0L6 5L0 10zM5 0L11 5L5 10z")),
        relations.map((relation) => path(relation, boxes)), all.map(box))),
    entities.map(list));
  return { title: "Schema", content };
}

function list(entity) {
  return h("section", {},
    h("h2", {}, entity.name, " ", h("small", { class: "soft" }, entity.identity)),
    h("div", { class: "table", role: "region", "aria-label": `Properties of ${entity.name}`, tabindex: "0" },
      h("table", {},
        h("thead", {}, h("tr", {}, ["Property", "Type", "Remarks", "Identity"]
          .map((title) => h("th", { scope: "col" }, h("span", {}, title))))),
        h("tbody", {},
          entity.properties.map((property) => h("tr", {}, h("th", { scope: "row" }, property.name),
            h("td", {}, property.type), h("td", {}, property.remarks.join(", ")), h("td", { class: "mono" }, property.identity))),
          entity.relations.map((relation) => h("tr", {}, h("th", { scope: "row" }, relation.name),
            h("td", {}, `to-many ${relation.target}`), h("td", {}), h("td", {})))))));
}
