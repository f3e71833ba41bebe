// Completions of a filter: the part of the language that can follow the text before the caret.

import { entityNamed, schema } from "./api.js";

/** Words that are no names unless they are in backticks. */
const keywords = new Set(["and", "or", "is", "not", "in", "null", "nil", "true", "false", "between", "contains",
  "matches", "startswith", "endswith", "starts", "ends", "ignoring", "nan", "infinity", "inf"]);
const comparisons = ["==", "!=", "<", "<=", ">", ">="];
const token = /\s+|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:``|[^`])*`?|[-+]?\d[\w.:+-]*|[\p{L}_][\p{L}\p{M}\p{N}_]*|&&|\|\||[<>=!]=|./gsu;

function quoted(name) {
  return /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name) && !keywords.has(name.toLowerCase())
    ? name : `\`${name.replaceAll("`", "``")}\``;
}

/** The relations of other entities that lead to an entity, as pairs of names. */
function incoming(entity) {
  return schema().entities.flatMap((source) => [
    ...source.properties.filter((property) => property.target === entity.name),
    ...source.relations.filter((relation) => relation.target === entity.name),
  ].map((relation) => ({ source, name: relation.name })));
}

/** The names of an entity in conditions. */
function names(entity) {
  const own = entity.properties.map((property) => ({
    text: quoted(property.name), detail: property.type, property, target: property.target,
  }));
  const relations = entity.relations.map((relation) => ({
    text: quoted(relation.name), detail: `to-many ${relation.target}`, target: relation.target, isMany: true,
  }));
  const words = entity.textIndexes.filter((index) => !entity.properties.some(({ name }) => name === index.name))
    .map((index) => ({ text: quoted(index.name), detail: `words of ${index.properties.join(", ")}`, isWords: true }));
  const back = incoming(entity).map(({ source, name }) => ({
    text: `${quoted(source.name)}.${quoted(name)}`, detail: `${source.name} objects that lead here`,
    target: source.name, isMany: true,
  }));
  return [...own, ...relations, ...words, ...back];
}

/** The comparisons of a name, with their values as far as these are known. */
function operations(name, entity) {
  const nulls = ["is null", "is not null"];
  if (name.isWords) return ["matches"];
  if (name.isMany) return ["(", "().count >", "().count =="];
  const { property } = name;
  const words = entity.textIndexes.some((index) => index.name === property.name) ? ["matches"] : [];
  switch (property.kind) {
    case "boolean": return ["== true", "== false", ...nulls];
    case "relation": return [".", "(", "==", "!=", "in [", ...nulls];
    case "text": return [...words, "==", "startsWith", "contains", "endsWith", "!=", "in [", "not in [",
      ...comparisons.slice(2), "between", ...nulls];
    case "number": case "date":
      return [...comparisons, "between", "in [", "not in [", ...(property.isId ? [] : nulls)];
    case "list": return ["contains", ...nulls];
    case "vector": return [...(property.dimensions > 0 ? ["is nearest to ["] : []), ...nulls];
    default: return ["==", "!=", ...nulls];
  }
}

/** Reads the text before the caret, and knows what can follow it. */
class Reader {
  constructor(entity) {
    this.entities = [entity];
    this.state = "name";
  }

  get entity() { return this.entities.at(-1); }

  take(text) {
    const word = text.toLowerCase();
    switch (this.state) {
      case "name": return this.takeName(text);
      case "operation": return this.takeOperation(text, word);
      case "value":
        if (text === "[") { this.state = "list"; return undefined; }
        this.state = this.isBetween ? "and" : "end";
        return undefined;
      case "list":
        if (text === "]") this.state = this.isNearest ? "most" : "end";
        return undefined;
      case "and":
        this.isBetween = false;
        this.state = "value";
        return undefined;
      case "most":
        if (/^\d/.test(text)) this.state = "end";
        return undefined;
      case "end": return this.takeEnd(text, word);
      default: return undefined;
    }
  }

  takeName(text) {
    if (text === "(") return void this.entities.push(this.entity);
    if (text === ".") return undefined;
    const plain = text.startsWith("`") ? text : quoted(text);
    const found = names(this.lookup ?? this.entity).find((name) => name.text === plain);
    if (found) {
      this.name = found;
      this.owner = this.lookup ?? this.entity;
      this.lookup = undefined;
      this.state = "operation";
      return undefined;
    }
    // The first half of a relation that leads here, such as `Note` of `Note.author`.
    const name = text.replace(/^`|`$/g, "").replaceAll("``", "`");
    const isSource = incoming(this.entity).some(({ source }) => source.name === name);
    this.state = isSource ? "source" : "nothing";
    this.source = isSource ? entityNamed(name) : undefined;
    return undefined;
  }

  takeSource(text) {
    if (text === ".") return;
    const relation = [...this.source.properties, ...this.source.relations]
      .find(({ name }) => quoted(name) === (text.startsWith("`") ? text : quoted(text)));
    this.name = { target: this.source.name, isMany: true };
    this.owner = this.entity;
    this.state = relation ? "operation" : "nothing";
  }

  takeOperation(text, word) {
    this.isText = this.name.property?.kind === "text" || this.name.isWords;
    this.isBetween = word === "between";
    this.isNearest = word === "nearest";
    if (text === "." && this.name.target && !this.name.isMany) {
      this.lookup = entityNamed(this.name.target);
      this.state = "name";
    } else if (text === "(" && this.name.target) {
      this.entities.push(entityNamed(this.name.target));
      this.state = "name";
    } else if (word === "is") {
      this.state = "is";
    } else if (["not", "starts", "ends"].includes(word)) {
      this.state = "more";
    } else {
      this.state = comparisons.includes(text) || keywords.has(word) ? "value" : "nothing";
    }
  }

  takeEnd(text, word) {
    if (text === ")") {
      if (this.entities.length > 1) this.entities.pop();
    } else if (["&&", "||", "and", "or"].includes(word)) {
      this.state = "name";
      this.lookup = undefined;
    }
  }

  read(text) {
    if (this.state === "source") return this.takeSource(text);
    if (this.state === "is") {
      const word = text.toLowerCase();
      if (word === "null" || word === "nil") this.state = "end";
      if (word === "nearest") { this.isNearest = true; this.state = "nearest"; }
      return undefined;
    }
    if (this.state === "more" || this.state === "nearest") { this.state = "value"; return undefined; }
    // An empty relation such as `readers()` is followed by an aggregate.
    if (this.state === "name" && text === ")" && this.entities.length > 1) {
      this.entities.pop();
      this.state = "aggregate";
      return undefined;
    }
    if (this.state === "aggregate") {
      if (comparisons.includes(text)) this.state = "value";
      return undefined;
    }
    return this.take(text);
  }

  get following() {
    switch (this.state) {
      case "name": return names(this.lookup ?? this.entity).filter((name) => !this.lookup || !name.isMany);
      case "source": return incoming(this.entity).filter(({ source }) => source === this.source)
        .map(({ name }) => ({ text: quoted(name), detail: `relation of ${this.source.name}` }));
      case "operation": return operations(this.name, this.owner).map((text) => ({ text }));
      case "is": return ["null", "not null"].map((text) => ({ text }));
      case "value": return this.name?.property?.kind === "boolean" ? [{ text: "true" }, { text: "false" }] : [];
      case "and": return [{ text: "and" }];
      case "most": return [{ text: "at most 10" }];
      case "end": return ["&&", "||", ...(this.isText ? ["ignoring case"] : []),
        ...(this.entities.length > 1 ? [")"] : [])].map((text) => ({ text }));
      default: return [];
    }
  }
}

/**
 * Returns the completions of a filter at a caret, and the start of the part that they replace.
 *
 * Each has the text to insert, and perhaps a detail that describes it.
 */
export function completions(entity, filter, caret) {
  const before = filter.slice(0, caret);
  const tokens = before.match(token) ?? [];
  const last = tokens.at(-1) ?? "";
  // A value that the caret touches is still typed.
  if (/^["'\d+-]/.test(last)) return { start: caret, items: [] };
  // A word, a name or a symbol that the caret touches is not complete yet.
  const part = /^[\p{L}_`<>=!&|]/u.test(last) ? last : "";
  if (part) tokens.pop();
  const reader = new Reader(entity);
  for (const text of tokens) if (text.trim() !== "") reader.read(text);
  const plain = part.replace(/^`/, "").toLowerCase();
  const bare = (text) => text.replace(/^`/, "").toLowerCase();
  const known = reader.following;
  const items = known.filter(({ text }) => bare(text).startsWith(plain));
  if (plain) items.push(...known.filter((item) => !items.includes(item) && bare(item.text).includes(plain)));
  // Nothing is left to complete.
  if (items.length === 1 && items[0].text === part) return { start: caret, items: [] };
  return { start: caret - part.length, items };
}

/** Returns whether a space follows an inserted completion. */
export function isClosed(text) { return !/[.([]$/.test(text); }
