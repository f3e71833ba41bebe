// A store's file: pages by table, free pages, and readers that keep versions; or the use of a
// database.

import { get, schema } from "./api.js";
import { h, show, heading, number, size } from "./dom.js";
import { figure, share, table } from "./report.js";

export async function statistics() {
  const body = h("div", {});
  const load = async () => {
    const report = await get("statistics");
    const position = document.scrollingElement.scrollTop;
    if (schema().isDatabase) showDatabase(body, report);
    else showStore(body, report);
    document.scrollingElement.scrollTop = position;
  };
  await load();
  return {
    title: "Statistics", content: h("div", {}, heading("Statistics"), body), update: load,
  };
}

function showDatabase(body, report) {
  const total = report.tables.reduce((sum, entry) => sum + entry.bytes + entry.indexBytes, 0);
  show(body,
    h("p", {}, h("code", {}, report.store)),
    h("ul", { class: "figures" },
      figure("Server", report.server), figure("Kind", report.isReplica ? "Replica" : "Primary"),
      figure("Database", size(report.databaseBytes)), figure("This schema", size(total)),
      figure("Connections", `${number.format(report.connections)} of ${number.format(report.maximumConnections)}`)),
    h("h2", {}, "Tables"),
    table("Tables", [
      { title: "Content" }, { title: "Rows, about", isNumber: true }, { title: "Size", isNumber: true },
      { title: "Indexes", isNumber: true }, { title: "Share" }, { title: "Table" },
    ], report.tables.map((entry) => [
      entry.content ?? "the library's own", number.format(entry.rows), size(entry.bytes), size(entry.indexBytes),
      share(total > 0 ? (entry.bytes + entry.indexBytes) / total : 0), entry.name,
    ]), "none"),
    h("h2", {}, "Indexes"),
    table("Indexes", [
      { title: "Content" }, { title: "Size", isNumber: true }, { title: "Searches", isNumber: true },
      { title: "Table" }, { title: "Index" },
    ], report.indexes.map((entry) => [
      entry.content ?? "the library's own", size(entry.bytes), number.format(entry.searches), entry.table, entry.name,
    ]), "none"),
    // Missing if the role may not see them.
    report.replicas && [
      h("h2", {}, "Replicas"),
      table("Replicas", [
        { title: "Name" }, { title: "State" }, { title: "Commits wait for it" }, { title: "Behind", isNumber: true },
      ], report.replicas.map((entry) => [
        entry.name, entry.state, entry.isSynchronous ? "yes" : "no", entry.lag === null ? "unknown" : size(entry.lag),
      ]), "The server has no replicas now."),
    ]);
}

function showStore(body, report) {
  const used = report.usedBytes;
  const held = report.readers.filter((reader) => reader.version !== null);
  show(body,
    h("p", {}, h("code", {}, report.store)),
    h("ul", { class: "figures" },
      figure("Version", number.format(report.version)), figure("File", size(report.fileSize)),
      figure("Used", size(used)), figure("Free pages", number.format(report.freePages)),
      figure("Pages", `${number.format(report.pages)} of ${size(report.pageSize)}`),
      figure("Limit", size(report.maximumSize)),
      figure("Versions held", number.format(new Set(held.map((reader) => reader.version)).size))),
    h("h2", {}, "Pages by table"),
    table("Pages by table", [
      { title: "Content" }, { title: "Entries", isNumber: true }, { title: "Depth", isNumber: true },
      { title: "Pages", isNumber: true }, { title: "Size", isNumber: true }, { title: "Share" }, { title: "Table" },
    ], report.tables.map((entry) => [
      entry.content, number.format(entry.entries), entry.depth,
      number.format(entry.branchPages + entry.leafPages + entry.overflowPages), size(entry.bytes),
      share(used > 0 ? entry.bytes / used : 0), entry.name,
    ]), "none"),
    h("h2", {}, "Readers"),
    table("Readers", [
      { title: "Process", isNumber: false }, { title: "Thread" }, { title: "Version", isNumber: true }, { title: "State" },
    ], report.readers.map((reader) => [
      reader.process, reader.thread, reader.version === null ? "none" : number.format(reader.version),
      reader.isStale ? "stale: the process is gone" : reader.version === null ? "idle" : "reads",
    ]), "No other program reads the store now."));
}
