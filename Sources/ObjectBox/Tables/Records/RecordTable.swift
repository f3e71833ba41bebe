internal import ObjectBoxStorage

/// The records of one entity: their table and all their layouts.
///
/// A class, since it owns the views that scans look layouts up in.
final class RecordTable: Sendable {
  let entityName: String
  let objects: StorageTable
  /// Layouts by their numbers.
  let layouts: [RecordLayout]
  // Written by `init` only and freed by `deinit`, after the last transaction.
  private nonisolated(unsafe) let views: UnsafeMutablePointer<RecordLayout.View>

  /// The layout that new records are written in.
  let currentLayout: RecordLayout

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
    views = .allocate(capacity: max(1, layouts.count))
    for (index, layout) in layouts.enumerated() {
      (views + index).initialize(to: layout.view)
    }
  }

  deinit {
    views.deallocate()
  }

  /// Makes a reader of a stored record.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the bytes are no record of this entity.
  @inline(__always)
  func reader(_ record: UnsafeRawBufferPointer, id: UInt64) throws -> FlatBufferReader {
    guard let number = RecordLayout.number(of: record), Int(number) < layouts.count,
      let reader = FlatBufferReader(record: record, id: id, layout: views[Int(number)])
    else { throw damaged(id: id, size: record.count) }
    return reader
  }

  @inline(never)
  private func damaged(id: UInt64, size: Int) -> ObjectBoxError {
    .fileCorrupt(
      message: "the record of '\(entityName)' with ID \(id) has \(size) bytes that fit none of its "
        + "\(layouts.count) layouts; restore the store from a backup"
    )
  }
}
