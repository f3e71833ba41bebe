public import Foundation

extension PropertyQuery where T: UUIDPropertyType {
  /// Returns the UUIDs; values that have not 16 bytes are left out.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findUUIDs() throws -> [UUID] {
    var values: [UUID] = []
    try forEachUUID { values.append($0) }
    return values
  }

  /// Returns the last UUID; nil when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func findUUID() throws -> UUID? {
    var last: UUID?
    try forEachUUID { last = $0 }
    return last
  }

  /// Returns the only UUID; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/uniqueViolation(message:)`` when there are several, others when the store is
  /// closed or cannot be read.
  public func findUniqueUUID() throws -> UUID? {
    var found: UUID?
    try forEachUUID { uuid in
      guard found == nil else { throw moreThanOne() }
      found = uuid
    }
    return found
  }

  private func forEachUUID(_ body: (UUID) throws -> Void) throws {
    try forEachBytes { bytes in
      if let uuid = UUIDCodec.uuid(in: bytes) { try body(uuid) }
      return true
    }
  }
}
