internal import ObjectBoxStorage

/// Stored records by the IDs of their objects.
extension EntityTable {
  /// Returns the record of an object, whose checksum is not looked at; nil when there is none.
  ///
  /// The reader is valid until the transaction writes or ends. Uses no cursor, since opening one takes longer
  /// than reading a record.
  @inline(__always)
  func record(_ id: UInt64, in storage: StorageTransaction) throws -> FlatBufferReader? {
    guard let bytes = try storage.get(records.objects, id: id) else { return nil }
    return try records.reader(bytes, id: id)
  }

  /// Returns a copy of the bytes of a record; nil when there is none.
  func bytes(of id: UInt64, in storage: StorageTransaction) throws -> [UInt8]? {
    try storage.get(records.objects, id: id).map { [UInt8]($0) }
  }

  /// Returns whether there is an object with an ID, without decoding its record.
  @inline(__always)
  func contains(_ id: UInt64, in storage: StorageTransaction) throws -> Bool {
    try storage.get(records.objects, id: id) != nil
  }

  /// Returns the highest ID of a stored object; 0 for none.
  func lastStoredID(in storage: StorageTransaction) throws -> UInt64 {
    try storage.cursor(records.objects).lastObject()?.id ?? 0
  }

  /// Returns the number of objects.
  func count(in storage: StorageTransaction) throws -> Int { try storage.count(records.objects) }
}
