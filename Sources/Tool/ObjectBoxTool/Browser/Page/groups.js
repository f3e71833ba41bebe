// Counts of the filtered objects of an entity by the values of one property.

import { get, entityNamed, groupsAddress, objectAddress, tableAddress } from "./api.js";
import { h, show, heading, faultBox, identifier, number, counted } from "./dom.js";
import { share } from "./report.js";
import { labelled } from "./values.js";

const intervals = ["day", "month", "year", "value"];

export async function groups(name, state) {
  const entity = entityNamed(name);
  const view = new GroupsView(entity, state);
  await view.load();
  return {
    title: `Groups of ${name}`, entity: name, content: view.content, update: () => view.load(),
    end: () => view.request?.abort(),
  };
}

class GroupsView {
  constructor(entity, state) {
    this.entity = entity;
    this.state = state;
    const known = entity.properties.filter((property) => property.isGroupable);
    this.property = known.find((property) => property.name === state.by) ?? usual(known);
    this.remark = h("span", {});
    this.remarks = h("div", {});
    this.result = h("div", {});
    this.content = h("div", {},
      h("p", {}, h("a", { href: tableAddress(entity.name, { filter: state.filter }) },
        state.filter ? `The filtered ${entity.name} objects` : `All of ${entity.name}`)),
      heading(`Groups of ${entity.name}`, this.remark),
      this.property && this.form(known),
      state.filter && h("p", {}, "Filter: ", h("code", {}, state.filter)), this.remarks, this.result);
  }

  form(known) {
    const choice = (label, key, values, chosen) => {
      const select = h("select", {
        id: identifier("choice"), "data-key": key,
        onchange: () => { location.hash = groupsAddress(this.entity.name, { ...this.state, [key]: select.value }); },
      }, values.map((value) => h("option", { value, selected: value === chosen }, value)));
      return [h("label", { for: select.id }, label), select];
    };
    const isDate = this.property.kind === "date";
    return h("p", { class: "choices" },
      choice("Group by", "by", known.map((property) => property.name), this.property.name),
      isDate && choice("Dates by", "interval", intervals, this.state.interval ?? intervals[0]));
  }

  async load() {
    this.request?.abort();
    this.request = new AbortController();
    if (!this.property) {
      show(this.result, h("p", { class: "soft" }, `No property of ${this.entity.name} has short values.`));
      return;
    }
    try {
      this.showGroups(await get("groups", {
        entity: this.entity.name, property: this.property.name, interval: this.state.interval, filter: this.state.filter,
      }, this.request.signal));
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status !== 422) throw error;
      show(this.remark);
      show(this.result, faultBox(error));
    }
  }

  showGroups(answer) {
    show(this.remark, `${counted(answer.objectCount, "object")} in ${counted(answer.groupCount, "group")}`);
    show(this.remarks,
      answer.isCut && h("p", { class: "fault" },
        `Cut: more objects match; the first ${number.format(answer.objectCount)} are counted.`),
      answer.otherCount > 0 && h("p", { class: "fault" },
        `Cut: ${counted(answer.otherCount, "object")} with further values are in none of the groups.`),
      answer.groups.length < answer.groupCount && h("p", {},
        `The ${number.format(answer.groups.length)} most frequent values are shown.`));
    const focused = document.activeElement?.getAttribute("href");
    show(this.result, answer.groups.length === 0 ? h("p", { class: "soft" }, "No object matches.")
      : h("div", { class: "table objects", role: "region", "aria-label": `Groups by ${this.property.name}`, tabindex: "0" },
        h("table", {}, h("thead", {}, h("tr", {}, [this.property.name, "objects", "share"].map((title, index) =>
          h("th", { scope: "col", class: index === 1 ? "number" : undefined }, h("span", {}, title))))),
        h("tbody", {}, answer.groups.map((group) => this.row(group, answer))))));
    // A link that is still there keeps the focus.
    if (focused) this.result.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  row(group, answer) {
    const value = group.text === null ? h("span", { class: "null" }, "null")
      : group.text === "" ? h("span", { class: "null" }, "empty text")
        : labelled(this.property, group.text, answer.labels);
    const isTarget = this.property.target && group.text !== null && group.text !== "0";
    const part = group.count / answer.objectCount;
    return h("tr", {},
      h("th", { scope: "row" },
        group.filter ? h("a", { href: tableAddress(this.entity.name, { filter: group.filter }) }, value) : value,
        isTarget && [" ", h("a", {
          href: objectAddress(this.property.target, group.text), "aria-label": `${this.property.target} ${group.text}`,
        }, "→")]),
      h("td", { class: "number" }, number.format(group.count)),
      h("td", { class: "part" }, share(part), `${(100 * part).toFixed(1)} %`));
  }
}

/** The property to group by if none was chosen: a Boolean or a relation, else the first. */
function usual(known) {
  return known.find((property) => ["boolean", "relation"].includes(property.kind)) ?? known[0];
}
