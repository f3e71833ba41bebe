internal import ObjectBox

// Names and descriptions of schema elements for people.

extension EntitySchema {
  /// The property that holds the objects' IDs; nil in a schema without one.
  var idProperty: PropertySchema? { properties.first { $0.has(.id) } }

  /// Returns the names of properties.
  func names(of ids: [UInt32]) -> [String] {
    ids.map { id in property(id: id)?.name ?? "\(id)" }
  }

  /// A table of the properties, and a line for each compound index.
  var propertyLines: String {
    var table = ConsoleTable(["property", "type", "remarks"], numbers: [])
    for property in properties {
      table.add([property.name, property.typeName, property.remarks.joined(separator: ", ")])
    }
    var text = table.text
    for index in compoundIndexes {
      text +=
        "  \(index.isUnique ? "unique index" : "index") of \(names(of: index.propertyIDs).joined(separator: ", "))\n"
    }
    for index in fullTextIndexes { text += "  \(line(of: index))\n" }
    return text
  }

  /// Describes a full-text index, with the settings that differ from the usual ones.
  private func line(of index: FullTextIndexSchema) -> String {
    let properties = zip(names(of: index.parts.map(\.propertyID)), index.parts).map { name, part in
      part.weight == 1 ? name : "\(name) (weight \(part.weight))"
    }
    var parts = [properties.joined(separator: ", ")]
    if let language = index.language { parts.append("language \(language)") }
    if !index.prefixes.isEmpty {
      let lengths = index.prefixes.map { "\($0)" }.joined(separator: ", ")
      parts.append("beginnings of \(lengths) characters")
    }
    if index.keepsDiacritics { parts.append("accents distinguish words") }
    if let k1 = index.k1 { parts.append("k1 \(k1)") }
    if let b = index.b { parts.append("b \(b)") }
    let name = index.name.map { " '\($0)'" } ?? ""
    return "full-text index\(name) of \(parts.joined(separator: "; "))"
  }
}

extension StoreSchema {
  /// The name of the entity with an ID, for the ends of relations.
  func name(ofEntity id: UInt32) -> String {
    index(ofEntity: id).map { entities[$0].name } ?? "?"
  }
}

extension SchemaIdentity {
  /// The ID and the UID, written as in model files.
  var text: String { "\(id):\(uid)" }
}

extension PropertySchema {
  /// The type for people, such as "unsigned int" or "to-one Person".
  var typeName: String {
    if type == .relation { return "to-one \(targetEntityName ?? "?")" }
    return has(.unsigned) ? "unsigned \(type)" : "\(type)"
  }

  /// Traits beyond the type.
  var remarks: [String] {
    var remarks: [String] = []
    if has(.id) { remarks.append(has(.idSelfAssignable) ? "ID, assignable" : "ID") }
    if has(.unique) {
      let rule =
        has(.uniqueOnConflictReplace) ? ", replaces" : has(.uniqueOnConflictMerge) ? ", merges" : ""
      remarks.append("unique" + rule)
    }
    if has(.syncCounter) { remarks.append("counter") }
    if let hnsw {
      remarks.append("nearest neighbours in \(hnsw.dimensions) dimensions")
    } else if index != nil {
      let isHash = has(.indexHash) || has(.indexHash64)
      remarks.append(isHash ? "index of hashes" : "index")
    }
    if collation == .nocase { remarks.append("ignores case") }
    if has(.notNull) { remarks.append("not null") }
    if let type = ExternalPropertyType(rawValue: UInt16(truncatingIfNeeded: externalType)),
      type != .unknown
    {
      remarks.append("\(type)")
    }
    if onDelete != .nullify { remarks.append("on delete \(onDelete)") }
    return remarks
  }
}
