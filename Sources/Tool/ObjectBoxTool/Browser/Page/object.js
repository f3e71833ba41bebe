// The page of an object: its values, its related objects, and its nearest neighbours.

import { get, post, entityNamed, schema, tableAddress } from "./api.js";
import { h, show, heading, faultBox, announce } from "./dom.js";
import { whole } from "./values.js";
import { RelatedTables, neighbours } from "./related.js";
import { editor } from "./editor.js";

export async function object(name, id) {
  const entity = entityNamed(name);
  const view = new ObjectView(entity, id);
  await view.load();
  return {
    title: `${name} ${id}`, entity: name, content: view.content, update: () => view.load(true), end: () => {},
  };
}

class ObjectView {
  constructor(entity, id) {
    this.entity = entity;
    this.id = id;
    this.fault = h("div", {});
    this.values = h("div", {});
    this.actions = h("span", { class: "actions" });
    this.related = new RelatedTables(entity, id);
    this.shown = new Map();
    this.isEditing = false;
    const title = heading(`${entity.name} ${id}`);
    title.append(this.actions);
    this.neighbours = entity.properties.filter((property) => property.dimensions > 0)
      .map((property) => neighbours(entity, id, property));
    this.content = h("div", {},
      h("p", {}, h("a", { href: tableAddress(entity.name) }, `All of ${entity.name}`)),
      title, this.fault, this.values, this.related.content, this.neighbours.map((part) => part.content));
  }

  async load(isUpdate = false) {
    try {
      this.object = await get("object", { entity: this.entity.name, id: this.id });
    } catch (error) {
      if (error.status !== 404) throw error;
      this.isEditing = false;
      show(this.fault, faultBox(error));
      show(this.values);
      show(this.actions);
      this.related.hide();
      return;
    }
    show(this.fault);
    // A form in use stays; storing is refused if the object has changed.
    if (!this.isEditing) this.showValues(isUpdate);
    await this.related.load(this.object, isUpdate);
    if (!isUpdate) this.neighbours.forEach((part) => part.load(this.object));
  }

  showValues(isUpdate) {
    if (!isUpdate || !this.list) {
      this.list = h("dl", { class: "values" });
      this.shown.clear();
      show(this.values, this.list);
      show(this.actions, schema().isWritable && [
        h("button", { type: "button", onclick: () => this.edit() }, "Edit"),
        h("button", { type: "button", class: "danger", onclick: () => this.remove() }, "Remove"),
      ]);
    }
    this.entity.properties.forEach((property, index) => {
      const value = this.object.properties[index];
      const text = JSON.stringify(value);
      const before = this.shown.get(property.name);
      if (before === text) return undefined;
      this.shown.set(property.name, text);
      const shown = h("dd", { class: before === undefined ? undefined : "changed" },
        whole(property, value, { entity: this.entity.name, id: this.id, property: property.name }));
      const old = this.list.children[2 * index + 1];
      if (old) return old.replaceWith(shown);
      this.list.append(
        h("dt", {}, property.name, h("small", {}, [property.type, ...property.remarks].join(", "))), shown);
      return undefined;
    });
  }

  // Changes

  edit() {
    this.isEditing = true;
    show(this.actions);
    const form = editor(this.entity, this.object, (isStored) => {
      this.isEditing = false;
      this.list = undefined;
      if (isStored) announce("stored");
      this.load().then(() => this.actions.querySelector("button")?.focus());
    });
    show(this.values, form);
    form.querySelector("input, textarea")?.focus();
  }

  remove() {
    const question = `Remove ${this.entity.name} ${this.id}?`;
    const dialog = h("dialog", { "aria-labelledby": "remove-title" },
      h("h2", { id: "remove-title" }, question),
      h("p", {}, "References to it are removed as the model says."));
    const fault = h("div", {});
    const end = () => { dialog.close(); dialog.remove(); };
    dialog.append(fault, h("p", { class: "heading" },
      h("button", {
        type: "button", class: "danger", onclick: async () => {
          try {
            await post("remove", { entity: this.entity.name, ids: [this.id] });
            end();
            announce("removed");
            location.hash = tableAddress(this.entity.name);
          } catch (error) {
            show(fault, faultBox(error));
          }
        },
      }, "Remove"),
      h("button", { type: "button", onclick: end }, "Keep")));
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); end(); });
    document.body.append(dialog);
    dialog.showModal();
  }
}
