public import Foundation

extension PropertyQuery where T: EncodedPropertyType {
  /// Returns the values; skips UUIDs that do not have 16 bytes.
  ///
  /// Throws ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is not a value,
  /// others when the store is closed or cannot be read.
  public func find() throws -> [T.Encoded] {
    try all(forEachValue)
  }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the
  /// store is closed or cannot be read.
  public func findUnique() throws -> T.Encoded? {
    try only(forEachValue)
  }

  /// Passes the readable values to a block; throws for a text that is not a value.
  func forEachValue(_ body: (T.Encoded) throws -> Void) throws {
    try forEachBytes { bytes in
      if let value = try T.Encoded.checkedValue(
        in: bytes,
        of: try property().name,
        E.entityInfo.entityName,
        quoting
      ) {
        try body(value)
      }
    }
  }

  /// The error of a text that is not a value.
  func unreadable(_ bytes: UnsafeRawBufferPointer) throws -> ObjectBoxError {
    T.Encoded.unreadable(
      bytes,
      of: try property().name,
      E.entityInfo.entityName,
      quoting
    )
  }
}

extension PropertyQuery where T: UUIDPropertyType {
  /// Returns the UUIDs; skips values that do not have 16 bytes.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findUUIDs() throws -> [UUID] { try find() }

  /// Returns the last UUID; nil when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findUUID() throws -> UUID? {
    var last: UUID?
    try forEachValue { last = $0 }
    return last
  }

  /// Returns the only UUID; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the
  /// store is closed or cannot be read.
  public func findUniqueUUID() throws -> UUID? { try findUnique() }
}
