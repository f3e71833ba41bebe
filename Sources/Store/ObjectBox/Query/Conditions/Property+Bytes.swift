public import Foundation

// Bytes compare like texts: by the first byte that differs; a prefix is less than the whole.

extension Property where V: DataPropertyType, R == Void {
  /// Matches objects with the given bytes.
  public func isEqual(to value: Data) -> PropertyQueryCondition<E, V> {
    comparing(.equal, [value])
  }

  /// Matches objects with other bytes; nulls do not match.
  public func isNotEqual(to value: Data) -> PropertyQueryCondition<E, V> {
    comparing(.notEqual, [value])
  }

  /// Matches objects with lesser bytes.
  public func isLessThan(_ value: Data) -> PropertyQueryCondition<E, V> {
    comparing(.less, [value])
  }

  /// Matches objects with greater bytes.
  public func isGreaterThan(_ value: Data) -> PropertyQueryCondition<E, V> {
    comparing(.greater, [value])
  }

  /// Matches objects with lesser or equal bytes.
  public func isLessThanEqual(_ value: Data) -> PropertyQueryCondition<E, V> {
    comparing(.lessOrEqual, [value])
  }

  /// Matches objects with greater or equal bytes.
  public func isGreaterThanEqual(_ value: Data) -> PropertyQueryCondition<E, V> {
    comparing(.greaterOrEqual, [value])
  }

  /// Matches objects with any of the given bytes.
  public func isIn(_ values: [Data]) -> PropertyQueryCondition<E, V> { comparing(.isIn, values) }

  /// Matches objects with none of the given bytes; nulls do not match.
  public func isNotIn(_ values: [Data]) -> PropertyQueryCondition<E, V> {
    comparing(.isNotIn, values)
  }
}

extension Property {
  fileprivate func comparing(
    _ comparison: PropertyCondition.Comparison,
    _ values: [some Collection<UInt8>]
  ) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(propertyId, comparison, .bytes(values.map { [UInt8]($0) }))
  }
}

// MARK: - Operators

extension Property where V: DataPropertyType, R == Void {
  /// Matches objects with the given bytes.
  public static func == (left: Self, right: Data) -> PropertyQueryCondition<E, V> {
    left.comparing(.equal, [right])
  }

  /// Matches objects with other bytes; nulls do not match.
  public static func != (left: Self, right: Data) -> PropertyQueryCondition<E, V> {
    left.comparing(.notEqual, [right])
  }

  /// Matches objects with lesser bytes.
  public static func < (left: Self, right: Data) -> PropertyQueryCondition<E, V> {
    left.comparing(.less, [right])
  }

  /// Matches objects with greater bytes.
  public static func > (left: Self, right: Data) -> PropertyQueryCondition<E, V> {
    left.comparing(.greater, [right])
  }

  /// Matches objects with lesser or equal bytes.
  public static func <= (left: Self, right: Data) -> PropertyQueryCondition<E, V> {
    left.comparing(.lessOrEqual, [right])
  }

  /// Matches objects with greater or equal bytes.
  public static func >= (left: Self, right: Data) -> PropertyQueryCondition<E, V> {
    left.comparing(.greaterOrEqual, [right])
  }

  /// Matches objects with any of the given bytes.
  public static func ∈ (left: Self, right: [Data]) -> PropertyQueryCondition<E, V> {
    left.comparing(.isIn, right)
  }

  /// Matches objects with none of the given bytes; nulls do not match.
  public static func ∉ (left: Self, right: [Data]) -> PropertyQueryCondition<E, V> {
    left.comparing(.isNotIn, right)
  }
}

extension Property where V: ByteArrayPropertyType, R == Void {
  /// Matches objects with the given bytes.
  public static func == (left: Self, right: [UInt8]) -> PropertyQueryCondition<E, V> {
    left.comparing(.equal, [right])
  }

  /// Matches objects with other bytes; nulls do not match.
  public static func != (left: Self, right: [UInt8]) -> PropertyQueryCondition<E, V> {
    left.comparing(.notEqual, [right])
  }

  /// Matches objects with lesser bytes.
  public static func < (left: Self, right: [UInt8]) -> PropertyQueryCondition<E, V> {
    left.comparing(.less, [right])
  }

  /// Matches objects with greater bytes.
  public static func > (left: Self, right: [UInt8]) -> PropertyQueryCondition<E, V> {
    left.comparing(.greater, [right])
  }

  /// Matches objects with lesser or equal bytes.
  public static func <= (left: Self, right: [UInt8]) -> PropertyQueryCondition<E, V> {
    left.comparing(.lessOrEqual, [right])
  }

  /// Matches objects with greater or equal bytes.
  public static func >= (left: Self, right: [UInt8]) -> PropertyQueryCondition<E, V> {
    left.comparing(.greaterOrEqual, [right])
  }

  /// Matches objects with any of the given bytes.
  public static func ∈ (left: Self, right: [[UInt8]]) -> PropertyQueryCondition<E, V> {
    left.comparing(.isIn, right)
  }

  /// Matches objects with none of the given bytes; nulls do not match.
  public static func ∉ (left: Self, right: [[UInt8]]) -> PropertyQueryCondition<E, V> {
    left.comparing(.isNotIn, right)
  }
}
