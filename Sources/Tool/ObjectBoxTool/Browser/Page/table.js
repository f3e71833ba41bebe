// A table of an entity's objects, page by page; the next page starts after the last object of this
// page.

import { showLanguage } from "./keyboard.js";
import { get, entityNamed, groupsAddress, objectAddress, newAddress, tableAddress, schema } from "./api.js";
import { h, show, heading, faultBox, identifier, number, counted, objectCount, announce } from "./dom.js";
import { cell, isNumeric } from "./values.js";
import { Columns, chooseColumns } from "./columns.js";
import { Combobox } from "./combobox.js";
import { completions, isClosed } from "./completion.js";

/** Number of objects sent as the place of the next page: if the last one was removed, an earlier one is used. */
const anchors = 5;
/** The places of the previous pages, by the table's address without its place. */
const trails = new Map();

export async function table(name, state) {
  const entity = entityNamed(name);
  const view = new TableView(entity, state);
  await view.load();
  return {
    title: name, entity: name, content: view.content, update: () => view.load(true), end: () => view.end(),
  };
}

class TableView {
  constructor(entity, state) {
    this.entity = entity;
    this.state = state;
    this.key = tableAddress(entity.name, { ...state, after: "" });
    if (!trails.has(this.key) || !state.after) trails.set(this.key, [""]);
    this.chosen = new Columns(entity);
    this.remark = h("span", {});
    this.result = h("div", { class: "result" });
    this.plan = h("pre", {});
    this.estimate = h("p", {});
    this.time = h("p", {});
    this.fault = h("div", { id: identifier("fault") });
    this.heads = h("tr", {});
    this.rows = h("tbody", {});
    this.buildPager();
    this.content = h("div", { class: "fill" },
      heading(entity.name, this.remark,
        h("button", { type: "button", "aria-haspopup": "dialog", "data-key": "columns", onclick: () => this.choose() }, "Columns"),
        h("a", { class: "button", href: groupsAddress(entity.name, { filter: state.filter }) }, "Groups"),
        schema().isWritable && h("a", { class: "button", href: newAddress(entity.name) }, "New object")),
      h("div", { class: "finder" }, this.filterForm(),
        h("section", { class: "plan", "aria-label": "Plan of the query" }, h("h2", {}, "Plan"), this.plan, this.estimate, this.time)),
      this.result);
    show(this.result,
      h("div", { class: "table objects", role: "region", "aria-label": `Objects of ${entity.name}`, tabindex: "0" },
        h("table", {}, h("thead", {}, this.heads), this.rows)),
      this.pager);
  }

  go(changes) {
    location.hash = tableAddress(this.entity.name, { ...this.state, ...changes });
  }

  // Filter

  filterForm() {
    const input = identifier("filter");
    this.input = h("input", {
      id: input, type: "text", value: this.state.filter ?? "", spellcheck: "false", autocapitalize: "off",
      "aria-describedby": this.fault.id, "data-key": "filter",
      placeholder: example(this.entity),
    });
    const box = new Combobox(this.input, (text, caret) => completions(this.entity, text, caret), isClosed);
    return h("form", {
      class: "filter", role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        this.go({ filter: this.input.value.trim(), after: "" });
      },
    },
    h("label", { for: input }, "Filter"),
    h("div", { class: "line" }, this.input, box.list,
      h("button", { type: "button", "aria-haspopup": "dialog", "aria-label": "Language of the filter", onclick: showLanguage }, "?"),
      h("button", { class: "primary" }, "Apply"),
      this.state.filter && h("button", { type: "button", onclick: () => this.go({ filter: "", best: "", after: "" }) }, "Clear")),
    this.bestFirst(), this.fault);
  }

  /** The choice between the order of scores and that of the table, for filters with a search. */
  bestFirst() {
    this.isBest = h("input", {
      type: "checkbox", "data-key": "best", onchange: () => this.go({ best: this.isBest.checked ? "1" : "", after: "" }),
    });
    this.best = h("label", { class: "best", hidden: true }, this.isBest, " Best matches first, with their scores");
    return this.best;
  }

  showFault(error) {
    if (!error) {
      this.input.removeAttribute("aria-invalid");
      show(this.fault);
      return;
    }
    this.input.setAttribute("aria-invalid", "true");
    const filter = this.state.filter ?? "";
    const box = faultBox(error);
    if (error.start !== undefined) {
      const end = Math.max(error.end, error.start + 1);
      box.append(h("pre", {}, filter.slice(0, error.start), h("mark", {}, filter.slice(error.start, end) || " "),
        filter.slice(end), "\n", " ".repeat(error.start), "^", "~".repeat(Math.max(0, error.end - error.start - 1))));
    }
    show(this.fault, box);
  }

  // Columns

  showColumns(page) {
    this.best.hidden = !page.isSearch;
    this.isBest.checked = page.isBestFirst;
    if (page.isBestFirst === this.page?.isBestFirst) return;
    this.showHeads(page);
  }

  showHeads(page) {
    show(this.heads, this.chosen.shown.map((index) => this.column(this.entity.properties[index], page.isBestFirst)),
      page.isBestFirst && h("th", { scope: "col", class: "number" }, h("span", {}, "score")));
  }

  choose() {
    chooseColumns(this.chosen, () => {
      if (!this.page) return;
      this.showHeads(this.page);
      this.showRows(this.page, false);
    });
  }

  column(property, isBestFirst) {
    const order = isBestFirst ? undefined : this.state.order ?? "";
    const isFirst = property.isId;
    const isAscending = order === property.name || (isFirst && order === "");
    const isDescending = order === `-${property.name}`;
    const sorting = isAscending ? "ascending" : isDescending ? "descending" : undefined;
    const properties = {
      scope: "col", class: isNumeric(property) ? "number" : undefined, "aria-sort": sorting,
      title: [property.type, ...property.remarks].join(", "),
    };
    if (!property.isSortable) return h("th", properties, h("span", {}, property.name));
    const arrow = isAscending ? "▲" : isDescending ? "▼" : "";
    return h("th", properties, h("button", {
      type: "button", onclick: () => this.go({ order: isAscending ? `-${property.name}` : property.name, best: "", after: "" }),
    }, property.name, h("span", { class: "arrow", "aria-hidden": "true" }, arrow)));
  }

  // Pages

  buildPager() {
    const button = (title, key, action) => h("button", { type: "button", "data-key": key, onclick: action }, title);
    this.first = button("First", "first", () => this.go({ after: "" }));
    this.previous = button("Previous", "previous", () => this.goBack());
    this.next = button("Next", "next", () => this.goOn());
    this.position = h("p", { role: "status" });
    this.pager = h("nav", { class: "pager", "aria-label": "Pages" }, this.first, this.previous, this.next, this.position);
  }

  get trail() { return trails.get(this.key); }

  goOn() {
    const place = this.page.isBestFirst ? String(Number(this.state.after ?? 0) + this.page.rows.length)
      : this.page.rows.slice(-anchors).map((row) => row.id).reverse().join(",");
    const index = this.trail.indexOf(this.state.after ?? "");
    trails.set(this.key, [...this.trail.slice(0, index + 1), place]);
    this.go({ after: place });
  }

  goBack() {
    const index = this.trail.indexOf(this.state.after ?? "");
    this.go({ after: index > 0 ? this.trail[index - 1] : "" });
  }

  // Content

  async load(isUpdate = false) {
    this.request?.abort();
    this.request = new AbortController();
    try {
      const page = await get("objects",
        { entity: this.entity.name, ...this.state }, this.request.signal);
      this.showColumns(page);
      this.page = page;
      this.showFault();
      this.showRows(page, isUpdate);
      this.showPlan(page);
      this.countMatches(isUpdate);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status !== 422) throw error;
      this.showFault(error);
      show(this.result, h("p", { class: "soft" }, "The filter has a fault."));
      announce(error.message);
    }
  }

  showRows(page, isUpdate) {
    const before = new Map([...this.rows.children].map((row) => [row.dataset.id, row]));
    const shown = page.rows.map((row) => this.row(row, page.labels, isUpdate ? before.get(row.id) : undefined, isUpdate));
    const focused = document.activeElement;
    this.rows.replaceChildren(...shown);
    // A remaining row keeps the focus.
    if (isUpdate && focused?.isConnected && this.rows.contains(focused)) focused.focus({ preventScroll: true });
    if (page.rows.length === 0) {
      this.rows.append(h("tr", {}, h("td", { colspan: this.heads.children.length, class: "soft" },
        this.state.filter ? "No object matches." : "There are no objects.")));
    }
    const index = this.trail.indexOf(this.state.after ?? "");
    this.first.disabled = this.previous.disabled = !this.state.after;
    this.next.disabled = !page.hasMore;
    const range = index < 0 ? "" : `Page ${number.format(index + 1)}, `;
    const restart = page.isRestarted ? " The place of this page is gone; this is the first page." : "";
    const text = `${range}${counted(page.rows.length, "row")}.${restart}`;
    if (this.position.textContent !== text) this.position.textContent = text;
  }

  row(row, labels, old, isUpdate) {
    const score = row.score === undefined ? [] : [Number(row.score).toPrecision(5)];
    const labelOf = (property, text) => property.target && text ? labels[property.target]?.[text] ?? "" : "";
    const shown = this.entity.properties.map((property, index) => [row.cells[index], labelOf(property, row.cells[index])]);
    const texts = JSON.stringify([...shown, ...score]);
    if (old && old.dataset.texts === texts) return old;
    const cells = this.chosen.shown.map((index) => {
      const property = this.entity.properties[index];
      const properties = { class: isNumeric(property) ? "number" : undefined };
      if (property.isId) {
        return h("th", { scope: "row", ...properties }, h("a", { href: objectAddress(this.entity.name, row.id) }, row.id));
      }
      const element = h("td", properties, cell(property, row.cells[index], labels));
      const previous = old && JSON.parse(old.dataset.texts)[index];
      if (isUpdate && (!old || JSON.stringify(previous) !== JSON.stringify(shown[index]))) element.classList.add("changed");
      return element;
    });
    const wasFocused = old?.contains(document.activeElement);
    cells.push(...score.map((text) => h("td", { class: "number" }, text)));
    const element = h("tr", { "data-id": row.id, "data-texts": texts }, cells);
    if (wasFocused) queueMicrotask(() => element.querySelector("th a")?.focus({ preventScroll: true }));
    return element;
  }

  showPlan(page) {
    if (this.plan.textContent !== page.plan) this.plan.textContent = page.plan;
    show(this.estimate, this.resultWords(page));
    this.time.textContent = `This page took ${(page.microseconds / 1000).toFixed(1)} ms.`;
  }

  /** The results that the plan leads to, in words; undefined without a filter. */
  resultWords({ estimate, rows }) {
    if (!estimate) return undefined;
    if (estimate.isExact) return `Results: ${number.format(estimate.count)}.`;
    const entity = entityNamed(this.entity.name);
    const most = entity.isEstimate ? Infinity : entity.count;
    const count = number.format(Math.min(Math.max(estimate.count, rows.length), most));
    return estimate.isBound ? `Results: fewer than about ${count}; a sample of the objects has none.`
      : `Results: about ${count}, by a sample of the objects.`;
  }

  async countMatches(isUpdate) {
    const total = () => {
      const entity = entityNamed(this.entity.name);
      return `${objectCount(entity)} object${entity.count === 1 ? "" : "s"}`;
    };
    if (!this.state.filter) {
      show(this.remark, total());
      return;
    }
    if (!isUpdate) show(this.remark, "counting…");
    // Do not repeat a slow count after each commit.
    if (isUpdate && performance.now() < this.nextCount) return;
    const start = performance.now();
    this.nextCount = Infinity;
    try {
      const { count } = await get("count", { entity: this.entity.name, filter: this.state.filter }, this.request.signal);
      show(this.remark, `${number.format(count)} of ${total()}`);
    } catch (error) {
      if (error.name !== "AbortError") show(this.remark, error.message);
    } finally {
      this.nextCount = performance.now() + 10 * (performance.now() - start);
    }
  }

  end() { this.request?.abort(); }
}

/** An example condition on the first suitable property. */
function example(entity) {
  const [index] = entity.textIndexes;
  if (index) return `${index.name} matches "word"`;
  const text = entity.properties.find((property) => property.kind === "text");
  if (text) return `${text.name} startsWith "A"`;
  const value = entity.properties.find((property) => property.kind === "number" && !property.isId);
  return value ? `${value.name} > 3` : "";
}
