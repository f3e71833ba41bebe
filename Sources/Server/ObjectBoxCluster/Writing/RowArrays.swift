internal import ObjectBox

/// The values of many rows as parameters of one statement: one array for each column.
///
/// PostgreSQL flattens nested arrays. So the vectors of a column become one array of all elements, and two arrays with
/// the bounds of each row's part, at a cost in proportion to their bytes. Vectors of texts become texts of array
/// literals, since their parts have no fixed positions.
struct RowArrays {
  private struct Values {
    var bytes: [UInt8] = []

    /// Appends the element that a body builds, or null when the body returns false.
    mutating func append(_ body: (inout [UInt8]) -> Bool) {
      let start = bytes.count
      bytes.append(bigEndian: Int32(-1))
      if body(&bytes) { bytes.setLength(at: start) }
    }
  }

  private let columns: [ColumnForm]
  private var values: [Values]
  /// The ends of the vectors' parts; empty for other columns.
  private var ends: [Values]
  /// The elements of vectors, each preceded by its length; empty for other columns.
  private var elements: [(bytes: [UInt8], count: Int32)]
  private var count = 0
  private let texts: [TextColumns]
  /// The values of the columns of full-text indexes: words, states and beginnings of each.
  private var textValues: [(words: [UInt8], states: [UInt8], beginnings: [UInt8])]

  /// - Parameters:
  ///   - columns: Columns of properties.
  ///   - texts: The full-text indexes whose columns are written, too.
  init(_ columns: [WriteColumn], _ texts: [TextColumns] = []) {
    self.texts = texts
    textValues = texts.map { _ in ([], [], []) }
    self.columns = columns.map(\.form)
    values = columns.map { _ in Values() }
    ends = values
    elements = columns.map { _ in ([], 0) }
  }

  /// The estimated size of the parameters in bytes.
  private(set) var byteCount = 0

  /// The SQL of the rows: a SELECT from the parameters.
  static func source(of columns: [WriteColumn], _ texts: [TextColumns] = []) -> String {
    var parameters: [String] = []
    var names: [String] = []
    var selection: [String] = []
    var number = 0
    for column in columns {
      switch column.column.kind {
      case .integers, .bigints, .reals:
        selection.append("$\(number + 3)[u.c\(number + 1):u.c\(number + 2)]")
        parameters += ["$\(number + 1)", "$\(number + 2)"]
        names += ["c\(number + 1)", "c\(number + 2)"]
        number += 3
      case .texts:
        selection.append("u.c\(number + 1)::text[]")
        parameters.append("$\(number + 1)")
        names.append("c\(number + 1)")
        number += 1
      default:
        selection.append(column.column.insertion("u.c\(number + 1)"))
        parameters.append("$\(number + 1)")
        names.append("c\(number + 1)")
        number += 1
      }
    }
    for column in texts.flatMap(\.names.columns.indices) {
      selection.append("u.c\(number + 1)\(column == 1 ? "" : "::text[]")")
      parameters.append("$\(number + 1)")
      names.append("c\(number + 1)")
      number += 1
    }
    return "SELECT \(selection.joined(separator: ", ")) FROM unnest("
      + parameters.joined(separator: ", ") + ") AS u(\(names.joined(separator: ", ")))"
  }

  /// Appends a row.
  mutating func append(_ record: RecordReader) {
    count += 1
    for index in columns.indices {
      let column = columns[index]
      let before = values[index].bytes.count
      switch column.kind {
      case .integers, .bigints, .reals: appendVector(column, record, at: index)
      case .texts:
        let bytes = column.bytes(record)
        values[index].append { value in
          guard let bytes else { return false }
          value.appendArrayConstant(column.texts(in: bytes))
          return true
        }
      default: values[index].append { column.append(record, to: &$0) }
      }
      byteCount += values[index].bytes.count - before
    }
    for (index, columns) in texts.enumerated() {
      let before = textValues[index].words.count
      let found = columns.values(of: record)
      TextValues.append(found, beginnings: false, toElements: &textValues[index].words)
      TextValues.append(stateOf: found, toElements: &textValues[index].states)
      if columns.names.hasBeginnings {
        TextValues.append(found, beginnings: true, toElements: &textValues[index].beginnings)
      }
      byteCount += textValues[index].words.count - before
    }
  }

  private mutating func appendVector(
    _ column: ColumnForm,
    _ record: RecordReader,
    at index: Int
  ) {
    let before = elements[index].bytes.count
    guard let bytes = column.bytes(record) else {
      values[index].append { _ in false }
      ends[index].append { _ in false }
      return
    }
    let first = elements[index].count + 1
    elements[index].count += Int32(column.appendElements(bytes, to: &elements[index].bytes))
    let last = elements[index].count
    values[index].append {
      $0.append(bigEndian: first)
      return true
    }
    ends[index].append {
      $0.append(bigEndian: last)
      return true
    }
    byteCount += elements[index].bytes.count - before
  }

  /// Returns the parameters for the SQL of `source`.
  func parameters() -> Parameters {
    var parameters = Parameters()
    func append(_ values: [UInt8], _ count: Int, _ type: UInt32, of element: UInt32) {
      parameters.append(type) { bytes in
        bytes.reserveCapacity(bytes.count + values.count + 20)
        bytes.appendArrayHeader(of: element, count: count, hasNulls: true)
        bytes.append(contentsOf: values)
      }
    }
    for (index, column) in columns.enumerated() {
      let kind = column.kind
      switch kind {
      case .integers, .bigints, .reals:
        for bounds in [values[index], ends[index]] {
          append(bounds.bytes, count, PostgresType.int4Array, of: PostgresType.int4)
        }
        let (bytes, count) = elements[index]
        append(bytes, Int(count), kind.type, of: kind.elementType)
      case .texts: append(values[index].bytes, count, PostgresType.textArray, of: PostgresType.text)
      default: append(values[index].bytes, count, kind.arrayType ?? 0, of: kind.type)
      }
    }
    for (columns, values) in zip(texts, textValues) {
      append(values.words, count, PostgresType.textArray, of: PostgresType.text)
      append(values.states, count, PostgresType.int8Array, of: PostgresType.int8)
      if columns.names.hasBeginnings {
        append(values.beginnings, count, PostgresType.textArray, of: PostgresType.text)
      }
    }
    return parameters
  }
}

extension ColumnForm {
  /// Appends the elements of a numeric vector, each preceded by its length; returns their number.
  fileprivate func appendElements(
    _ value: UnsafeRawBufferPointer,
    to bytes: inout [UInt8]
  ) -> Int {
    func append<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) -> Int {
      let numbers = VectorCodec.numbers(in: value, as: type)
      for number in numbers {
        bytes.append(bigEndian: Int32(MemoryLayout<T>.size))
        bytes.append(bigEndian: T(littleEndian: number))
      }
      return numbers.count
    }
    return kind == .bigints ? append(UInt64.self) : append(UInt32.self)
  }
}

extension ColumnKind {
  /// PostgreSQL's number of the type of a vector's elements.
  fileprivate var elementType: UInt32 {
    switch self {
    case .integers: PostgresType.int4
    case .bigints: PostgresType.int8
    default: PostgresType.float4
    }
  }
}

extension [UInt8] {
  /// Appends texts as an array literal, such as `{"a","b"}`.
  fileprivate mutating func appendArrayConstant(_ texts: [[UInt8]]) {
    append(UInt8(ascii: "{"))
    for (index, text) in texts.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(UInt8(ascii: "\""))
      for byte in text {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append(UInt8(ascii: "\\")) }
        append(byte)
      }
      append(UInt8(ascii: "\""))
    }
    append(UInt8(ascii: "}"))
  }
}
