internal import ObjectBox
internal import ObjectBoxFullText

/// The values of a full-text index's columns for one object.
package struct TextValues {
  /// Texts as elements of an array in PostgreSQL's binary form, each preceded by its length.
  fileprivate struct Elements {
    var bytes: [UInt8] = []
    var count = 0

    mutating func append(_ mark: [UInt8], _ word: some Collection<UInt8>) {
      bytes.append(bigEndian: Int32(mark.count + word.count))
      bytes += mark
      bytes += word
      count += 1
    }
  }

  private var words = Elements()
  private var beginnings = Elements()
  /// The number of words in the low half, a hash of the texts in the high half.
  ///
  /// A text that was changed together with its words has another hash, so the trigger can distinguish it from a text
  /// that was changed alone.
  private var state: Int64 = 0

  /// Splits the texts of an object; nil if all of them are null.
  ///
  /// - Parameters:
  ///   - columns: The columns of the index.
  ///   - text: Returns the UTF-8 of the text in a column of the index, valid until the next call;
  ///     nil for null.
  init?(_ columns: TextColumns, _ text: (Int) -> UnsafeRawBufferPointer?) {
    var hash = TextHash.start
    var hasText = false
    for column in columns.texts.indices {
      guard let bytes = text(column) else { continue }
      hasText = true
      add(bytes, of: column, columns, &hash)
    }
    guard hasText else { return nil }
    setState(hash)
  }

  /// Splits the texts of an object; nil if all of them are null.
  ///
  /// - Parameters:
  ///   - columns: The columns of the index.
  ///   - texts: The UTF-8 of the texts in the order of the columns; nil for null.
  package init?(_ columns: TextColumns, texts: [[UInt8]?]) {
    if texts.allSatisfy({ $0 == nil }) { return nil }
    var hash = TextHash.start
    for (column, text) in texts.enumerated() {
      text?.withUnsafeBytes { add($0, of: column, columns, &hash) }
    }
    setState(hash)
  }

  private mutating func setState(_ hash: UInt32) {
    state = Int64(bitPattern: UInt64(hash) << 32 | UInt64(words.count))
  }

  private mutating func add(
    _ text: UnsafeRawBufferPointer,
    of column: Int,
    _ columns: TextColumns,
    _ hash: inout UInt32
  ) {
    hash = TextHash.next(hash, UInt8(column))
    for byte in text { hash = TextHash.next(hash, byte) }
    let (mark, tokenizer) = (columns.marks[column], columns.tokenizer)
    var seen: Set<[UInt8]> = []
    text.withMemoryRebound(to: UInt8.self) { text in
      tokenizer.forEachToken(in: text) { word, _, _ in
        words.append(mark, word)
        tokenizer.forEachPrefix(of: word) { term in
          // The first byte marks the term in the indexes of stores.
          let beginning = Array(term.dropFirst())
          if seen.insert(beginning).inserted { beginnings.append(mark, beginning) }
        }
      }
    }
  }

  // MARK: Parameters

  /// Appends the values of an object as parameters, in the order of the index's columns.
  package static func append(
    _ values: TextValues?,
    of columns: TextColumns,
    to parameters: inout Parameters
  ) {
    func array(_ elements: Elements?) {
      guard let elements else { return parameters.appendNull(PostgresType.textArray) }
      parameters.append(PostgresType.textArray) { $0.appendArray(elements) }
    }
    array(values?.words)
    if let values {
      parameters.append(values.state)
    } else {
      parameters.appendNull(PostgresType.int8)
    }
    if columns.names.hasBeginnings { array(values?.beginnings) }
  }

  /// Appends the values of an object to a row of a COPY.
  static func append(_ values: TextValues?, of columns: TextColumns, toRow row: inout [UInt8]) {
    func append(_ body: (inout [UInt8], TextValues) -> Void) {
      let start = row.count
      row.append(bigEndian: Int32(-1))
      guard let values else { return }
      body(&row, values)
      row.setLength(at: start)
    }
    append { $0.appendArray($1.words) }
    append { $0.append(bigEndian: $1.state) }
    if columns.names.hasBeginnings { append { $0.appendArray($1.beginnings) } }
  }

  /// Appends an array of texts or null as an element of an array, in the form of an array constant.
  ///
  /// - Parameters:
  ///   - values: The values; nil for null.
  ///   - isBeginnings: True for the prefixes of words, false for the words.
  ///   - elements: The array of constants.
  static func append(
    _ values: TextValues?,
    beginnings isBeginnings: Bool,
    toElements elements: inout [UInt8]
  ) {
    let start = elements.count
    elements.append(bigEndian: Int32(-1))
    guard let values else { return }
    elements.appendConstant(isBeginnings ? values.beginnings : values.words)
    elements.setLength(at: start)
  }

  /// Appends the state or null as an element of an array.
  static func append(stateOf values: TextValues?, toElements elements: inout [UInt8]) {
    elements.append(bigEndian: Int32(values == nil ? -1 : 8))
    if let values { elements.append(bigEndian: values.state) }
  }
}

extension [UInt8] {
  fileprivate mutating func appendArray(_ elements: TextValues.Elements) {
    appendArrayHeader(of: PostgresType.text, count: elements.count)
    append(contentsOf: elements.bytes)
  }

  /// Appends texts as an array literal, such as `{"a","b"}`.
  fileprivate mutating func appendConstant(_ elements: TextValues.Elements) {
    append(UInt8(ascii: "{"))
    var place = 0
    while place < elements.bytes.count {
      if place > 0 { append(UInt8(ascii: ",")) }
      append(UInt8(ascii: "\""))
      let size = elements.bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      for byte in elements.bytes[place + 4..<place + 4 + size] {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append(UInt8(ascii: "\\")) }
        append(byte)
      }
      append(UInt8(ascii: "\""))
      place += 4 + size
    }
    append(UInt8(ascii: "}"))
  }
}

extension TextColumns {
  /// Returns the values of the columns for a record; nil if all texts are null.
  func values(of record: RecordReader) -> TextValues? {
    TextValues(self) { column in
      record.bytes(record.field(propertyID: texts[column].property.identity.id))
    }
  }
}
