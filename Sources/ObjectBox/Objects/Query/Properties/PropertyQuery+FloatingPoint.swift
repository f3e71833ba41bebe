extension PropertyQuery {
  fileprivate func total() throws -> (sum: Double, count: Int) {
    var sum = 0.0
    var count = 0
    try forEachDouble { value in
      sum += value
      count += 1
      return true
    }
    return (sum, count)
  }

  fileprivate func mean() throws -> Double {
    let total = try total()
    return total.count == 0 ? 0 : total.sum / Double(total.count)
  }

  fileprivate func extreme(_ isBetter: (Double, Double) -> Bool) throws -> Double? {
    var best: Double?
    try forEachDouble { value in
      if !value.isNaN, best.map({ isBetter(value, $0) }) ?? true { best = value }
      return true
    }
    return best
  }

  fileprivate func doubles() throws -> [Double] {
    var values: [Double] = []
    try forEachDouble { value in
      values.append(value)
      return true
    }
    return values
  }

  fileprivate func onlyDouble() throws -> Double? {
    var found: Double?
    try forEachDouble { value in
      guard found == nil else { throw moreThanOne() }
      found = value
      return true
    }
    return found
  }
}

extension PropertyQuery where T == Double {
  /// Returns the sum of the values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func sum() throws -> Double { try total().sum }

  /// Returns the greatest value; 0 when there is none.
  ///
  /// Not-a-number does not count. Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func max() throws -> Double { Double(try extreme(>) ?? 0) }

  /// Returns the least value; 0 when there is none.
  ///
  /// Not-a-number does not count. Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func min() throws -> Double { Double(try extreme(<) ?? 0) }

  /// Returns the arithmetic mean of the values; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func average() throws -> Double { try mean() }

  /// Returns the values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findDoubles() throws -> [Double] { try doubles().map { Double($0) } }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the store is
  /// closed or cannot be read.
  public func findUniqueDouble() throws -> Double? { try onlyDouble().map { Double($0) } }
}

extension PropertyQuery where T == Double {
  /// Counts nulls as a value, and returns the query itself.
  @discardableResult
  public func with(nullValue: Double) -> PropertyQuery<E, T> {
    setNullValue(.doubles([Double(nullValue)]))
  }
}

extension PropertyQuery where T == Double? {
  /// Counts nulls as a value, and returns the query itself.
  @discardableResult
  public func with(nullValue: Double) -> PropertyQuery<E, T> {
    setNullValue(.doubles([Double(nullValue)]))
  }
}

extension PropertyQuery where T == Float {
  /// Returns the sum of the values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func sum() throws -> Double { try total().sum }

  /// Returns the greatest value; 0 when there is none.
  ///
  /// Not-a-number does not count. Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func max() throws -> Float { Float(try extreme(>) ?? 0) }

  /// Returns the least value; 0 when there is none.
  ///
  /// Not-a-number does not count. Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func min() throws -> Float { Float(try extreme(<) ?? 0) }

  /// Returns the arithmetic mean of the values; 0 when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func average() throws -> Double { try mean() }

  /// Returns the values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findFloats() throws -> [Float] { try doubles().map { Float($0) } }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the store is
  /// closed or cannot be read.
  public func findUniqueFloat() throws -> Float? { try onlyDouble().map { Float($0) } }
}

extension PropertyQuery where T == Float {
  /// Counts nulls as a value, and returns the query itself.
  @discardableResult
  public func with(nullValue: Float) -> PropertyQuery<E, T> {
    setNullValue(.doubles([Double(nullValue)]))
  }
}

extension PropertyQuery where T == Float? {
  /// Counts nulls as a value, and returns the query itself.
  @discardableResult
  public func with(nullValue: Float) -> PropertyQuery<E, T> {
    setNullValue(.doubles([Double(nullValue)]))
  }
}
