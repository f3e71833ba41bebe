internal import ObjectBox

/// A change of an observed object.
public enum ObjectChange: Sendable {
  /// Properties have other values; in the order of the entity's properties.
  case change([PropertyChange])
  /// The object has been removed; the last change.
  case deleted
}

/// A property of an object that has another value.
///
/// The values are those of the record, not of the object: enumerations and converted types have their stored
/// form. Numbers have the size of the property (a Swift `Int` is an `Int64`), dates are `Date`, bytes `Data`,
/// UUIDs `UUID`, decimals `Decimal`, URLs their `String`, vectors arrays, and to-one relations the `UInt64` ID
/// of the target.
public struct PropertyChange: Sendable {
  /// The name of the property.
  public let name: String
  /// The value at the change before, or at the beginning; nil for none.
  public let oldValue: (any Sendable)?
  /// The value now; nil for none.
  public let newValue: (any Sendable)?
}
