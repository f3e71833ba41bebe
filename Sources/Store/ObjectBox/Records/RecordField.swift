/// The position of a property in the records of one layout.
///
/// Each access to a property looks a field up, so a field is small and has no references.
///
/// Generated code in the module of the program reads it in place.
@usableFromInline
package struct RecordField: Hashable, Sendable {
  /// The form in which the bytes of a property are stored.
  @usableFromInline
  package enum Kind: UInt8, Sendable {
    /// The layout lacks the property.
    case absent
    /// The object ID, which is the key of the record and not in it.
    case objectID
    case integer8, integer16, integer32, integer64
    case float32, float64
    /// A value of the variable part, after another value.
    case variable
    /// The first value of the variable part.
    case firstVariable
  }

  @usableFromInline package var kind: Kind
  /// The distance in bytes from the record's start to the value, or to the stored end of a variable
  /// value.
  @usableFromInline package var offset: UInt16
  /// The number of the bit that is 1 if there is a value.
  @usableFromInline var presenceBit: UInt16

  /// The byte of a record, and the bit in it that is 1 if there is a value.
  package var presence: (offset: Int, mask: UInt8) {
    (2 + Int(presenceBit >> 3), 1 << UInt8(truncatingIfNeeded: presenceBit & 7))
  }

  /// The size of the value in bytes; nil for a variable value.
  package var size: Int? { kind.fixedSize }

  static let absent = Self(kind: .absent, offset: 0, presenceBit: 0)
}

extension RecordField.Kind {
  /// Makes the kind of a type's values; all variable types have the same kind.
  package init(type: PropertyType) {
    switch type {
    case .bool, .byte, .unknown: self = .integer8
    case .short, .char: self = .integer16
    case .int: self = .integer32
    case .long, .date, .dateNano, .relation: self = .integer64
    case .float: self = .float32
    case .double: self = .float64
    case .string, .flex, .boolVector, .byteVector, .shortVector, .charVector, .intVector,
      .longVector, .floatVector, .doubleVector, .stringVector, .dateVector, .dateNanoVector:
      self = .variable
    }
  }

  /// The size of the value in bytes; nil for other kinds than fixed values.
  package var fixedSize: Int? {
    switch self {
    case .integer8: 1
    case .integer16: 2
    case .integer32, .float32: 4
    case .integer64, .float64: 8
    case .absent, .objectID, .variable, .firstVariable: nil
    }
  }

  /// True for stored integers of any width.
  var isInteger: Bool {
    switch self {
    case .integer8, .integer16, .integer32, .integer64: true
    case .absent, .objectID, .float32, .float64, .variable, .firstVariable: false
    }
  }

  package var isVariable: Bool { self == .variable || self == .firstVariable }
}
