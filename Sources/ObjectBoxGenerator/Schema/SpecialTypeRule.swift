/// The annotations that change how dates and bytes are kept: `date-nano`, `flex`, and `type`.
enum SpecialTypeRule {
  struct Fault {
    var name: String
    var position: SourcePosition
  }

  /// Returns the type that the annotations ask for; nil for the usual one.
  static func type(
    _ annotations: Annotations,
    base: PropertyType
  ) -> (type: PropertyType?, faults: [Fault]) {
    var type: PropertyType?
    var faults: [Fault] = []
    var count = 0
    for name in ["date-nano", "flex", "type"] {
      guard let item = annotations[name] else { continue }
      count += 1
      let asked = name == "type" ? item.value.string ?? "" : name
      switch (asked, base) {
      case ("date-nano", .date) where count == 1: type = .dateNano
      case ("flex", .byteVector) where count == 1: type = .flex
      default:
        faults.append(Fault(name: asked.isEmpty ? name : asked, position: item.position))
      }
    }
    return (type, faults)
  }
}
