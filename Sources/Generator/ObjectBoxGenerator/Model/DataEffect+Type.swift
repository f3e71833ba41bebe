extension DataEffect {
  /// Groups of types whose stored bytes mean the same; must agree with the runtime's
  /// `SchemaChecks`.
  private static let families: [Set<SchemaPropertyType>] = [
    [.byteVector, .flex], [.short, .char],
  ]

  /// Returns the effect of a change of the type; nil if both versions have one type.
  static func ofType(
    _ old: ModelDocument.Property,
    _ new: ModelDocument.Property
  ) -> DataEffect? {
    guard old.type != new.type else { return nil }
    guard let number = old.type, let newNumber = new.type else { return .typeFromProgram }
    guard let before = SchemaPropertyType(rawValue: number),
      let after = SchemaPropertyType(rawValue: newNumber)
    else { return .retyped }
    if families.contains(where: { $0.contains(before) && $0.contains(after) }) {
      return .sameBytes
    }
    // A cluster reads signed numbers as unsigned ones only of the same width.
    let keepsSign = old.flags.contains(.unsigned) || !new.flags.contains(.unsigned)
    return before.isWidened(to: after, keepsSign: keepsSign) ? .widened : .retyped
  }
}

extension SchemaPropertyType {
  /// The number of bits of an integer type; nil for other types.
  private var width: Int? {
    switch self {
    case .byte: 8
    case .short, .char: 16
    case .int: 32
    case .long: 64
    default: nil
    }
  }

  /// Returns whether clusters keep the values of a column that gets another type.
  ///
  /// Must agree with the cluster's `TypeChange`.
  fileprivate func isWidened(to other: SchemaPropertyType, keepsSign: Bool) -> Bool {
    if self == .float { return other == .double }
    guard let width, let wider = other.width else { return false }
    return width < wider && keepsSign
  }
}
