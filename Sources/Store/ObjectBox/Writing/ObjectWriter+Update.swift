/// New property values for stored objects; the effect equals a put of each object with these values.
///
/// The functions throw ``ObjectBoxError`` when a unique value is taken, a record is damaged, or the store is full; the
/// caller undoes the writes.
extension ObjectWriter {
  /// Returns whether puts of the new values may remove other objects.
  func mayReplace(_ update: RecordUpdate) -> Bool {
    indexes(of: update).contains(where: \.replacesOnConflict)
  }

  private func indexes(of update: RecordUpdate) -> [IndexDefinition] {
    let changed = Set(update.properties.map(\.identity.id))
    return table.allIndexes.filter { index in
      index.properties.contains { changed.contains($0.identity.id) }
    }
  }

  /// Updates the objects with matching records, in one pass over all records.
  ///
  /// Saves the look-up of each object. The test must not depend on other objects, and puts of the
  /// values must not remove any.
  ///
  /// - Parameters:
  ///   - update: The new values.
  ///   - builder: A builder in the current layout.
  ///   - matches: Returns whether to update an object.
  /// - Returns: The number of updated objects.
  /// - Throws: ``ObjectBoxError`` when a record cannot be stored.
  func update(
    by update: RecordUpdate,
    in builder: FlatBufferBuilder,
    where matches: (RecordReader) throws -> Bool
  ) throws -> UInt64 {
    let keepsKeys = indexes(of: update).isEmpty
    let leavesCursor = keepsKeys && table.derivedIndexes.isEmpty
    var count: UInt64 = 0
    var next = try firstRecord()
    while let stored = next {
      if try matches(stored) {
        let (id, size) = (stored.id, stored.size)
        let record = try record(from: stored, by: update, in: builder)
        try store(record, id: id, isNew: false, keepsKeys: keepsKeys)
        count += 1
        if !leavesCursor || record.count != size { _ = try self.record(of: id) }
      }
      next = try nextRecord()
    }
    return count
  }

  /// Updates the objects with the given IDs.
  ///
  /// - Parameters:
  ///   - ids: The IDs, ascending; those without an object are skipped.
  ///   - update: The new values.
  ///   - builder: A builder in the current layout.
  /// - Returns: The number of updated objects.
  /// - Throws: ``ObjectBoxError`` when a record cannot be stored.
  func update(
    _ ids: [UInt64],
    by update: RecordUpdate,
    in builder: FlatBufferBuilder
  ) throws -> UInt64 {
    // A put that replaces a unique value may remove objects of the list, which are put later.
    if mayReplace(update) { return try updateAll(ids, by: update, in: builder) }
    let keepsKeys = indexes(of: update).isEmpty
    var count: UInt64 = 0
    for id in ids {
      guard let stored = try record(of: id) else { continue }
      let record = try record(from: stored, by: update, in: builder)
      try store(record, id: id, isNew: false, keepsKeys: keepsKeys)
      count += 1
    }
    return count
  }

  /// Makes all records before it stores the first.
  private func updateAll(
    _ ids: [UInt64],
    by update: RecordUpdate,
    in builder: FlatBufferBuilder
  ) throws -> UInt64 {
    let records = try ids.compactMap { id in
      try record(of: id).map {
        (id: id, bytes: [UInt8](try record(from: $0, by: update, in: builder)))
      }
    }
    for record in records {
      try record.bytes.withUnsafeBytes { try store($0, id: record.id, isNew: false) }
    }
    return UInt64(records.count)
  }

  /// Returns the record of an object with the new values.
  private func record(
    from stored: RecordReader,
    by update: RecordUpdate,
    in builder: FlatBufferBuilder
  ) throws -> UnsafeRawBufferPointer {
    // A new checksum would hide the damage.
    try table.records.check(stored)
    return try update.record(from: stored, in: builder)
  }
}
