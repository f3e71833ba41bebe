/// The value of a property in its form in messages: a scalar or bytes.
///
/// Text travels as UTF-8 bytes, dates as integers in the property's unit.
package enum PropertyValue: Hashable, Sendable {
  /// No value.
  case null
  /// Any integer, Boolean or date.
  case integer(Int64)
  /// A floating-point number by its bit pattern, so that NaN equals itself.
  case double(bits: UInt64)
  /// Text, bytes and vectors.
  case bytes([UInt8])
  /// The target of a to-one relation.
  ///
  /// Rows contain the target's ID as ``integer(_:)``. Only operations contain references, since an unconfirmed target
  /// may get another ID.
  case target(ObjectReference)

  /// The integer, or nil for other values.
  package var integerValue: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }
}
