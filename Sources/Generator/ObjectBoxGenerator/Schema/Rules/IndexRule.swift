/// Applies the annotations `index` and `unique`.
enum IndexRule {
  static func apply(
    _ stored: StoredVariable,
    to property: inout SchemaProperty
  ) -> [Diagnostic] {
    let annotations = stored.annotations
    var diagnostics: [Diagnostic] = []
    let index = annotations["index"].flatMap { item in
      let kind = kind(item.value, of: property)
      if kind == nil {
        let fixIts = fixIts(item, of: property)
        diagnostics.append(
          Diagnostic(.invalidIndex(stored.path), at: item.valuePlace, fixIts: fixIts)
        )
      }
      return kind
    }
    if let item = annotations["unique"] {
      property.flags.insert(.unique)
      diagnostics += applyOptions(item, to: &property, in: stored.ownerTitle)
    }
    // Checking uniqueness needs an index.
    let needed = annotations.has("unique") ? usualKind(of: property) : nil
    guard let kind = index ?? needed else { return diagnostics }
    if !supportsIndex(property) {
      let item = annotations["index"] ?? annotations["unique"]
      let message = DiagnosticMessage.indexNotSupported(stored.title, property.swiftType)
      let place = item?.name ?? SourceSpan(position: property.position, length: 0)
      return diagnostics + [Diagnostic(message, at: place)]
    }
    property.index = kind
    property.flags.insert(.indexed)
    if kind == .hash { property.flags.insert(.indexHash) }
    if kind == .hash64 { property.flags.insert(.indexHash64) }
    return diagnostics
  }

  private static func usualKind(of property: SchemaProperty) -> SchemaProperty.IndexKind {
    property.isText ? .hash : .value
  }

  /// Returns the kind of index for a value; nil for an unknown or unsuitable kind.
  private static func kind(
    _ value: AnnotationValue,
    of property: SchemaProperty
  ) -> SchemaProperty.IndexKind? {
    switch value {
    case .bare, .integer(1): usualKind(of: property)
    case .text("value"): .value
    case .text("hash") where property.isText: .hash
    case .text("hash64") where property.isText: .hash64
    default: nil
    }
  }

  /// Returns the fix that replaces a misspelt kind by a kind that suits the property.
  private static func fixIts(_ item: Annotations.Item, of property: SchemaProperty) -> [FixIt] {
    let words: Set<String> = property.isText ? ["value", "hash", "hash64"] : ["value"]
    guard case .text(let word) = item.value else { return [] }
    return FixIt.correction(of: word, at: item.valuePlace, among: words)
  }

  private static func applyOptions(
    _ item: Annotations.Item,
    to property: inout SchemaProperty,
    in owner: String
  ) -> [Diagnostic] {
    let declaration = property.declaration
    func finding(_ reason: String, _ place: SourceSpan, _ fixIts: [FixIt] = []) -> Diagnostic {
      Diagnostic(.invalidUnique(declaration, reason, in: owner), at: place, fixIts: fixIts)
    }
    switch item.value {
    case .bare, .integer(1): return []
    case .dictionary(["onConflict": .text("replace")]):
      property.flags.insert(.uniqueOnConflictReplace)
      return []
    case .dictionary(["onConflict": .text("merge")]):
      // ``SyncUniqueRule`` checks that the entity is synchronized.
      property.flags.insert(.uniqueOnConflictMerge)
      return []
    case .dictionary(let options):
      let rule = options["onConflict"]
      let others = options.keys.sorted().filter { $0 != "onConflict" }
      let unknown = others.map { key in
        let place = item.keyPlace(key)
        let known = rule == nil ? Annotation.keys("unique") : []
        let fixIts = FixIt.correction(of: key, at: place, among: known)
        return finding("the key '\(key)' is unknown", place, fixIts)
      }
      let words: Set<String> = ["replace", "merge"]
      if let word = rule?.string, words.contains(word) { return unknown }
      if rule == nil, !unknown.isEmpty { return unknown }
      let place = item.valuePlace(of: "onConflict")
      let fixIts = rule?.string.map { FixIt.correction(of: $0, at: place, among: words) }
      return unknown + [
        finding("'onConflict' is neither 'replace' nor 'merge'", place, fixIts ?? [])
      ]
    case .text(let text): return [finding("'\(text)' is unknown", item.valuePlace)]
    default: return [finding("its value is no object", item.valuePlace)]
    }
  }

  /// Returns whether a property can have an index; true for a type that only the compiler knows.
  static func supportsIndex(_ property: SchemaProperty) -> Bool {
    switch property.type {
    case nil: true
    case .byteVector: property.encodedType != nil
    case .bool, .byte, .short, .char, .int, .long, .string, .date, .dateNano, .relation: true
    case .float, .double, .flex, .boolVector, .shortVector, .charVector, .intVector,
      .longVector, .floatVector, .doubleVector, .stringVector, .dateVector, .dateNanoVector:
      false
    }
  }
}

extension DiagnosticMessage {
  static func invalidIndex(_ path: String) -> Self {
    "the index annotation of \(path) is none of `index`, `index = value`, and for strings "
      + "`index = hash` and `index = hash64`; write one of these"
  }

  static func invalidUnique(_ property: String, _ reason: String, in owner: String) -> Self {
    "the unique annotation of '\(property)' in \(owner) cannot be used: \(reason); "
      + "write \(Annotation.usage("unique"))"
  }

  static func indexNotSupported(_ title: String, _ type: String) -> Self {
    "\(title) has type '\(type)', which cannot have an index; remove `index` and `unique`"
  }
}
