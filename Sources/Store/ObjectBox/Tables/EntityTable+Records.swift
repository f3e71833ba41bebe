package import ObjectBoxStorage

/// Stored records by the IDs of their objects.
extension EntityTable {
  /// Returns the record of an object, without checking its checksum; nil if there is none.
  ///
  /// The reader is valid until the transaction writes or ends. It uses no cursor: opening a cursor
  /// takes longer than reading a record.
  @inline(__always)
  package func record(_ id: UInt64, in storage: StorageTransaction) throws -> RecordReader? {
    guard let bytes = try storage.get(records.objects, id: id) else { return nil }
    return try records.reader(bytes, id: id)
  }

  /// Returns a copy of the bytes of a record; nil when there is none.
  package func bytes(of id: UInt64, in storage: StorageTransaction) throws -> [UInt8]? {
    try storage.get(records.objects, id: id).map { [UInt8]($0) }
  }

  /// Returns whether there is an object with an ID, without decoding its record.
  @inline(__always)
  package func contains(_ id: UInt64, in storage: StorageTransaction) throws -> Bool {
    try storage.get(records.objects, id: id) != nil
  }

  /// Returns the highest ID of a stored object; 0 for none.
  package func lastStoredID(in storage: StorageTransaction) throws -> UInt64 {
    try storage.cursor(records.objects).lastObject()?.id ?? 0
  }

  /// Calls a body with the objects that differ between two versions, in the order of their IDs.
  ///
  /// - Parameters:
  ///   - older: A read transaction that was open when the newer version was written.
  ///   - newer: A read transaction at a later version.
  ///   - body: Receives an object before and after, valid until it returns; nil if the version does
  ///     not have the object.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, and the error of the body.
  package func forEachChange(
    since older: StorageTransaction,
    in newer: StorageTransaction,
    _ body: (_ before: RecordReader?, _ after: RecordReader?) throws -> Void
  ) throws {
    func checked(_ entry: StorageCursor.ObjectEntry?) throws -> RecordReader? {
      guard let entry else { return nil }
      let record = try records.reader(entry.record, id: entry.id)
      try records.check(record)
      return record
    }
    let changes = try TableChanges(of: records.objects, since: older, in: newer)
    while let change = try changes.next() {
      try body(try checked(change.before), try checked(change.after))
    }
  }

  /// Returns the number of objects.
  package func count(in storage: StorageTransaction) throws -> Int {
    try storage.count(records.objects)
  }
}
