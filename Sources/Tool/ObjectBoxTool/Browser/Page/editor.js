// The form that edits an object's values. Values are texts, as in CSV; the program checks them.

import { post } from "./api.js";
import { h, show, faultBox, identifier } from "./dom.js";

/** Longer values are not in the form, since nobody types them. */
const longest = 20000;

/**
 * Makes a form.
 *
 * `object` is undefined for a new object. `end` gets the ID of the stored object, if one was stored.
 */
export function editor(entity, object, end) {
  const fault = h("div", {});
  const fields = entity.properties
    .map((property, index) => new Field(property, object?.properties[index]))
    .filter((field) => field.isShown);
  const button = h("button", { class: "primary" }, object ? "Store" : "Add");
  const form = h("form", { class: "edit", novalidate: true }, fields.map((field) => field.content), fault,
    h("div", { class: "buttons" }, button, h("button", { type: "button", onclick: () => end() }, "Cancel")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fields.forEach((field) => field.showFault());
    show(fault);
    const changed = fields.filter((field) => !object ? field.text !== null : field.isChanged);
    if (object && changed.length === 0) return end();
    button.disabled = true;
    try {
      const { id } = await post("put", {
        entity: entity.name, id: object?.id, digest: object?.digest,
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

class Field {
  constructor(property, value) {
    this.property = property;
    this.before = value?.text ?? null;
    this.isShown = !property.isId && !value?.isCut && (this.before?.length ?? 0) <= longest;
    if (!this.isShown) return;
    const input = identifier("value");
    this.fault = h("div", { id: identifier("fault"), class: "place" });
    this.input = this.makeInput(input);
    this.input.setAttribute("aria-describedby", this.fault.id);
    const label = h("label", { for: input }, property.name,
      h("small", {}, [property.type, ...property.remarks].join(", ")));
    if (!property.isRequired) {
      this.none = h("input", { type: "checkbox", checked: this.before === null });
      this.none.addEventListener("change", () => { this.input.disabled = this.none.checked; });
      this.input.disabled = this.none.checked;
    }
    this.content = h("div", { class: "field" }, label,
      h("div", { class: "entry" }, this.input, this.none && h("label", {}, this.none, " null",
        h("span", { class: "unseen" }, ` in ${property.name}`))),
      this.fault);
  }

  makeInput(id) {
    const text = this.before ?? "";
    switch (this.property.kind) {
      case "boolean": return h("input", { id, type: "checkbox", checked: text === "true" });
      case "text": case "vector": case "list": case "bytes":
        return h("textarea", { id, rows: 1, value: text, spellcheck: "false" });
      default: return h("input", {
        id, type: "text", value: text, spellcheck: "false", autocomplete: "off",
        placeholder: { date: "1990-01-31T12:30:15Z", relation: `ID of ${this.property.target}` }[this.property.kind],
      });
    }
  }

  /** The text, or null. */
  get text() {
    if (this.none?.checked) return null;
    return this.input.type === "checkbox" ? String(this.input.checked) : this.input.value;
  }

  get isChanged() {
    // Text areas only contain line feeds.
    const plain = (text) => text === null ? null : text.replaceAll("\r\n", "\n");
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
