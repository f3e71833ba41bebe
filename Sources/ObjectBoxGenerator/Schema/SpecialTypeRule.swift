/// The annotations that change the stored type of dates and bytes: `date-nano`, `flex`, and `type`.
enum SpecialTypeRule {
  struct Fault {
    var name: String
    var place: SourceSpan
    /// Another annotation that asks for a type as well.
    var other: SourceSpan?
    var fixIts: [FixIt] = []
  }

  /// Returns the type in the annotations; nil for the usual one.
  static func type(
    _ annotations: Annotations,
    base: TypeTable.Entry
  ) -> (type: PropertyType?, faults: [Fault]) {
    var type: PropertyType?
    var faults: [Fault] = []
    var first: SourceSpan?
    for name in ["date-nano", "flex", "type"] {
      guard let item = annotations[name] else { continue }
      let asked = name == "type" ? item.value.string ?? "" : name
      if first == nil, let special = types(for: base)[asked] {
        type = special
      } else {
        let place = name == "type" ? item.valuePlace : item.name
        var fault = Fault(name: asked.isEmpty ? name : asked, place: place, other: first)
        if name == "type", first == nil {
          fault.fixIts = FixIt.correction(of: asked, at: place, among: Set(types(for: base).keys))
        }
        faults.append(fault)
      }
      first = first ?? item.name
    }
    return (type, faults)
  }

  /// Returns the types that annotations can choose, by their words.
  private static func types(for base: TypeTable.Entry) -> [String: PropertyType] {
    switch base.type {
    case .date: ["date-nano": .dateNano]
    case .byteVector where base.externalType == nil: ["flex": .flex]
    default: [:]
    }
  }
}
