package import ObjectBox

/// The differences that prevent storing one schema's objects under another, as text.
package enum SchemaDifferences {
  /// Compares the entities of a dump with the entities of a store.
  ///
  /// - Parameters:
  ///   - dump: The schema of the dump.
  ///   - entities: The indices of the entities with objects in the dump.
  ///   - store: The schema of the store.
  /// - Returns: A line for each difference; empty when all objects fit.
  package static func lines(
    dump: StoreSchema,
    entities: [Int],
    store: StoreSchema
  ) -> [String] {
    entities.flatMap { index -> [String] in
      let entity = dump.entities[index]
      guard let other = store.entities.first(where: { $0.name == entity.name }) else {
        return ["entity '\(entity.name)' is not in the store"]
      }
      return lines(entity, other, dump, store)
    }
  }

  private static func lines(
    _ dump: EntitySchema,
    _ store: EntitySchema,
    _ dumpSchema: StoreSchema,
    _ storeSchema: StoreSchema
  ) -> [String] {
    var lines: [String] = []
    let title = "entity '\(dump.name)'"
    note(title, "identity", text(dump.identity), text(store.identity), &lines)
    note(title, "flags", "\(dump.flags)", "\(store.flags)", &lines)
    let dumpKeys = dump.compoundIndexes.map(text)
    let storeKeys = store.compoundIndexes.map(text)
    note(title, "compound indexes", list(dumpKeys), list(storeKeys), &lines)
    note(
      title,
      "full-text indexes",
      list(dump.fullTextIndexes.map(text)),
      list(store.fullTextIndexes.map(text)),
      &lines
    )
    compare(dump.properties, store.properties, \.name, "property '\(dump.name).", &lines) {
      (dump, store, title, lines) in
      note(title, "identity", text(dump.identity), text(store.identity), &lines)
      note(title, "type", "\(dump.type)", "\(store.type)", &lines)
      note(title, "flags", "\(dump.flags)", "\(store.flags)", &lines)
      note(title, "index", dump.index.map(text), store.index.map(text), &lines)
      note(title, "target", dump.targetEntityName, store.targetEntityName, &lines)
      note(title, "collation", "\(dump.collation)", "\(store.collation)", &lines)
      note(title, "external type", "\(dump.externalType)", "\(store.externalType)", &lines)
      note(title, "delete rule", "\(dump.onDelete)", "\(store.onDelete)", &lines)
      if dump.hnsw != store.hnsw {
        lines.append("\(title) has other parameters of its nearest-neighbour index in the store")
      }
    }
    compare(dump.relations, store.relations, \.identity.id, "relation '\(dump.name).", &lines) {
      (dump, store, title, lines) in
      note(title, "identity", text(dump.identity), text(store.identity), &lines)
      note(title, "target", text(dump.target), text(store.target), &lines)
      note(title, "delete rule", "\(dump.onDelete)", "\(store.onDelete)", &lines)
      note(
        title,
        "delete rule of targets",
        "\(dump.onTargetDelete)",
        "\(store.onTargetDelete)",
        &lines
      )
    }
    return lines
  }

  private static func compare<Element, Key: Hashable>(
    _ dump: [Element],
    _ store: [Element],
    _ key: KeyPath<Element, Key>,
    _ title: String,
    _ lines: inout [String],
    _ each: (Element, Element, _ title: String, inout [String]) -> Void
  ) {
    for element in dump {
      let name = "\(title)\(element[keyPath: key])'"
      if let other = store.first(where: { $0[keyPath: key] == element[keyPath: key] }) {
        each(element, other, name, &lines)
      } else {
        lines.append("\(name) is not in the store")
      }
    }
    for element in store
    where !dump.contains(where: { $0[keyPath: key] == element[keyPath: key] }) {
      lines.append("\(title)\(element[keyPath: key])' of the store is not in the dump")
    }
  }

  private static func note(
    _ title: String,
    _ attribute: String,
    _ dump: String?,
    _ store: String?,
    _ lines: inout [String]
  ) {
    guard dump != store else { return }
    lines.append(
      "\(title) has the \(attribute) \(dump ?? "none") in the dump, and \(store ?? "none") in the store"
    )
  }

  private static func text(_ identity: SchemaIdentity) -> String {
    "\(identity.id):\(identity.uid)"
  }

  private static func text(_ index: CompoundIndexSchema) -> String {
    "\(text(index.identity)) of \(index.propertyIDs)\(index.isUnique ? " unique" : "")"
  }

  private static func text(_ index: FullTextIndexSchema) -> String {
    var words = ["\(text(index.identity)) of \(index.parts.map(\.propertyID))"]
    if let name = index.name { words.append("'\(name)'") }
    if index.parts.contains(where: { $0.weight != 1 }) {
      words.append("weights \(index.parts.map(\.weight))")
    }
    if let language = index.language { words.append("language \(language)") }
    if !index.prefixes.isEmpty { words.append("prefixes \(index.prefixes)") }
    if index.keepsDiacritics { words.append("with diacritics") }
    if let k1 = index.k1 { words.append("k1 \(k1)") }
    if let b = index.b { words.append("b \(b)") }
    return words.joined(separator: " ")
  }

  private static func list(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}
