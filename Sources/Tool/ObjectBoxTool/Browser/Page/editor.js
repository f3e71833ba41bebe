// The form that edits an object's values. Values are texts, as in CSV; the program checks them.

import { get, post } from "./api.js";
import { h, show, faultBox, identifier } from "./dom.js";

/** Longer values are not in the form, since nobody types them. */
const longest = 20000;

/**
 * Makes a form.
 *
 * A new object has no ID, but first values. `end` gets the ID of the stored object, if one was stored.
 */
export function editor(entity, object, end) {
  const isNew = object.id === undefined;
  const fault = h("div", {});
  const fields = entity.properties
    .map((property, index) => new Field(property, object.properties[index], object.labels))
    .filter((field) => field.isShown);
  const button = h("button", { class: "primary" }, isNew ? "Add" : "Store");
  const form = h("form", { class: "edit", novalidate: true }, fields.map((field) => field.content), fault,
    h("div", { class: "buttons" }, button, h("button", { type: "button", onclick: () => end() }, "Cancel")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fields.forEach((field) => field.showFault());
    show(fault);
    const changed = fields.filter((field) => isNew ? field.text !== null : field.isChanged);
    if (!isNew && changed.length === 0) return end();
    button.disabled = true;
    try {
      const { id } = await post("put", {
        entity: entity.name, id: object.id, digest: object.digest,
        values: Object.fromEntries(changed.map((field) => [field.property.name, field.text])),
      });
      return end(id);
    } catch (error) {
      const field = fields.find((field) => field.property.name === error.property);
      if (field) field.showFault(error);
      else show(fault, faultBox(error));
      return undefined;
    } finally {
      button.disabled = false;
    }
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
  });
  return form;
}

/** The label of an object; undefined without one. A text that is no ID is told when the object is stored. */
async function labelOf(entity, id) {
  if (!/^\d+$/.test(id)) return undefined;
  try {
    return (await get("labels", { entity, ids: id })).labels[entity]?.[id];
  } catch {
    return undefined;
  }
}

class Field {
  constructor(property, value, labels) {
    this.property = property;
    this.before = value.text;
    this.isShown = !property.isId && !value.isCut && (this.before?.length ?? 0) <= longest;
    if (!this.isShown) return;
    const input = identifier("value");
    this.fault = h("div", { id: identifier("fault"), class: "place" });
    this.input = this.makeInput(input);
    this.input.setAttribute("aria-describedby", this.fault.id);
    const label = h("label", { for: input }, property.name,
      h("small", {}, [property.type, ...property.remarks].join(", ")));
    this.content = h("div", { class: "field" }, label,
      h("div", { class: "entry" }, this.input, this.property.target ? this.target(labels) : this.nullChoice()), this.fault);
  }

  makeInput(id) {
    const text = this.before ?? "";
    switch (this.property.kind) {
      case "boolean": return h("input", { id, type: "checkbox", checked: text === "true" });
      case "text": case "vector": case "list": case "bytes":
        return h("textarea", { id, rows: 1, value: text, spellcheck: "false" });
      default: return h("input", {
        id, type: "text", value: this.property.target && text === "0" ? "" : text, spellcheck: "false", autocomplete: "off",
        placeholder: { date: "1990-01-31T12:30:15Z", relation: `ID of ${this.property.target}` }[this.property.kind],
      });
    }
  }

  /** The choice of null; none for a property that must not be null. Typing a value takes null back. */
  nullChoice() {
    if (this.property.isRequired) return undefined;
    const placeholder = this.input.placeholder;
    const isBoolean = this.input.type === "checkbox";
    this.none = h("input", { type: "checkbox", checked: this.before === null });
    const showNull = () => {
      if (isBoolean) this.input.indeterminate = this.none.checked;
      else this.input.placeholder = this.none.checked ? "null" : placeholder;
    };
    let typed = "";
    this.none.addEventListener("change", () => {
      if (!isBoolean && this.none.checked) [typed, this.input.value] = [this.input.value, ""];
      else if (!isBoolean) this.input.value = typed;
      showNull();
    });
    this.input.addEventListener("input", () => { this.none.checked = false; showNull(); });
    showNull();
    return h("label", {}, this.none, " null", h("span", { class: "unseen" }, ` in ${this.property.name}`));
  }

  /** The label of the related object; follows the typed ID. */
  target(labels) {
    const { target } = this.property;
    const output = h("output", { for: this.input.id, class: "label" }, labels?.[target]?.[this.before]);
    let newest = 0;
    this.input.addEventListener("input", async () => {
      newest += 1;
      const own = newest;
      const ids = this.input.value.trim();
      const label = await labelOf(target, ids);
      if (own === newest) show(output, label);
    });
    return output;
  }

  /** The text, or null. */
  get text() {
    if (this.none?.checked) return null;
    if (this.input.type === "checkbox") return String(this.input.checked);
    // A relation to no object is 0.
    return this.property.target && this.input.value.trim() === "" ? "0" : this.input.value;
  }

  get isChanged() {
    // Text areas only contain line feeds.
    const plain = (text) => text === null ? (this.property.target ? "0" : null) : text.replaceAll("\r\n", "\n");
    return plain(this.text) !== plain(this.before);
  }

  showFault(error) {
    this.input.toggleAttribute("aria-invalid", false);
    if (!error) return void show(this.fault);
    this.input.setAttribute("aria-invalid", "true");
    show(this.fault, faultBox(error));
    return void this.input.focus();
  }
}
