extension PropertyQuery where T: FixedWidthInteger {
  /// The sum, count, least and greatest value; values of unsigned properties are not negative.
  private func summary() throws -> IntegerSummary {
    let property = try property()
    // As numbers, not types, which threads could not share: they cut a value to its type.
    let isUnsigned = property.has(.unsigned) || !T.isSigned
    let mask = property.has(.unsigned) ? IntegerOrder(property).mask : UInt64(T.max)
    let excess = Int64(64 - T.bitWidth)
    return try foldIntegers(IntegerSummary()) { summary, bits in
      summary.add(
        isUnsigned ? Int128(UInt64(bitPattern: bits) & mask) : Int128((bits << excess) >> excess)
      )
    } _: {
      $0.add($1)
    }
  }

  /// Returns the sum of the values.
  ///
  /// Throws ``ObjectBoxError/unknown(code:message:)`` with code 10004 when it does not fit, others
  /// when the store is closed or cannot be read.
  public func sum() throws -> Int64 { try summary().sum.narrowed(to: Int64.self) }

  /// Returns the sum of the values.
  ///
  /// Throws ``ObjectBoxError/unknown(code:message:)`` with code 10004 when it does not fit, others
  /// when the store is closed or cannot be read.
  public func sumInt() throws -> Int { try summary().sum.narrowed(to: Int.self) }

  /// Returns the sum of the values, which must not be negative.
  ///
  /// Throws ``ObjectBoxError/unknown(code:message:)`` with code 10004 when it does not fit, others
  /// when the store is closed or cannot be read.
  public func sumUnsigned() throws -> UInt64 { try summary().sum.narrowed(to: UInt64.self) }

  /// Returns the greatest value; 0 when there is none.
  ///
  /// Reads one object if a value index of the property alone decides the results.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func max() throws -> T { try extreme(isGreatest: true) }

  /// Returns the least value; 0 when there is none.
  ///
  /// Reads one object if a value index of the property alone decides the results.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func min() throws -> T { try extreme(isGreatest: false) }

  private func extreme(isGreatest: Bool) throws -> T {
    let property = try property()
    let kind = RecordField.Kind(type: property.type)
    // The index has the order of the property's type.
    if kind.isInteger, kind.fixedSize == T.bitWidth / 8, property.has(.unsigned) != T.isSigned,
      property.type != .bool,
      let found = try indexedExtreme(isGreatest: isGreatest, { $0.integer($1) })
    {
      return T(truncatingIfNeeded: found.first ?? 0)
    }
    let summary = try summary()
    return T(truncatingIfNeeded: (isGreatest ? summary.greatest : summary.least) ?? 0)
  }

  /// Returns the arithmetic mean of the values; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func average() throws -> Double {
    let total = try summary()
    return total.count == 0 ? 0 : total.sum.mean(of: total.count)
  }

  /// Returns the arithmetic mean of the values, truncated to an integer; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func averageInt() throws -> T {
    let total = try summary()
    return total.count == 0 ? 0 : T(truncatingIfNeeded: total.sum / Int128(total.count))
  }

  /// Returns the values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func find() throws -> [T] {
    try all(forEachValue)
  }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the
  /// store is closed or cannot be read.
  public func findUnique() throws -> T? {
    try only(forEachValue)
  }

  private func forEachValue(_ body: (T) throws -> Void) throws {
    try forEachInteger { try body(T(truncatingIfNeeded: $0)) }
  }
}

extension PropertyQuery where T: ScalarPropertyType, T.Scalar == Int64 {
  /// Counts nulls as the given value, and returns the query itself.
  @discardableResult
  public func with(nullValue: Int64) -> PropertyQuery<E, T> { setNullValue(.integers([nullValue])) }
}

extension Int128 {
  /// Returns a sum in the type of a result.
  ///
  /// - Parameter type: The type.
  /// - Returns: The same number.
  /// - Throws: ``ObjectBoxError/unknown(code:message:)`` with code 10004 when it does not fit.
  package func narrowed<N: FixedWidthInteger>(to type: N.Type) throws -> N {
    if let number = N(exactly: self) { return number }
    throw ObjectBoxError.sumOverflow("the sum \(self) does not fit into \(type)")
  }
}

/// The sum, count and limits of integers.
private struct IntegerSummary {
  private(set) var sum: Int128 = 0
  private(set) var count = 0
  private(set) var least: Int128?
  private(set) var greatest: Int128?

  mutating func add(_ value: Int128) {
    sum += value
    count += 1
    least = Swift.min(least ?? value, value)
    greatest = Swift.max(greatest ?? value, value)
  }

  mutating func add(_ other: Self) {
    sum += other.sum
    count += other.count
    if let value = other.least { least = Swift.min(least ?? value, value) }
    if let value = other.greatest { greatest = Swift.max(greatest ?? value, value) }
  }
}
