internal import ObjectBox

/// The row count and a checksum over the values, in order; equal for a store and its copy in a
/// database.
package struct MovingChecksum: Hashable, Sendable {
  package private(set) var count = 0
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  mutating func beginRow() { count += 1 }

  /// Adds a value; nil for null.
  mutating func add(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes else { return mix(.max) }
    mix(UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    mix(rest)
  }

  mutating func add(_ number: UInt64) { mix(number) }

  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* 0x9e37_79b9_7f4a_7c15
    state ^= state >> 29
  }
}

extension MovingChecksum {
  /// Adds a value of a column in PostgreSQL's binary form, as results contain it.
  ///
  /// Decimals, and dates with microseconds by other programs, have different forms in store and database; they are
  /// normalized.
  mutating func add(_ bytes: UnsafeRawBufferPointer?, of column: Column) {
    guard let bytes else { return add(nil) }
    switch column.kind {
    case .numeric: Collation.decimal.withKey(of: bytes) { add($0) }
    case .timestamp:
      let microseconds = Int64(bigEndianBytes: bytes) ?? 0
      add(UInt64(bitPattern: Column.milliseconds(ofTimestamp: microseconds)))
    default: add(bytes)
    }
  }

  /// Adds a record as a row.
  mutating func add(_ record: RecordReader, of table: ClusterTable) {
    beginRow()
    var bytes: [UInt8] = []
    for (column, form) in zip(table.columns, table.forms) {
      bytes.removeAll(keepingCapacity: true)
      let hasValue = form.append(record, to: &bytes)
      bytes.withUnsafeBytes { add(hasValue ? $0 : nil, of: column) }
    }
  }
}
