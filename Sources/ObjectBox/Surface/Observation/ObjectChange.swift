/// A change of an observed object.
public enum ObjectChange: Sendable {
  /// Properties have other values; in the order of the entity's properties.
  case change([PropertyChange])
  /// The object has been removed; nothing comes after this.
  case deleted
}

/// A property of an object that has another value.
///
/// The values are those of the record, not of the object: enumerations and converted types are told in their
/// stored form. Numbers come in the size of the property (a Swift `Int` is an `Int64`), dates as
/// `Date`, bytes as `Data`, UUIDs as `UUID`, decimals as `Decimal`, URLs as their `String`, vectors as arrays, and
/// to-one relations as the `UInt64` ID of the target.
public struct PropertyChange: Sendable {
  /// The name of the property.
  public let name: String
  /// The value that was told last, or the one at the beginning; nil for none.
  public let oldValue: (any Sendable)?
  /// The value now; nil for none.
  public let newValue: (any Sendable)?
}
