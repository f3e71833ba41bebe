package import ObjectBox

/// The rows of a table in the making, in the binary form of COPY.
struct CopyData {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  init() { begin() }

  private mutating func begin() {
    bytes.append(contentsOf: Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00])
    bytes.append(bigEndian: Int32(0))
    bytes.append(bigEndian: Int32(0))
  }

  mutating func beginRow(columns: Int) {
    bytes.append(bigEndian: Int16(columns))
    count += 1
  }

  /// Appends a value; nil for null.
  mutating func append(_ value: some Collection<UInt8>) {
    bytes.append(bigEndian: Int32(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func appendNull() { bytes.append(bigEndian: Int32(-1)) }

  /// The whole content.
  var finished: [UInt8] {
    var all = bytes
    all.append(bigEndian: Int16(-1))
    return all
  }
}

/// Objects of an entity on their way from a store to a database.
package struct MovingObjects: Sendable {
  let table: ClusterTable
  private var data = CopyData()
  private(set) var lastID: UInt64 = 0
  /// All rows that were added, also those of earlier batches and those that were only counted.
  package private(set) var checksum = MovingChecksum()
  /// The number of rows of earlier batches that the database has.
  private(set) var storedCount: Int
  private var value: [UInt8] = []
  private var folded: [UInt8] = []

  init(_ table: ClusterTable, lastID: UInt64, storedCount: Int) {
    self.table = table
    self.lastID = lastID
    self.storedCount = storedCount
  }

  /// The number of rows that wait.
  package var count: Int { data.count }
  /// The size of the rows that wait.
  package var sizeInBytes: Int { data.bytes.count }

  /// Adds an object, unless the database has it.
  ///
  /// - Parameter record: The record; IDs ascend.
  /// - Throws: `ObjectBoxError.illegalArgument` for a value that PostgreSQL cannot hold.
  package mutating func add(_ record: FlatBufferReader) throws {
    for column in table.columns { try column.check(record, of: table.schema) }
    guard record.objectID <= UInt64(Int64.max) else {
      throw refusal(record, "its ID is beyond 2^63 - 1, the greatest one of a bigint")
    }
    checksum.add(record, of: table)
    guard record.objectID > lastID else { return }
    lastID = record.objectID
    data.beginRow(columns: table.columns.count + table.columns.count { $0.foldedName != nil })
    for column in table.columns {
      value.removeAll(keepingCapacity: true)
      guard column.append(record, to: &value) else {
        data.appendNull()
        continue
      }
      if column.kind == .numeric {
        guard let number = NumericForm.bytes(of: value) else {
          throw refusal(record, "its '\(column.property.name)' is no decimal")
        }
        data.append(number)
      } else {
        data.append(value)
      }
    }
    for column in table.columns where column.foldedName != nil {
      folded.removeAll(keepingCapacity: true)
      if column.appendFolded(record, to: &folded) {
        data.append(folded)
      } else {
        data.appendNull()
      }
    }
  }

  private func refusal(_ record: FlatBufferReader, _ reason: String) -> ObjectBoxError {
    .illegalArgument(
      message: "cannot copy '\(table.schema.name)' with ID \(record.objectID): \(reason)"
    )
  }

  /// The statement and the content of the batch.
  var batch: (sql: String, data: [UInt8]) {
    let columns = table.columns.map(\.name) + table.columns.compactMap(\.foldedName)
    return (
      "COPY \(table.name) (\(columns.joined(separator: ", "))) FROM STDIN (FORMAT binary)",
      data.finished
    )
  }

  mutating func didStore() {
    storedCount += data.count
    data = CopyData()
  }
}

/// Pairs of a standalone relation on their way from a store to a database.
package struct MovingPairs: Sendable {
  let pairs: RelationPairs
  private var data = CopyData()
  private(set) var last: (source: UInt64, target: UInt64)
  package private(set) var checksum = MovingChecksum()
  private(set) var storedCount: Int

  init(_ pairs: RelationPairs, last: (source: UInt64, target: UInt64), storedCount: Int) {
    self.pairs = pairs
    self.last = last
    self.storedCount = storedCount
  }

  package var count: Int { data.count }

  /// Adds a pair, unless the database has it; pairs ascend.
  package mutating func add(source: UInt64, target: UInt64) {
    checksum.beginRow()
    checksum.add(source)
    checksum.add(target)
    guard (source, target) > last else { return }
    last = (source, target)
    data.beginRow(columns: 2)
    for id in [source, target] {
      var bytes: [UInt8] = []
      bytes.append(bigEndian: id)
      data.append(bytes)
    }
  }

  var batch: (sql: String, data: [UInt8]) {
    ("COPY \(pairs.name) (source, target) FROM STDIN (FORMAT binary)", data.finished)
  }

  mutating func didStore() {
    storedCount += data.count
    data = CopyData()
  }
}
