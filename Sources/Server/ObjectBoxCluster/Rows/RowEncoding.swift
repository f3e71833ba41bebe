internal import ObjectBox

/// Creates records from result rows.
///
/// Converts the bytes of a row directly to a record's bytes, without a binding. Reuses a buffer;
/// one task at a time uses it.
final class RowEncoding {
  private let table: ClusterTable
  private var base: UnsafeMutableRawPointer
  private var capacity: Int

  /// Up to this size, glibc caches freed memory for the thread.
  private static let usualCapacity = 1_000

  init(_ table: ClusterTable) {
    self.table = table
    capacity = max(Self.usualCapacity, table.nullRecord.count)
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    base.deallocate()
  }

  /// Passes the records of rows to a body, one by one.
  ///
  /// - Parameters:
  ///   - rows: Rows with the columns of ``ClusterTable/selection``, from `first` on.
  ///   - numbers: The row numbers.
  ///   - first: The index of the first of these columns.
  ///   - body: Gets the ID of each row, and its record in the table's layout, valid during the
  ///     call.
  /// - Throws: `ObjectBoxError.illegalState` for a row without an ID; the errors of the body.
  func forEachRecord(
    of rows: ResultRows,
    _ numbers: Range<Int>,
    from first: Int = 0,
    _ body: (_ id: UInt64, _ record: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    rows.checkHas(numbers, columns: first..<first + table.columns.count)
    try withExtendedLifetime((rows, table)) {
      try table.rowFields.withUnsafeBufferPointer { fields in
        try table.nullRecord.withUnsafeBytes { nullRecord in
          for row in numbers {
            guard let id = rows.uncheckedBytes(row, first).flatMap(UInt64.init(bigEndianBytes:))
            else {
              throw ObjectBoxError.illegalState(
                message: "a row of '\(table.schema.name)' has no ID"
              )
            }
            try body(id, record(of: rows, row, from: first, fields, nullRecord))
          }
        }
      }
    }
  }

  /// Returns the record of a row that has all columns.
  func row(_ rows: ResultRows, _ number: Int) throws -> RecordRow {
    var row = RecordRow(id: 0, record: [])
    try forEachRecord(of: rows, number..<number + 1) { id, record in
      row = RecordRow(id: id, record: [UInt8](record))
    }
    return row
  }

  private func record(
    of rows: ResultRows,
    _ row: Int,
    from first: Int,
    _ fields: UnsafeBufferPointer<RowField>,
    _ nullRecord: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: capacity).copyMemory(from: nullRecord)
    var end = nullRecord.count
    for field in fields {
      let bytes = rows.uncheckedBytes(row, first + field.column)
      guard field.size == nil else {
        if let bytes { field.store(bytes, in: base) }
        continue
      }
      if let bytes {
        field.withRecordBytes(of: bytes) { end = append($0, at: end) }
        field.markPresent(in: base)
      }
      field.store(end: end, in: base)
    }
    return UnsafeRawBufferPointer(start: base, count: end)
  }

  /// Appends bytes to the record, and returns its new end.
  private func append(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
    // Cannot overflow: both parts are in memory.
    let end = start &+ bytes.count
    if end > capacity { grow(to: end, keeping: start) }
    if let source = bytes.baseAddress {
      (base + start).copyMemory(from: source, byteCount: bytes.count)
    }
    return end
  }

  @inline(never)
  private func grow(to size: Int, keeping count: Int) {
    capacity = max(capacity * 2, size)
    let room = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    room.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = room
  }
}
