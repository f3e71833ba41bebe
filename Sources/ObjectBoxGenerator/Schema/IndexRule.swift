/// The indexes and flags that `index` and `unique` ask for.
enum IndexRule {
  static func apply(
    _ annotations: Annotations,
    to property: inout SchemaProperty,
    in owner: String
  ) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    var kind: SchemaProperty.IndexKind?
    let usual: SchemaProperty.IndexKind = property.type == .string ? .hash : .value
    if let item = annotations["index"] {
      switch item.value {
      case .bare, .integer(1): kind = usual
      case .text("value"): kind = .value
      case .text("hash") where property.type == .string: kind = .hash
      case .text("hash64") where property.type == .string: kind = .hash64
      default:
        diagnostics.append(
          Diagnostic(.invalidIndex(property.name, entity: owner), at: item.position)
        )
      }
    }
    if let item = annotations["unique"] {
      property.flags.insert(.unique)
      if kind == nil { kind = usual }
      switch item.value {
      case .bare, .integer(1): break
      case .dictionary(["onConflict": .text("replace")]):
        property.flags.insert(.uniqueOnConflictReplace)
      default:
        diagnostics.append(
          Diagnostic(
            .invalidUnique("\(property.name): \(property.swiftType)", entity: owner),
            at: item.position
          )
        )
      }
    }
    guard let kind else { return diagnostics }
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
      "the index annotation of '\(entity).\(name)' is none of `index`, `index = value`, and for strings "
        + "`index = hash` and `index = hash64`; write one of these"
    )
  }

  static func invalidUnique(_ property: String, entity: String) -> Self {
    Self(
      .error,
      "the unique annotation of '\(property)' in entity '\(entity)' is neither `unique` nor `unique = { "
        + "\"onConflict\": \"replace\" }`; write one of these"
    )
  }

  static func indexNotSupported(_ name: String, _ type: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' has type '\(type)', which cannot have an index; remove "
        + "`index` and `unique`"
    )
  }
}
