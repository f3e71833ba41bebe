internal import ObjectBox
internal import ObjectBoxJSON

/// The format of an imported file.
enum ImportFormat: String, CaseIterable {
  case csv
  case json

  /// The format of a file by its name; nil for an unknown extension.
  init?(path: String) {
    switch path.lowercased().split(separator: ".").last {
    case "csv", "tsv": self = .csv
    case "json", "jsonl", "ndjson": self = .json
    default: return nil
    }
  }
}

/// The meaning of a line that leaves out values of the stored object with its ID.
enum ImportMerging {
  /// Refuses the line.
  case none
  /// The object keeps these values.
  case update
  /// The values become null.
  case replace
}

/// An object to store, as read from the input.
struct ImportRecord {
  /// The values, by property name.
  var values: [(name: String, value: JSONValue)]
  var place: JSONPlace
  /// The bytes of the input, for the file of rejected records.
  var source: [UInt8]
}

/// Reads the objects of a file.
struct ImportRecords {
  private let lines: InputLines
  let format: ImportFormat
  private let csv: CSVRecords
  private let entity: DumpEntity
  private var names: [String] = []
  /// The first line of a CSV file.
  private(set) var header: [UInt8]?

  /// Opens the file, and reads the column names of CSV.
  ///
  /// - Parameters:
  ///   - lines: The lines of the file.
  ///   - format: The file's format.
  ///   - separator: The byte between CSV fields.
  ///   - entity: The entity of the objects.
  /// - Throws: ``LineFault`` for a column that is no property, or that occurs twice.
  init(
    _ lines: InputLines,
    as format: ImportFormat,
    separator: UInt8,
    of entity: DumpEntity
  ) throws {
    self.lines = lines
    self.format = format
    self.entity = entity
    csv = CSVRecords(lines, separator: separator)
    guard format == .csv, let first = try csv.next() else { return }
    header = first.source
    for field in first.fields {
      try check(name: field.text, at: field.place)
      if names.contains(field.text) {
        throw LineFault("found the column \"\(field.text)\" twice", at: field.place)
      }
      names.append(field.text)
    }
  }

  /// Returns the next object; nil after the last.
  ///
  /// - Throws: ``LineFault`` for an invalid line.
  func next() throws -> ImportRecord? {
    switch format {
    case .csv: try nextOfCSV()
    case .json: try nextOfJSON()
    }
  }

  func check(name: String, at place: JSONPlace) throws {
    guard name != entity.idKey, !entity.fields.contains(where: { $0.property.name == name }) else {
      return
    }
    let known = ([entity.idKey] + entity.fields.map(\.property.name)).map { "'\($0)'" }
    throw LineFault(
      "found \"\(name)\", and a property of '\(entity.name)' is expected: \(known.joined(separator: ", "))",
      at: place
    )
  }

  // MARK: JSON

  private func nextOfJSON() throws -> ImportRecord? {
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      let place = JSONPlace(path: lines.name, line: lines.number, column: 1)
      var record = ImportRecord(values: [], place: place, source: line)
      do {
        let value = try JSONParser.parse(line: line, path: lines.name, number: lines.number)
        guard case .object(let members) = value.content else {
          throw LineFault("found \(value.kind), and an object is expected", at: value.place)
        }
        for (key, value) in members {
          try check(name: key, at: value.keyPlace ?? value.place)
          record.values.append((key, value))
        }
      } catch let fault as JSONFault {
        throw Rejected(LineFault("found no JSON: \(fault.text)", at: fault.place), record)
      } catch let fault as LineFault {
        throw Rejected(fault, record)
      }
      return record
    }
    return nil
  }

  // MARK: CSV

  private func nextOfCSV() throws -> ImportRecord? {
    // An export of one column has nulls as empty lines.
    guard let row = try csv.next(keepsEmptyLines: names.count == 1) else { return nil }
    var record = ImportRecord(values: [], place: row.place, source: row.source)
    guard row.fields.count == names.count else {
      let fault = LineFault(
        "found \(row.fields.count.counted("field")), and \(names.count) are expected, as the first line has",
        at: row.place
      )
      throw Rejected(fault, record)
    }
    for (name, field) in zip(names, row.fields) {
      let property = entity.fields.first { $0.property.name == name }
      record.values.append(
        (name, Self.value(field, as: property?.form ?? .integer(size: 8, isUnsigned: true)))
      )
    }
    return record
  }

  /// Converts a field to the JSON of its value.
  static func value(_ field: CSVRecord.Field, as form: ValueForm) -> JSONValue {
    func json(_ content: JSONValue.Content) -> JSONValue {
      JSONValue(content: content, place: field.place, length: field.text.count)
    }
    let text = field.text
    if text.isEmpty {
      let isText = form.isText || [.bytes, .uuid].contains(form)
      return json(isText && field.isQuoted ? .string("") : .null)
    }
    switch form {
    case .text, .bytes: return json(.string(text))
    // Bytes that are no value are exported as a JSON object.
    case .decimal where !text.hasPrefix("{"), .uuid where !text.hasPrefix("{"):
      return json(.string(text))
    case .boolean:
      switch text.lowercased() {
      case "true", "1", "yes": return json(.boolean(true))
      case "false", "0", "no": return json(.boolean(false))
      default: return json(.string(text))
      }
    case .integer, .float, .double: return json(isNumber(text) ? .number(text) : .string(text))
    case .decimal, .uuid, .booleans, .integers, .floats, .doubles, .texts:
      return (try? JSONParser.parse(text, path: field.place.path)).map { json($0.content) }
        ?? json(.string(text))
    }
  }

  /// Returns whether a text is a decimal number.
  ///
  /// `Double` also parses hexadecimal digits and C's words for NaN, which exports do not use.
  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    } && Double(text) != nil
  }
}

/// An object that cannot be stored, and the reason.
struct Rejected: Error {
  var fault: LineFault
  var record: ImportRecord
  /// The stored values that the line leaves out, if that is the reason.
  var loss: ImportLoss?

  init(_ fault: LineFault, _ record: ImportRecord, loss: ImportLoss? = nil) {
    self.fault = fault
    self.record = record
    self.loss = loss
  }
}
