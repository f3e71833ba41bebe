// The page of an object: its values, its related objects, and its nearest neighbours.

import { get, entityNamed, schema, tableAddress } from "./api.js";
import { h, show, heading, faultBox, announce } from "./dom.js";
import { whole } from "./values.js";
import { RelatedTables, neighbours } from "./related.js";
import { editor } from "./editor.js";
import { askForRemoval } from "./removal.js";

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
    this.label = h("span", {});
    const title = heading(`${entity.name} ${id}`, this.label);
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
    show(this.label, this.ownLabel);
    // A form in use stays; storing is refused if the object has changed.
    if (!this.isEditing) this.showValues(isUpdate);
    await this.related.load(this.object, isUpdate);
    if (!isUpdate) this.neighbours.forEach((part) => part.load(this.object));
  }

  /** The object's label; undefined without one. */
  get ownLabel() { return this.object.labels[this.entity.name]?.[this.id]; }

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
      const label = property.target && this.object.labels[property.target]?.[value.text];
      const text = JSON.stringify([value, label]);
      const before = this.shown.get(property.name);
      if (before === text) return undefined;
      this.shown.set(property.name, text);
      const shown = h("dd", { class: before === undefined ? undefined : "changed" },
        whole(property, value, { entity: this.entity.name, id: this.id, property: property.name }, this.object.labels));
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
    askForRemoval(this.entity, this.id, this.ownLabel, () => { location.hash = tableAddress(this.entity.name); });
  }
}
