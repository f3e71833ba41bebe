public import Foundation

extension PropertyQuery where T: EncodedPropertyType {
  /// Returns the values; UUIDs that cannot be read, since they have not 16 bytes, are left out.
  ///
  /// Throws ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is no value, others when the
  /// store is closed or cannot be read.
  public func find() throws -> [T.Encoded] {
    try all(forEachValue)
  }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the store is
  /// closed or cannot be read.
  public func findUnique() throws -> T.Encoded? {
    try only(forEachValue)
  }

  /// Passes the values that can be read to a block; throws for a text that is none.
  func forEachValue(_ body: (T.Encoded) throws -> Void) throws {
    try forEachBytes { bytes in
      if let value = try T.Encoded.checkedValue(
        in: bytes,
        of: try property().name,
        E.entityInfo.entityName
      ) {
        try body(value)
      }
    }
  }

  /// The error of a text that is no value.
  func unreadable(_ bytes: UnsafeRawBufferPointer) throws -> ObjectBoxError {
    T.Encoded.unreadable(bytes, of: try property().name, E.entityInfo.entityName)
  }
}

extension PropertyQuery where T: UUIDPropertyType {
  /// Returns the UUIDs; values that have not 16 bytes are left out.
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
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the store is
  /// closed or cannot be read.
  public func findUniqueUUID() throws -> UUID? { try findUnique() }
}
