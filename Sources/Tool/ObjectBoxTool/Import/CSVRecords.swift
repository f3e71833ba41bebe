internal import ObjectBoxJSON

/// A record of a CSV file.
struct CSVRecord {
  struct Field {
    var text: String
    /// True for a quoted field: when empty it is an empty text, while an unquoted one is null.
    var isQuoted: Bool
    var place: JSONPlace
  }

  var fields: [Field]
  var place: JSONPlace
  /// The bytes of its lines, without the end of the last line.
  var source: [UInt8]
}

/// Reads CSV (RFC 4180); lines may end with CR LF or LF.
struct CSVRecords {
  private let lines: InputLines
  private let separator: UInt8

  init(_ lines: InputLines, separator: UInt8) {
    self.lines = lines
    self.separator = separator
  }

  /// Reads the next record.
  ///
  /// - Parameter keepsEmptyLines: True if an empty line is a record with one field, which is null; otherwise such lines
  ///   are skipped.
  /// - Returns: The record; nil after the last.
  /// - Throws: ``LineFault`` for unterminated quotes, text after closing quotes, and invalid UTF-8.
  func next(keepsEmptyLines: Bool = false) throws -> CSVRecord? {
    while let line = try lines.next() {
      if !keepsEmptyLines, line.isEmpty || line == [UInt8(ascii: "\r")] { continue }
      return try record(line)
    }
    return nil
  }

  private func record(_ first: [UInt8]) throws -> CSVRecord {
    var scan = CSVScan(line: first, number: lines.number, path: lines.name)
    var record = CSVRecord(fields: [], place: scan.place, source: first)
    while true {
      record.fields.append(try field(&scan, &record.source))
      guard scan.peek == separator else { break }
      scan.position += 1
    }
    if scan.peek == UInt8(ascii: "\r") { scan.position += 1 }
    guard scan.peek == nil else {
      throw LineFault("found text behind the closing quotes of a field", at: scan.place)
    }
    return record
  }

  private func field(_ scan: inout CSVScan, _ source: inout [UInt8]) throws -> CSVRecord.Field {
    let place = scan.place
    var bytes: [UInt8] = []
    let isQuoted = scan.peek == UInt8(ascii: "\"")
    if isQuoted {
      scan.position += 1
      while true {
        guard let byte = scan.peek else {
          // The field continues in the next line.
          guard let more = try lines.next() else {
            throw LineFault("the quotes of a field that begins here do not end", at: place)
          }
          bytes.append(UInt8(ascii: "\n"))
          source += [UInt8(ascii: "\n")] + more
          scan = CSVScan(line: more, number: lines.number, path: lines.name)
          continue
        }
        scan.position += 1
        if byte == UInt8(ascii: "\"") {
          guard scan.peek == UInt8(ascii: "\"") else { break }
          scan.position += 1
        }
        bytes.append(byte)
      }
    } else {
      while let byte = scan.peek, byte != separator {
        if byte == UInt8(ascii: "\r"), scan.isLast { break }
        bytes.append(byte)
        scan.position += 1
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw LineFault("found bytes that are no UTF-8; save the file as UTF-8", at: place)
    }
    return CSVRecord.Field(text: text, isQuoted: isQuoted, place: place)
  }
}

/// A position in a line.
private struct CSVScan {
  let line: [UInt8]
  let number: Int
  let path: String
  var position = 0

  init(line: [UInt8], number: Int, path: String) {
    self.line = line
    self.number = number
    self.path = path
  }

  var peek: UInt8? { position < line.count ? line[position] : nil }

  var isLast: Bool { position == line.count - 1 }

  /// Columns count characters, like editors.
  var place: JSONPlace {
    let before = String(decoding: line[..<position], as: UTF8.self)
    return JSONPlace(path: path, line: number, column: before.count + 1)
  }
}
