extension PropertyQuery where T: FixedWidthInteger {
  /// Passes the values to a block; values of unsigned properties are not negative.
  private func forEachNumber(_ body: (Int128) -> Void) throws {
    let property = try property()
    let order = IntegerOrder(property)
    let isUnsigned = property.has(.unsigned)
    try forEachInteger { bits in
      body(
        isUnsigned
          ? Int128(UInt64(bitPattern: bits) & order.mask) : Int128(T(truncatingIfNeeded: bits))
      )
    }
  }

  private func total() throws -> (sum: Int128, count: Int) {
    var sum: Int128 = 0
    var count = 0
    try forEachNumber { value in
      sum += value
      count += 1
    }
    return (sum, count)
  }

  private func narrow<N: FixedWidthInteger>(_ sum: Int128, to type: N.Type) throws -> N {
    if let number = N(exactly: sum) { return number }
    throw ObjectBoxError.unknown(
      // ObjectBox's number for a sum that overflows 64 bits.
      code: 10004,
      message: "the sum \(sum) does not fit into \(type); sum fewer values, or use average"
    )
  }

  /// Returns the sum of the values.
  ///
  /// Throws ``ObjectBoxError/unknown(code:message:)`` with code 10004 when it does not fit, others when the
  /// store is closed or cannot be read.
  public func sum() throws -> Int64 { try narrow(try total().sum, to: Int64.self) }

  /// Returns the sum of the values.
  ///
  /// Throws ``ObjectBoxError/unknown(code:message:)`` with code 10004 when it does not fit, others when the
  /// store is closed or cannot be read.
  public func sumInt() throws -> Int { try narrow(try total().sum, to: Int.self) }

  /// Returns the sum of the values, which must not be negative.
  ///
  /// Throws ``ObjectBoxError/unknown(code:message:)`` with code 10004 when it does not fit, others when the
  /// store is closed or cannot be read.
  public func sumUnsigned() throws -> UInt64 { try narrow(try total().sum, to: UInt64.self) }

  /// Returns the greatest value; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func max() throws -> T {
    var greatest: Int128?
    try forEachNumber { greatest = Swift.max(greatest ?? $0, $0) }
    return T(truncatingIfNeeded: greatest ?? 0)
  }

  /// Returns the least value; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func min() throws -> T {
    var least: Int128?
    try forEachNumber { least = Swift.min(least ?? $0, $0) }
    return T(truncatingIfNeeded: least ?? 0)
  }

  /// Returns the arithmetic mean of the values; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func average() throws -> Double {
    let total = try total()
    return total.count == 0 ? 0 : Double(total.sum) / Double(total.count)
  }

  /// Returns the arithmetic mean of the values without its fraction; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func averageInt() throws -> T {
    let total = try total()
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
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the store is
  /// closed or cannot be read.
  public func findUnique() throws -> T? {
    try only(forEachValue)
  }

  private func forEachValue(_ body: (T) throws -> Void) throws {
    try forEachInteger { try body(T(truncatingIfNeeded: $0)) }
  }
}

extension PropertyQuery where T: ScalarPropertyType, T.Scalar == Int64 {
  /// Counts nulls as a value, and returns the query itself.
  @discardableResult
  public func with(nullValue: Int64) -> PropertyQuery<E, T> { setNullValue(.integers([nullValue])) }
}
