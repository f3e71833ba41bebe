// Shows the view named by the address, and keeps it up to date.

import { get, readSchema, entityNamed, objectAddress, tableAddress, schema } from "./api.js";
import { h, show, heading, faultBox, announce } from "./dom.js";
import { follow } from "./live.js";
import { listen } from "./keyboard.js";
import { overview, showSide } from "./overview.js";
import { table } from "./table.js";
import { groups } from "./groups.js";
import { object } from "./object.js";
import { editor } from "./editor.js";
import { diagram } from "./diagram.js";
import { statistics } from "./statistics.js";
import { sync, showSyncLink } from "./sync.js";

const main = document.getElementById("main");
const place = document.getElementById("view");
/** Says why the view is not up to date. */
const fault = document.getElementById("fault");
let view = { content: h("div", {}), title: "" };
/** The number of the newest navigation; older ones that are still loading are dropped. */
let newest = 0;

async function newObject(name) {
  const entity = entityNamed(name);
  const blank = await get("blank", { entity: name });
  const end = (id) => { location.hash = id ? objectAddress(name, id) : tableAddress(name); };
  return {
    title: `New ${name}`, entity: name,
    content: h("div", {}, heading(`New ${name}`), editor(entity, blank, end)),
  };
}

function viewOf(address) {
  const [path, query = ""] = address.slice(2).split("?");
  const parts = path.split("/").map(decodeURIComponent);
  const state = Object.fromEntries(new URLSearchParams(query));
  switch (parts[0]) {
    case "": return overview();
    case "table": return table(parts[1], state);
    case "groups": return groups(parts[1], state);
    case "object": return object(parts[1], parts[2]);
    case "new": return newObject(parts[1]);
    case "schema": return diagram();
    case "statistics": return statistics();
    case "sync": return sync();
    default: throw new Error("there is no such page");
  }
}

function showCurrent() {
  const address = location.hash || "#/";
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.getAttribute("href") === address) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  showSide(view.entity);
  showSyncLink();
}

async function navigate(isFirst = false, isUpdate = false) {
  const address = location.hash || "#/";
  if (!address.startsWith("#/")) return;
  newest += 1;
  const own = newest;
  view.end?.();
  let next;
  try {
    if (isFirst || !schema()) await readSchema();
    next = await viewOf(address);
  } catch (error) {
    next = {
      title: "Fault", content: h("div", {}, heading("This cannot be shown"), faultBox(error)),
      // Show the view once it is available again.
      update: () => navigate(false, true),
    };
  }
  if (own !== newest) return next.end?.();
  view = next;
  const name = schema()?.name || "ObjectBox";
  document.getElementById("store-name").textContent = name;
  document.title = `${view.title} – ${name}`;
  show(place, view.content);
  show(fault);
  if (schema()) showCurrent();
  if (!isFirst && !isUpdate) {
    scrollTo(0, 0);
    main.querySelector("h1")?.focus({ preventScroll: true });
  }
  main.dataset.ready = String(own);
  return undefined;
}

async function update() {
  try {
    await readSchema();
    const current = view;
    await current.update?.();
    if (current === view) showCurrent();
    main.dataset.version = String(schema().version);
    show(fault);
  } catch (error) {
    show(fault, faultBox(error));
    announce(error.message);
  }
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", () => navigate());
listen();
await navigate(true);
follow(update);
