// The figures of a sync server, read again every two seconds.

import { get } from "./api.js";
import { h, show, heading, faultBox, number, size } from "./dom.js";
import { figure, table } from "./report.js";

/** The time between two readings, in milliseconds. */
const pause = 2000;
const place = document.getElementById("view");
const fault = document.getElementById("fault");

function tell(state, text) {
  document.getElementById("live").className = `live ${state}`;
  const words = document.getElementById("live-text");
  if (words.textContent !== text) words.textContent = text;
}

function time(seconds) { return new Date(seconds * 1000).toLocaleString(); }

/** A time span in a suitable unit. */
function span(seconds) {
  if (seconds === null) return "no";
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

const decided = (uploads) =>
  `${number.format(uploads.accepted)} / ${number.format(uploads.merged)} / ${number.format(uploads.rejected)}`;

const named = (counts) => Object.entries(counts).map(([name, count]) => [name, number.format(count)]);

function showFigures(report) {
  const { totals } = report;
  // The page keeps its place and its focus.
  const position = document.scrollingElement.scrollTop;
  const focused = document.activeElement?.getAttribute("aria-label");
  show(place,
    heading("Figures", `since ${time(report.since)}`),
    h("ul", { class: "figures" },
      figure("Devices", number.format(report.devices.length)),
      figure("Filling", number.format(report.devices.filter((device) => device.state === "filling").length)),
      figure("Logins", number.format(totals.logins)),
      figure("Accepted / merged / rejected", decided(totals.uploads)),
      figure("Deltas", number.format(totals.deltas)),
      figure("In", size(totals.receivedBytes)), figure("Out", size(totals.sentBytes))),
    h("h2", {}, "Devices"),
    table("Devices", [
      { title: "Device" }, { title: "User" }, { title: "Address" }, { title: "Since" }, { title: "State" },
      { title: "Behind", isNumber: true }, { title: "Accepted / merged / rejected", isNumber: true },
      { title: "In", isNumber: true }, { title: "Out", isNumber: true },
    ], report.devices.map((device) => [
      device.identity, device.user || "none", device.address, time(device.since), device.state, span(device.behind),
      decided(device.uploads), size(device.receivedBytes), size(device.sentBytes),
    ]), "No device is connected now."),
    h("h2", {}, "Rules"),
    table("Rules", [
      { title: "Entity" }, { title: "Users may" }, { title: "Compares" }, { title: "Devices", isNumber: true },
      { title: "Changes of the entity", isNumber: true },
    ], report.rules.map((rule) => [
      rule.entity, rule.access, rule.properties.join(", ") || "nothing", number.format(rule.devices),
      number.format(rule.changes),
    ]), "none"),
    h("h2", {}, "Rejected transactions"),
    table("Rejected transactions", [{ title: "Reason" }, { title: "Transactions", isNumber: true }],
      named(totals.rejections), "None was rejected."),
    h("h2", {}, "Refused connections"),
    table("Refused connections", [{ title: "Reason" }, { title: "Connections", isNumber: true }],
      named(totals.refusals), "None was refused."),
    h("h2", {}, "Last errors"),
    table("Last errors", [{ title: "Time" }, { title: "Error" }],
      report.errors.map((error) => [time(error.time), error.text]), "There were none."));
  document.scrollingElement.scrollTop = position;
  if (focused) place.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

async function read() {
  try {
    showFigures(await get("figures"));
    show(fault);
    tell("on", "Live");
    document.getElementById("main").dataset.ready = "1";
  } catch (error) {
    show(fault, faultBox(error));
    tell("off", "Not connected");
  }
  setTimeout(read, pause);
}

read();
