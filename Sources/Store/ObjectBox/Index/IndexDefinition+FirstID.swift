internal import ObjectBoxStorage

extension IndexDefinition {
  /// Returns the smallest ID of the objects with a key; nil if there is none.
  ///
  /// It uses neither a cursor nor an array: both cost more than the look-up.
  ///
  /// - Parameters:
  ///   - transaction: The open transaction.
  ///   - write: Writes the key.
  /// - Returns: An ID.
  /// - Throws: ``StorageError`` when the table cannot be read.
  func firstID(
    in transaction: StorageTransaction,
    _ write: (inout OrderedKey) -> Void
  ) throws -> UInt64? {
    try withUnsafeTemporaryAllocation(byteCount: OrderedKey.capacity, alignment: 8) { room in
      guard let base = room.baseAddress else { return nil }
      var key = OrderedKey(storage: base)
      write(&key)
      return try transaction.firstID(table, key: key.bytes)
    }
  }
}
