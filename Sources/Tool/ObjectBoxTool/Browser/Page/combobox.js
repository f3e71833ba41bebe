// A text field with a list of completions, by the pattern of a combobox.

import { h, show, identifier } from "./dom.js";

/** Adds a list of completions to a text field; `find` returns the completions of a text at a caret. */
export class Combobox {
  constructor(input, find, isClosed) {
    this.input = input;
    this.find = find;
    this.isClosed = isClosed;
    this.items = [];
    this.active = -1;
    this.list = h("ul", { id: identifier("completions"), class: "completions", role: "listbox", "aria-label": "Completions", hidden: true });
    for (const [name, value] of Object.entries({
      role: "combobox", autocomplete: "off", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.list.id,
    })) input.setAttribute(name, value);
    input.addEventListener("input", () => this.open());
    input.addEventListener("click", () => this.open());
    input.addEventListener("blur", () => this.close());
    input.addEventListener("keydown", (event) => this.press(event));
    // A press in the list must not take the focus from the field.
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
  }

  get isOpen() { return !this.list.hidden; }

  open() {
    const { start, items } = this.find(this.input.value, this.input.selectionStart ?? this.input.value.length);
    this.start = start;
    this.items = items;
    show(this.list, items.map((item, index) => h("li", {
      id: `${this.list.id}-${index}`, role: "option", "aria-selected": "false", onclick: () => this.accept(index),
    }, h("span", {}, item.text), item.detail && h("small", {}, item.detail))));
    this.list.hidden = items.length === 0;
    this.input.setAttribute("aria-expanded", String(this.isOpen));
    this.activate(-1);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.activate(-1);
  }

  activate(index) {
    this.list.children[this.active]?.setAttribute("aria-selected", "false");
    this.active = index;
    const option = this.list.children[index];
    if (!option || !this.isOpen) return this.input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", option.id);
    return option.scrollIntoView({ block: "nearest" });
  }

  press(event) {
    if (event.isComposing) return;
    const count = this.items.length;
    switch (event.key) {
      case "ArrowDown": case "ArrowUp":
        event.preventDefault();
        if (!this.isOpen) this.open();
        if (!this.isOpen) return;
        if (event.key === "ArrowDown") this.activate(this.active + 1 < count ? this.active + 1 : 0);
        else this.activate(this.active > 0 ? this.active - 1 : count - 1);
        return;
      case "Enter": case "Tab":
        if (!this.isOpen || this.active < 0) return this.close();
        event.preventDefault();
        return this.accept(this.active);
      case "Escape":
        if (!this.isOpen) return;
        event.preventDefault();
        return this.close();
      default:
    }
  }

  accept(index) {
    const { text } = this.items[index];
    const caret = this.input.selectionStart ?? this.input.value.length;
    const rest = this.input.value.slice(caret);
    // A point or a parenthesis follows its name at once.
    if (/^[.(]/.test(text) && this.input.value[this.start - 1] === " ") this.start -= 1;
    const inserted = this.isClosed(text) && !rest.startsWith(" ") ? `${text} ` : text;
    this.input.value = this.input.value.slice(0, this.start) + inserted + rest;
    const place = this.start + inserted.length;
    this.input.setSelectionRange(place, place);
    this.open();
  }
}
