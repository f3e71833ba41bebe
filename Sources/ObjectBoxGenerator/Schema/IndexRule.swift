/// The indexes and flags that `index` and `unique` ask for.
enum IndexRule {
  static func apply(
    _ annotations: Annotations,
    to property: inout SchemaProperty,
    in owner: String
  ) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let index = annotations["index"].flatMap { item in
      let kind = kind(item.value, of: property)
      if kind == nil {
        let message = DiagnosticMessage.invalidIndex(property.name, entity: owner)
        diagnostics.append(Diagnostic(message, at: item.position))
      }
      return kind
    }
    if let item = annotations["unique"] {
      property.flags.insert(.unique)
      diagnostics += applyOptions(item, to: &property, in: owner)
    }
    // A unique property needs an index to be checked.
    let needed = annotations.has("unique") ? usualKind(of: property) : nil
    guard let kind = index ?? needed else { return diagnostics }
    if let type = property.type, !supportsIndex(type) {
      let item = annotations["index"] ?? annotations["unique"]
      let message = DiagnosticMessage.indexNotSupported(
        property.name,
        property.swiftType,
        entity: owner
      )
      return diagnostics + [Diagnostic(message, at: item?.position ?? property.position)]
    }
    property.index = kind
    property.flags.insert(.indexed)
    if kind == .hash { property.flags.insert(.indexHash) }
    if kind == .hash64 { property.flags.insert(.indexHash64) }
    return diagnostics
  }

  private static func usualKind(of property: SchemaProperty) -> SchemaProperty.IndexKind {
    property.type == .string ? .hash : .value
  }

  /// Returns the kind of index that a value names; nil when it names none that fits.
  private static func kind(
    _ value: AnnotationValue,
    of property: SchemaProperty
  ) -> SchemaProperty.IndexKind? {
    switch value {
    case .bare, .integer(1): usualKind(of: property)
    case .text("value"): .value
    case .text("hash") where property.type == .string: .hash
    case .text("hash64") where property.type == .string: .hash64
    default: nil
    }
  }

  private static func applyOptions(
    _ item: Annotations.Item,
    to property: inout SchemaProperty,
    in owner: String
  ) -> [Diagnostic] {
    let bad: String
    switch item.value {
    case .bare, .integer(1): return []
    case .dictionary(let options):
      if options == ["onConflict": .text("replace")] {
        property.flags.insert(.uniqueOnConflictReplace)
        return []
      }
      let unknown = options.keys.sorted().first { $0 != "onConflict" }
      bad = unknown.map { "the key '\($0)' is unknown" } ?? "'onConflict' is not 'replace'"
    case .text(let text): bad = "'\(text)' is unknown"
    default: bad = "its value is no object"
    }
    let declaration = "\(property.name): \(property.swiftType)"
    return [Diagnostic(.invalidUnique(declaration, bad, entity: owner), at: item.position)]
  }

  private static func supportsIndex(_ type: PropertyType) -> Bool {
    switch type {
    case .bool, .byte, .short, .char, .int, .long, .string, .date, .dateNano, .relation: true
    case .float, .double, .flex, .boolVector, .byteVector, .shortVector, .charVector, .intVector,
      .longVector, .floatVector, .doubleVector, .stringVector, .dateVector, .dateNanoVector:
      false
    }
  }
}

extension DiagnosticMessage {
  static func invalidIndex(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "the index annotation of '\(entity).\(name)' is none of `index`, `index = value`, and for "
        + "strings `index = hash` and `index = hash64`; write one of these"
    )
  }

  static func invalidUnique(_ property: String, _ reason: String, entity: String) -> Self {
    Self(
      .error,
      "the unique annotation of '\(property)' in entity '\(entity)' cannot be used: \(reason); "
        + "write `unique` or `unique = { \"onConflict\": \"replace\" }`"
    )
  }

  static func indexNotSupported(_ name: String, _ type: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' has type '\(type)', which cannot have an index; "
        + "remove `index` and `unique`"
    )
  }
}
