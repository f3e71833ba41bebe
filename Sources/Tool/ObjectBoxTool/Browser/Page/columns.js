// The columns of a table: chosen and ordered by people, and kept by the browser.

import { schema } from "./api.js";
import { h, show, identifier, announce } from "./dom.js";

/** The columns of an entity. The ID comes first, and is always shown. */
export class Columns {
  constructor(entity) {
    this.entity = entity;
    this.key = `objectbox.columns ${schema().store} ${entity.identity}`;
    const kept = this.read();
    const found = kept.map(({ identity, isShown }) => ({
      index: entity.properties.findIndex((property) => property.identity === identity), isShown: isShown !== false,
    })).filter(({ index }) => index >= 0);
    // New properties of the model follow the kept ones.
    entity.properties.forEach((property, index) => {
      if (!found.some((column) => column.index === index)) found.push({ index, isShown: true });
    });
    const isId = ({ index }) => entity.properties[index].isId;
    this.all = [...found.filter(isId).map(({ index }) => ({ index, isShown: true })),
      ...found.filter((column) => !isId(column))];
  }

  /** The kept columns; none if there are none, or if something else is kept. */
  read() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key));
      if (!Array.isArray(kept)) return [];
      const seen = new Set();
      return kept.filter((column) => {
        if (typeof column?.identity !== "string" || seen.has(column.identity)) return false;
        seen.add(column.identity);
        return true;
      });
    } catch {
      return [];
    }
  }

  write() {
    const kept = this.all.map(({ index, isShown }) =>
      ({ identity: this.entity.properties[index].identity, isShown }));
    try {
      localStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      // Without storage the columns last as long as the page.
    }
  }

  /** The indices of the shown properties, in their order. */
  get shown() { return this.all.filter(({ isShown }) => isShown).map(({ index }) => index); }

  reset() {
    this.all = this.entity.properties.map((_, index) => ({ index, isShown: true }));
    try { localStorage.removeItem(this.key); } catch { /* as in `write` */ }
  }
}

/** Opens the dialog that chooses columns; `changed` is called after each change. */
export function chooseColumns(columns, changed) {
  const title = identifier("title");
  const list = h("ul", { class: "columns" });
  const change = (text) => { columns.write(); changed(); announce(text); };
  const move = (place, step) => {
    const [column] = columns.all.splice(place, 1);
    columns.all.splice(place + step, 0, column);
    fill();
    const row = list.children[place + step];
    const same = row.querySelector(`[data-step="${step}"]`);
    (same.disabled ? row.querySelector("[data-step]:not(:disabled)") : same)?.focus();
    change("moved");
  };
  const fill = () => show(list, columns.all.map((column, place) => {
    const { name, isId } = columns.entity.properties[column.index];
    const step = (step, sign, words) => h("button", {
      type: "button", "data-step": String(step), "aria-label": `Move ${name} ${words}`,
      // The ID stays first.
      disabled: isId || place + step < (columns.entity.properties[columns.all[0].index].isId ? 1 : 0)
        || place + step >= columns.all.length,
      onclick: () => move(place, step),
    }, sign);
    return h("li", {}, h("label", {}, h("input", {
      type: "checkbox", checked: column.isShown, disabled: isId, onchange: (event) => {
        column.isShown = event.target.checked;
        change(column.isShown ? "shown" : "hidden");
      },
    }), " ", name), step(-1, "↑", "up"), step(1, "↓", "down"));
  }));
  fill();
  const close = () => { dialog.close(); dialog.remove(); };
  const reset = () => { columns.reset(); fill(); changed(); announce("all columns are shown"); };
  const dialog = h("dialog", { "aria-labelledby": title },
    h("h2", { id: title }, `Columns of ${columns.entity.name}`), list,
    h("p", { class: "choices" }, h("button", { type: "button", autofocus: true, onclick: close }, "Close"),
      h("button", { type: "button", onclick: reset }, "Reset")));
  dialog.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
  document.body.append(dialog);
  dialog.showModal();
}
