/// The annotations that change how dates and bytes are kept: `date-nano`, `flex`, and `type`.
enum SpecialTypeRule {
  struct Fault {
    var name: String
    var place: SourceSpan
    /// Another annotation that asks for a type as well.
    var other: SourceSpan?
    var fixIts: [FixIt] = []
  }

  /// Returns the type that the annotations ask for; nil for the usual one.
  static func type(
    _ annotations: Annotations,
    base: PropertyType
  ) -> (type: PropertyType?, faults: [Fault]) {
    var type: PropertyType?
    var faults: [Fault] = []
    var first: SourceSpan?
    for name in ["date-nano", "flex", "type"] {
      guard let item = annotations[name] else { continue }
      let asked = name == "type" ? item.value.string ?? "" : name
      switch (asked, base) {
      case ("date-nano", .date) where first == nil: type = .dateNano
      case ("flex", .byteVector) where first == nil: type = .flex
      default:
        let place = name == "type" ? item.valuePlace : item.name
        var fault = Fault(name: asked.isEmpty ? name : asked, place: place, other: first)
        if name == "type", first == nil {
          fault.fixIts = FixIt.correction(of: asked, at: place, among: names(for: base))
        }
        faults.append(fault)
      }
      first = first ?? item.name
    }
    return (type, faults)
  }

  /// Returns the values of `type` that fit a type.
  private static func names(for base: PropertyType) -> Set<String> {
    switch base {
    case .date: ["date-nano"]
    case .byteVector: ["flex"]
    default: []
    }
  }
}
