/// Applies the annotations that change the stored type of dates and bytes: `date-nano`, `flex` and
/// `type`.
enum SpecialTypeRule {
  /// Returns the type in the annotations; nil for the default type.
  static func type(
    _ stored: StoredVariable,
    _ declared: DeclaredType,
    base: TypeTable.Entry
  ) -> (type: SchemaPropertyType?, diagnostics: [Diagnostic]) {
    let known = types(for: base)
    var type: SchemaPropertyType?
    var diagnostics: [Diagnostic] = []
    var first: SourceSpan?
    for name in ["date-nano", "flex", "type"] {
      guard let item = stored.annotations[name] else { continue }
      let asked = name == "type" ? item.value.string ?? "" : name
      if first == nil, let special = known[asked] {
        type = special
      } else {
        let place = name == "type" ? item.valuePlace : item.name
        let word = asked.isEmpty ? name : asked
        let isMisspelt = name == "type" && first == nil
        diagnostics.append(
          Diagnostic(
            .wrongSpecialType(word, stored.path, declared.text),
            at: place,
            notes: first.map { [Diagnostic(.otherPlace, at: $0)] } ?? [],
            fixIts: isMisspelt ? FixIt.correction(of: asked, at: place, among: Set(known.keys)) : []
          )
        )
      }
      first = first ?? item.name
    }
    return (type, diagnostics)
  }

  /// Returns the types that annotations can choose, by their words.
  private static func types(for base: TypeTable.Entry) -> [String: SchemaPropertyType] {
    switch base.type {
    case .date: ["date-nano": .dateNano]
    case .byteVector where base.externalType == nil: ["flex": .flex]
    default: [:]
    }
  }
}

extension DiagnosticMessage {
  static func wrongSpecialType(_ annotation: String, _ path: String, _ type: String) -> Self {
    "annotation '\(annotation)' does not fit \(path) of type '\(type)': 'date-nano' is for Date, "
      + "'flex' for Data and [UInt8], and each may be given once; remove it"
  }
}
