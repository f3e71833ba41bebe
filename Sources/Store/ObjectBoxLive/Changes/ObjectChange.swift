internal import ObjectBox

/// A change of an observed object.
public enum ObjectChange: Sendable {
  /// Properties have new values; in the order of the entity's properties.
  case change([PropertyChange])
  /// The object was removed; always the last change.
  case deleted
}

/// A property of an object that has a new value.
///
/// Values are in stored form: enumerations and converted types are not converted. Numbers have the
/// property's width (a Swift `Int` is an `Int64`); dates are `Date`, bytes `Data`, UUIDs `UUID`,
/// decimals `Decimal`, URLs `String`, vectors arrays; a to-one relation is the target's ID, a
/// `UInt64`.
public struct PropertyChange: Sendable {
  /// The name of the property.
  public let name: String
  /// The value at the previous change, or at the beginning; nil for null.
  public let oldValue: (any Sendable)?
  /// The new value; nil for null.
  public let newValue: (any Sendable)?
}
