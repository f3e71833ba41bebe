internal import ObjectBox

/// The rows of a table in COPY's binary format, between a header and an end.
struct CopyRows: Sendable {
  /// The bytes before the first row.
  static let header =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
  /// The bytes after the last row.
  static let end: [UInt8] = [0xFF, 0xFF]

  /// The statement.
  let sql: String
  private let entity: String
  private let forms: [ColumnForm]
  private let names: [String]
  private let texts: [TextColumns]
  private let columnCount: Int16

  init(_ table: ClusterTable, _ columns: [WriteColumn]) {
    entity = table.schema.name
    names = columns.map(\.name)
    forms = columns.map(\.form)
    texts = table.texts
    let all = names + texts.flatMap(\.names.columns)
    columnCount = Int16(truncatingIfNeeded: all.count)
    sql = "COPY \(table.name) (\(all.joined(separator: ", "))) FROM STDIN (FORMAT binary)"
  }

  /// Appends rows of a table with ``append(_:to:)``.
  func append(
    _ rows: ArraySlice<PendingRow>,
    of table: ClusterTable,
    to bytes: inout [UInt8]
  ) throws {
    for index in rows.indices {
      try rows[index].row.reading(table) { try append($0, to: &bytes) }
    }
  }

  /// Appends the row of a record.
  ///
  /// - Parameters:
  ///   - record: The record; its values were checked.
  ///   - bytes: The buffer.
  /// - Throws: `ObjectBoxError.illegalArgument` for an invalid decimal.
  func append(_ record: RecordReader, to bytes: inout [UInt8]) throws {
    bytes.append(bigEndian: columnCount)
    for (index, form) in forms.enumerated() {
      // The length of null; replaced when the value is appended.
      let start = bytes.count
      bytes.append(bigEndian: Int32(-1))
      guard form.append(record, to: &bytes) else { continue }
      if form.kind == .numeric {
        guard let number = NumericForm.bytes(of: Array(bytes[(start + 4)...])) else {
          throw ObjectBoxError.illegalArgument(
            message:
              "cannot put '\(entity)' with ID \(record.id): its \(names[index]) is no decimal"
          )
        }
        bytes.replaceSubrange((start + 4)..., with: number)
      }
      bytes.setLength(at: start)
    }
    for text in texts { TextValues.append(text.values(of: record), of: text, toRow: &bytes) }
  }
}

extension [UInt8] {
  /// Stores the number of bytes after a length field into that field.
  mutating func setLength(at start: Int) {
    let length = Int32(truncatingIfNeeded: count - start - 4)
    withUnsafeMutableBytes {
      $0.storeBytes(of: length.bigEndian, toByteOffset: start, as: Int32.self)
    }
  }
}
