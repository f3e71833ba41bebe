internal import ObjectBox
internal import ObjectBoxFullText
internal import ObjectBoxJSON

/// The format of query results.
enum ResultFormat: String, CaseIterable {
  /// Aligned columns, for people.
  case table
  /// One JSON object for each line, like dumps but without the entity.
  case json
  /// Comma-separated values (RFC 4180).
  case csv
}

/// Writes objects one by one.
struct ResultOutput {
  /// The number of table rows buffered to find the column widths.
  private static let heldRows = 500
  private static let pieceSize = 1 << 16

  private let format: ResultFormat
  /// The properties, including the ID.
  private let columns: [CellText]
  private let objects: RecordJSON
  private let isColoured: Bool
  /// The byte between CSV fields.
  private let separator: UInt8
  /// Marks found words; nil for values as they are.
  private let found: FoundTexts?
  private var output: any ByteOutput
  private var writer = JSONWriter()
  private var rows: [[String]] = []
  private var widths: ColumnWidths
  private var hasHeader = false
  /// True if a cell was shortened to fit the width.
  private(set) var hasShortened = false
  private(set) var count = 0

  /// - Parameters:
  ///   - properties: The columns.
  ///   - format: The format.
  ///   - output: Receives the bytes.
  ///   - isColoured: True to allow bold column names.
  ///   - width: The greatest width of a table's lines; nil for any.
  ///   - separator: The byte between CSV fields.
  ///   - found: Shows texts shortened to the words around the found ones, which have `**` on both sides.
  /// - Throws: The error of the output, which receives the header of CSV at once.
  init(
    _ properties: [PropertySchema],
    as format: ResultFormat,
    to output: any ByteOutput,
    isColoured: Bool = false,
    width: Int? = nil,
    separator: UInt8 = UInt8(ascii: ","),
    found: FoundTexts? = nil
  ) throws {
    self.format = format
    self.output = output
    self.isColoured = isColoured
    self.separator = separator
    self.found = found
    let columns = properties.map(CellText.init)
    self.columns = columns
    widths = ColumnWidths(
      properties.map(\.name),
      texts: columns.indices.filter { !columns[$0].isNumber },
      limit: width
    )
    objects = RecordJSON(properties)
    if format == .csv { try writeCSV(properties.map(\.name)) }
  }

  mutating func write(_ record: RecordReader) throws {
    count += 1
    switch format {
    case .json: try writeJSON(record)
    case .csv:
      try writeCSV(
        columns.map { Self.marked($0.property, in: record, found) ?? $0.whole(in: record) }
      )
    case .table:
      rows.append(columns.map { shown($0, in: record) })
      if rows.count == Self.heldRows { try writeRows() }
    }
  }

  /// Writes the buffered rows; a table without rows only has its header.
  mutating func finish() throws {
    if format == .table, !rows.isEmpty || !hasHeader { try writeRows() }
    try flush()
  }

  /// Returns the text of a table's cell.
  private func shown(_ column: CellText, in record: RecordReader) -> String {
    if let marked = Self.marked(column.property, in: record, found) {
      return CellText.line(marked, atMost: FoundTexts.shownCharacters)
    }
    return column.shown(in: record) ?? ""
  }

  /// Returns a text with marks at found words; nil for a value in which nothing was found.
  private static func marked(
    _ property: PropertySchema,
    in record: RecordReader,
    _ found: FoundTexts?
  ) -> String? {
    found?.pieces(property, in: record)?
      .map { $0.isMatch ? "**\($0.text)**" : $0.text }.joined()
  }

  // MARK: Lines

  private mutating func end(line: String) throws {
    writer.raw(line)
    try endLine()
  }

  private mutating func endLine() throws {
    writer.raw("\n")
    if writer.bytes.count >= Self.pieceSize { try flush() }
  }

  private mutating func flush() throws {
    try output.write(writer.bytes)
    writer.removeAll()
  }

  private mutating func writeJSON(_ record: RecordReader) throws {
    objects.write(record, to: &writer) { [found] in
      Self.marked($0, in: record, found)
    }
    try endLine()
  }

  /// Writes a line of fields; null is an empty field, an empty text is quoted.
  private mutating func writeCSV(_ fields: [String?]) throws {
    let special: Set<UInt8> = [
      UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), separator,
    ]
    let texts = fields.map { field in
      guard let field else { return "" }
      guard field.isEmpty || field.utf8.contains(where: special.contains) else { return field }
      return "\"" + field.replacingBytes(of: "\"", with: "\"\"") + "\""
    }
    try end(line: texts.joined(separator: String(Unicode.Scalar(separator))))
  }

  // MARK: Tables

  /// Writes the buffered rows, preceded once by the column names.
  private mutating func writeRows() throws {
    widths.add(rows)
    if !hasHeader {
      hasHeader = true
      let line = self.line(columns.map(\.property.name))
      try end(line: isColoured ? "\u{1B}[1m\(line)\u{1B}[0m" : line)
    }
    for row in rows { try end(line: line(row)) }
    rows.removeAll(keepingCapacity: true)
  }

  private mutating func line(_ cells: [String]) -> String {
    var line = ""
    for (index, whole) in cells.enumerated() {
      let cell = widths.shown(whole, in: index)
      if cell != whole { hasShortened = true }
      let blanks = String(repeating: " ", count: max(0, widths.widths[index] - cell.count))
      line += columns[index].isNumber ? blanks + cell : cell + blanks
      line += String(repeating: " ", count: ColumnWidths.gap)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
