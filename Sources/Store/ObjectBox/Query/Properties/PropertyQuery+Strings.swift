extension PropertyQuery where T: StringPropertyType {
  /// Counts each value once; cannot be undone.
  ///
  /// - Parameter caseSensitiveCompare: False to ignore case, in every script; the first of equal
  ///   values counts.
  /// - Returns: The query itself.
  /// - Throws: Nothing; declared for source compatibility.
  @discardableResult
  public func distinct(caseSensitiveCompare: Bool = true) throws -> PropertyQuery<E, T> {
    foldsCase = !caseSensitiveCompare
    return try distinct()
  }

  /// Returns the values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findStrings() throws -> [String] {
    try all(forEachString)
  }

  /// Returns the last value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findString() throws -> String? {
    var last: String?
    try forEachString { last = $0 }
    return last
  }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the
  /// store is closed or cannot be read.
  public func findUniqueString() throws -> String? {
    try only(forEachString)
  }

  private func forEachString(_ body: (String) throws -> Void) throws {
    try forEachBytes { try body(String(decoding: $0, as: UTF8.self)) }
  }
}

extension PropertyQuery where T == String? {
  /// Counts nulls as the given value, and returns the query itself.
  @discardableResult
  public func with(nullString: String) -> PropertyQuery<E, T> { setNullValue(.texts([nullString])) }
}
