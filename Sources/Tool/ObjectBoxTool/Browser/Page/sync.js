// What waits for the server in a synchronized store, and what the server rejected.

import { get, objectAddress, entityNamed, schema } from "./api.js";
import { h, show, heading, counted, number } from "./dom.js";
import { figure, table } from "./report.js";

/** The entry of the menu, which stores that were never synchronized lack. */
export function showSyncLink() {
  const counts = schema().sync;
  const link = document.getElementById("sync-link");
  link.hidden = !counts;
  if (!counts) return;
  const sum = counts.waiting + counts.rejected;
  show(link, "Sync", sum > 0 && h("span", { class: "count" }, number.format(sum)));
  link.title = `${counts.waiting} waiting, ${counts.rejected} rejected`;
}

function known(name) {
  return schema().entities.some((entity) => entity.name === name) ? entityNamed(name) : undefined;
}

function objectCell(entity, id) {
  // A whole transaction was rejected.
  if (id === "0") return "";
  return known(entity) ? h("a", { href: objectAddress(entity, id) }, id) : id;
}

function writes(label, list, count) {
  return [
    table(label, [{ title: "Write" }, { title: "Entity" }, { title: "ID", isNumber: true }, { title: "Properties" }],
      list.map((write) => [write.kind, write.entity || "unknown here", objectCell(write.entity, write.id), write.properties.join(", ")]),
      "It has no writes."),
    count > list.length && h("p", { class: "soft" }, `${counted(count - list.length, "further write")}; objectbox sync-status tells them`),
  ];
}

function rejected(entry, index) {
  const label = `Rejected transaction ${index + 1}`;
  return h("section", { class: "related" },
    h("h2", {}, label, h("small", {}, entry.isWhole ? " undone as a whole" : " parts had no effect")),
    table(`${label}, reasons`,
      [{ title: "Reason" }, { title: "Entity" }, { title: "ID", isNumber: true }, { title: "Property" }],
      entry.parts.map((part) => [part.message ? `${part.reason}: ${part.message}` : part.reason, part.entity || "unknown here", objectCell(part.entity, part.id), part.property ?? ""]),
      "none"),
    h("details", {}, h("summary", {}, counted(entry.writeCount, "write")), writes(label, entry.writes, entry.writeCount)));
}

export async function sync() {
  const body = h("div", {});
  const load = async () => {
    const status = await get("sync");
    const open = [...body.querySelectorAll("details")].map((element) => element.open);
    show(body,
      h("ul", { class: "figures" },
        figure("Device", status.device), figure("Waiting", number.format(status.waiting)),
        figure("Rejected", number.format(status.rejected)),
        figure("State of a server", status.hasServerState ? "has arrived" : "has not arrived")),
      status.oldest && [
        h("h2", {}, "Oldest waiting transaction"),
        h("p", {}, `Written ${new Date(status.oldest.written).toLocaleString()}`),
        writes("Oldest waiting transaction", status.oldest.writes, status.oldest.writeCount),
      ],
      status.rejections.map(rejected),
      status.rejected > status.rejections.length
        && h("p", { class: "soft" }, `${counted(status.rejected - status.rejections.length, "further rejected transaction")}; objectbox sync-status tells them`));
    body.querySelectorAll("details").forEach((element, index) => { element.open = open[index] ?? false; });
  };
  await load();
  return { title: "Sync", content: h("div", {}, heading("Sync"), body), update: load };
}
