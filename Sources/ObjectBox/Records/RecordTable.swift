package import ObjectBoxStorage

/// The records of one entity: their table and all their layouts.
///
/// A class, since it owns the views that scans look layouts up in.
package final class RecordTable: Sendable {
  let entityName: String
  package let objects: StorageTable
  /// Layouts by their numbers.
  package let layouts: [RecordLayout]
  // Written by `init` only and freed by `deinit`, after the last transaction.
  private nonisolated(unsafe) let views: UnsafeMutablePointer<RecordLayout.View>

  /// The layout that new records are written in.
  package let currentLayout: RecordLayout
  /// The checksums of the records; nil where the file has none.
  package let checksum: RecordChecksum?

  /// The layouts must be in the order of their numbers, from 0 and without a gap; the current one is the
  /// last of them.
  init(
    entityName: String,
    objects: StorageTable,
    layouts: [RecordLayout],
    currentLayout: RecordLayout
  ) {
    self.entityName = entityName
    self.objects = objects
    self.layouts = layouts
    self.currentLayout = currentLayout
    checksum = currentLayout.checksum
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
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the bytes are no record of this entity.
  @inline(__always)
  package func reader(_ record: UnsafeRawBufferPointer, id: UInt64) throws -> FlatBufferReader {
    guard let number = RecordLayout.number(of: record), Int(number) < layouts.count,
      let reader = FlatBufferReader(record: record, id: id, layout: views[Int(number)])
    else { throw damaged(id: id, size: record.count) }
    return reader
  }

  /// Checks the checksum of a record: before an object is made of it, and before it is written again.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when it is wrong.
  @inline(__always)
  package func check(_ record: FlatBufferReader) throws {
    guard isRight(record) else { throw changed(id: record.id) }
  }

  /// Returns whether the checksum of a record is right; true where records have none.
  @inline(__always)
  func isRight(_ record: FlatBufferReader) -> Bool {
    guard let checksum else { return true }
    return checksum.isRight(record.base, size: record.size, id: record.id)
  }

  /// Returns the bytes of a record in which a value of fixed size has become null.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when its checksum is wrong, which a new one would hide.
  func bytes(of record: FlatBufferReader, clearing propertyID: UInt32) throws -> [UInt8] {
    try check(record)
    var copy = [UInt8](UnsafeRawBufferPointer(start: record.base, count: record.size))
    copy.withUnsafeMutableBytes {
      RecordEdit.clear(record.field(propertyID: propertyID), in: $0)
      checksum?.update($0, id: record.id)
    }
    return copy
  }

  #if OBJECTBOX_INTERNAL_CHECKS
    /// Traps when a record that is being written has a wrong checksum.
    func checkInvariants(_ record: UnsafeRawBufferPointer, id: UInt64) {
      guard let checksum, let base = record.baseAddress else { return }
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
