package import ObjectBox

/// A batch of objects of one entity, copied from a store to a database.
package struct MovingObjects: Sendable {
  let table: ClusterTable
  private let rows: CopyRows
  private var data = CopyRows.header
  private(set) var lastID: UInt64 = 0
  /// Checksum of all rows added, including earlier batches and rows that were only counted.
  package private(set) var checksum = MovingChecksum()
  /// The number of rows of earlier batches in the database.
  private(set) var storedCount: Int
  /// The number of rows in the batch.
  package private(set) var count = 0

  init(_ table: ClusterTable, lastID: UInt64, storedCount: Int) {
    self.table = table
    rows = CopyRows(table, table.writeColumns)
    self.lastID = lastID
    self.storedCount = storedCount
  }

  /// The size of the batch.
  package var sizeInBytes: Int { data.count }

  /// Adds an object unless the database already has it.
  ///
  /// - Parameter record: The record; IDs must ascend.
  /// - Throws: `ObjectBoxError.illegalArgument` for a value that PostgreSQL cannot hold.
  package mutating func add(_ record: RecordReader) throws {
    try table.check(record)
    guard record.objectID <= UInt64(Int64.max) else {
      throw refusal(record, "its ID is beyond 2^63 - 1, the greatest one of a bigint")
    }
    checksum.add(record, of: table)
    guard record.objectID > lastID else { return }
    lastID = record.objectID
    try rows.append(record, to: &data)
    count += 1
  }

  private func refusal(_ record: RecordReader, _ reason: String) -> ObjectBoxError {
    .illegalArgument(
      message: "cannot copy '\(table.schema.name)' with ID \(record.objectID): \(reason)"
    )
  }

  /// The statement of the batch.
  var batch: Statement { Statement(copying: rows.sql, data + CopyRows.end) }

  mutating func didStore() {
    storedCount += count
    count = 0
    data = CopyRows.header
  }
}

/// A batch of pairs of a standalone relation, copied from a store to a database.
package struct MovingPairs: Sendable {
  let pairs: RelationPairs
  private var data = CopyRows.header
  private(set) var last: (source: UInt64, target: UInt64)
  package private(set) var checksum = MovingChecksum()
  private(set) var storedCount: Int

  init(_ pairs: RelationPairs, last: (source: UInt64, target: UInt64), storedCount: Int) {
    self.pairs = pairs
    self.last = last
    self.storedCount = storedCount
  }

  package private(set) var count = 0

  /// Adds a pair unless the database already has it; pairs must ascend.
  package mutating func add(source: UInt64, target: UInt64) {
    checksum.beginRow()
    checksum.add(source)
    checksum.add(target)
    guard (source, target) > last else { return }
    last = (source, target)
    data.append(bigEndian: Int16(2))
    for id in [source, target] {
      data.append(bigEndian: Int32(8))
      data.append(bigEndian: id)
    }
    count += 1
  }

  var batch: Statement {
    let sql = "COPY \(pairs.name) (source, target) FROM STDIN (FORMAT binary)"
    return Statement(copying: sql, data + CopyRows.end)
  }

  mutating func didStore() {
    storedCount += count
    count = 0
    data = CopyRows.header
  }
}
