package import ObjectBoxStorage

/// The records of one entity: their table and layouts.
///
/// It owns the views in which scans look up layouts.
package final class RecordTable: Sendable {
  let entityName: String
  package let objects: StorageTable
  /// Layouts by their numbers.
  package let layouts: [RecordLayout]
  // Safe: only `init` writes it, and `deinit` frees it, after the last transaction.
  private nonisolated(unsafe) let views: UnsafeMutablePointer<RecordLayout.View>

  /// The layout of new records.
  package let currentLayout: RecordLayout
  package let checksum: RecordChecksum
  package let quoting: ValueQuoting

  /// Makes a table of records.
  ///
  /// The layouts must be in the order of their numbers, from 0 without a gap; the last layout is
  /// the current one.
  init(
    entityName: String,
    objects: StorageTable,
    layouts: [RecordLayout],
    currentLayout: RecordLayout,
    checksum: RecordChecksum,
    quoting: ValueQuoting
  ) {
    self.quoting = quoting
    self.entityName = entityName
    self.objects = objects
    self.layouts = layouts
    self.currentLayout = currentLayout
    self.checksum = checksum
    views = .allocate(capacity: max(1, layouts.count))
    for (index, layout) in layouts.enumerated() {
      (views + index).initialize(to: layout.view)
    }
  }

  deinit {
    views.deallocate()
  }

  /// Makes a reader of a stored record, whose values may be damaged.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the bytes are not a record of this
  ///   entity.
  @inline(__always)
  package func reader(_ record: UnsafeRawBufferPointer, id: UInt64) throws -> RecordReader {
    guard let number = RecordLayout.number(of: record), Int(number) < layouts.count,
      let reader = RecordReader(record: record, id: id, layout: views[Int(number)])
    else { throw damaged(id: id, size: record.count) }
    return reader
  }

  /// Passes all records to a body, by ascending ID.
  package func forEach(
    in storage: StorageTransaction,
    _ body: (RecordReader) throws -> Void
  ) throws {
    try storage.cursor(objects).forEachObject { try body(reader($0.record, id: $0.id)) }
  }

  /// Checks the checksum of a record.
  ///
  /// Called before an object is made from the record, and before the record is written again.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when it is wrong.
  @inline(__always)
  package func check(_ record: RecordReader) throws {
    guard isRight(record) else { throw changed(id: record.id) }
  }

  /// Returns whether the checksum of a record is right.
  @inline(__always)
  func isRight(_ record: RecordReader) -> Bool {
    checksum.isRight(record.base, size: record.size, id: record.id)
  }

  /// Returns a copy of a record with another target of a to-one relation.
  ///
  /// - Parameters:
  ///   - record: A record whose relation is not null.
  ///   - propertyID: The relation.
  ///   - target: The ID of the new target; nil for null.
  /// - Returns: The bytes.
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the checksum of the record is wrong: a
  ///   new checksum would hide the damage.
  func bytes(
    of record: RecordReader,
    setting propertyID: UInt32,
    to target: UInt64?
  ) throws -> [UInt8] {
    try check(record)
    var copy = [UInt8](UnsafeRawBufferPointer(start: record.base, count: record.size))
    copy.withUnsafeMutableBytes { bytes in
      let field = record.field(propertyID: propertyID)
      guard field.kind == .integer64 else { return }
      if target == nil { bytes[field.presence.offset] &= ~field.presence.mask }
      bytes.storeBytes(of: target ?? 0, toByteOffset: Int(field.offset), as: UInt64.self)
      checksum.update(bytes, id: record.id)
    }
    return copy
  }

  #if OBJECTBOX_INTERNAL_CHECKS
    /// Traps if a record that is being written has a wrong checksum.
    func checkInvariants(_ record: UnsafeRawBufferPointer, id: UInt64) {
      guard let base = record.baseAddress else { return }
      precondition(
        checksum.isRight(base, size: record.count, id: id),
        "a record is put without its checksum"
      )
    }
  #endif

  @inline(never)
  private func changed(id: UInt64) -> ObjectBoxError {
    .fileCorrupt(
      message:
        "the record of '\(entityName)' with ID \(id) is damaged: its checksum is wrong; look for "
        + "more damage with Store.verify(), then \(ObjectBoxError.damageAdvice)"
    )
  }

  @inline(never)
  private func damaged(id: UInt64, size: Int) -> ObjectBoxError {
    .fileCorrupt(
      message: "the record of '\(entityName)' with ID \(id) has \(size) bytes that fit none of its "
        + "\(layouts.count) layouts; \(ObjectBoxError.damageAdvice)"
    )
  }
}
