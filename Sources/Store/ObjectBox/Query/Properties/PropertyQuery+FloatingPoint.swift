extension PropertyQuery where T: BinaryFloatingPoint {
  private func total() throws -> (sum: DoubleSum, count: Int) {
    try foldDoubles((sum: DoubleSum(), count: 0)) { total, value in
      total.sum.add(value)
      total.count += 1
    }
  }

  private func extreme(isGreatest: Bool) throws -> T {
    switch RecordField.Kind(type: try property().type) {
    case .float32, .float64:
      if let found = try indexedExtreme(isGreatest: isGreatest, { $0.double($1) }) {
        return T(found.first ?? 0)
      }
    default: break
    }
    let best = try foldDoubles(Double?.none) { best, value in
      if !value.isNaN, best.map({ isGreatest ? value > $0 : value < $0 }) ?? true { best = value }
    }
    return T(best ?? 0)
  }

  private func forEachValue(_ body: (T) throws -> Void) throws {
    try forEachDouble { try body(T($0)) }
  }

  /// Returns the sum of the values; 0 when there is none.
  ///
  /// Added with twice the precision and then rounded, so the order of the objects hardly ever matters.
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func sum() throws -> Double { try total().sum.value }

  /// Returns the greatest value; 0 when there is none.
  ///
  /// Reads one object if a value index of the property alone decides the results.
  ///
  /// NaN does not count. Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func max() throws -> T { try extreme(isGreatest: true) }

  /// Returns the least value; 0 when there is none.
  ///
  /// Reads one object if a value index of the property alone decides the results.
  ///
  /// NaN does not count. Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func min() throws -> T { try extreme(isGreatest: false) }

  /// Returns the arithmetic mean of the values, their sum divided by their number; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func average() throws -> Double {
    let total = try total()
    return total.count == 0 ? 0 : total.sum.value / Double(total.count)
  }

  /// Returns the values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findDoubles() throws -> [Double] where T == Double { try all(forEachValue) }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the
  /// store is closed or cannot be read.
  public func findUniqueDouble() throws -> Double? where T == Double { try only(forEachValue) }

  /// Returns the values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findFloats() throws -> [Float] where T == Float { try all(forEachValue) }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the
  /// store is closed or cannot be read.
  public func findUniqueFloat() throws -> Float? where T == Float { try only(forEachValue) }
}

extension PropertyQuery where T: ScalarPropertyType, T.Scalar: BinaryFloatingPoint {
  /// Counts nulls as the given value, and returns the query itself.
  @discardableResult
  public func with(nullValue: T.Scalar) -> PropertyQuery<E, T> {
    setNullValue(.doubles([Double(nullValue)]))
  }
}
