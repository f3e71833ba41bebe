import Foundation
package import ObjectBox

/// Makes conditions on a property of the fixtures, and predicts their results.
package struct FixtureSearch<E: FixtureEntity> {
  package typealias Condition = QueryCondition<FixtureObject<E>>
  private let property: FixtureProperty

  package init(_ property: FixtureProperty) {
    self.property = property
  }

  private func typed<V: EntityPropertyTypeConvertible>(
    _ type: V.Type
  ) -> Property<FixtureObject<E>, V, Void> { Property(property) }

  /// Returns the condition that a property has a value; nil where no condition can express it.
  package func condition(_ value: JSON) -> Condition? {
    switch (property.type, value) {
    case (.bool, .bool(let bool)): typed(Bool.self) == bool
    case (.relation, .integer(let number)):
      Property<FixtureObject<E>, Id, FixtureObject<E>>(propertyId: property.id)
        .isEqual(to: Id(bitPattern: number))
    case (.byte, .integer(let number)) where property.isUnsigned:
      typed(UInt8.self) == UInt8(truncatingIfNeeded: number)
    case (.byte, .integer(let number)):
      typed(Int8.self) == Int8(truncatingIfNeeded: number)
    case (.short, .integer(let number)) where property.isUnsigned:
      typed(UInt16.self) == UInt16(truncatingIfNeeded: number)
    case (.short, .integer(let number)), (.char, .integer(let number)):
      typed(Int16.self) == Int16(truncatingIfNeeded: number)
    case (.int, .integer(let number)) where property.isUnsigned:
      typed(UInt32.self) == UInt32(truncatingIfNeeded: number)
    case (.int, .integer(let number)): typed(Int32.self) == Int32(truncatingIfNeeded: number)
    case (.long, .integer(let number)) where property.isUnsigned:
      typed(UInt64.self) == UInt64(bitPattern: number)
    case (.long, .unsigned(let number)): typed(UInt64.self) == number
    case (.long, .integer(let number)), (.dateNano, .integer(let number)):
      typed(Int64.self) == number
    case (.date, .integer(let number)):
      typed(Date.self) == Date(timeIntervalSince1970: Double(number) / 1000)
    case (.double, .text(let text)) where text != "nan" && !property.flags.contains(.indexHash64):
      Double(text).flatMap { typed(Double.self).isBetween($0, and: $0) }
    case (.float, .text(let text)) where text != "nan":
      Float(text).flatMap { typed(Float.self).isBetween($0, and: $0) }
    case (.string, .text(let text)) where property.isDecimal:
      Self.decimal(text).map { typed(Decimal.self) == $0 }
    case (.string, .text(let text)):
      typed(String.self).isEqual(to: text, caseSensitive: property.collation == .binary)
    case (.byteVector, .text(let text)) where property.isUUID:
      UUID(uuidString: text).map { typed(UUID.self) == $0 }
    case (.byteVector, .text(let text)):
      Hex.bytes(text).map { typed(Data.self) == Data($0) }
    default: nil
    }
  }

  /// Returns the decimal of a text; nil for the fixtures' texts that are no decimals.
  private static func decimal(_ text: String) -> Decimal? {
    text.contains { $0.isLetter && $0 != "E" } ? nil : Decimal(string: text)
  }

  /// Returns whether the condition for a value should match an object with another value.
  package func matches(_ other: JSON?, _ value: JSON) -> Bool {
    guard let other else { return false }
    switch (property.type, other.string, value.string) {
    case (.double, .some(let a), .some(let b)), (.float, .some(let a), .some(let b)):
      return Double(a) == Double(b)
    case (.string, .some(let a), .some(let b)) where property.isDecimal:
      return Self.decimal(a) == Self.decimal(b)
    case (.string, .some(let a), .some(let b)) where property.collation == .nocase:
      return FormatBytes.folded(a) == FormatBytes.folded(b)
    default: return other == value
    }
  }
}

extension Property {
  package init(_ property: FixtureProperty) {
    self.init(propertyId: property.id)
  }
}
