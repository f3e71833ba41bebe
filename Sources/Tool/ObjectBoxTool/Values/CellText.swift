internal import Foundation
internal import ObjectBox
internal import ObjectBoxJSON

/// The text of a stored value in a table cell.
struct CellText {
  /// The greatest number of characters shown in a cell.
  private static let shownCharacters = 60
  /// The greatest number of a vector's elements shown in a cell.
  private static let shownElements = 6

  let property: PropertySchema
  private let form: ValueForm

  init(_ property: PropertySchema) {
    self.property = property
    form = ValueForm(property)
  }

  /// Whether the values are numbers.
  var isNumber: Bool {
    if isDate { return false }
    return switch form {
    case .integer, .float, .double: true
    default: false
    }
  }

  private var isDate: Bool { [.date, .dateNano].contains(property.type) }

  /// Returns the complete value of a record; nil for null.
  func whole(in record: RecordReader) -> String? {
    property.has(.id) ? "\(record.objectID)" : whole(record.exact(property))
  }

  /// Returns a record's value, shortened for people; nil for null.
  func shown(in record: RecordReader) -> String? {
    if property.has(.id) { return "\(record.objectID)" }
    let value = record.exact(property)
    if case .null = value { return nil }
    return shown(value)
  }

  /// Returns the complete value: texts unchanged, dates in ISO 8601, other values as in a dump.
  ///
  /// - Returns: The text; nil for null.
  func whole(_ value: ExactValue) -> String? {
    switch value {
    case .null: return nil
    case .integer(let ticks) where isDate:
      return DateText.text(ticks: ticks, isNano: property.type == .dateNano) ?? "\(ticks)"
    case .bytes(let bytes) where form.isText:
      if let text = String(validating: bytes, as: UTF8.self) { return text }
    default: break
    }
    var writer = JSONWriter()
    writer.value(value, as: form)
    var text = String(decoding: writer.bytes, as: UTF8.self)
    // Remove JSON's quotes: bytes, UUIDs and names of numbers need no escapes.
    if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 {
      text = String(text.dropFirst().dropLast())
    }
    return text
  }

  /// Returns a text in one line, with control characters escaped; cut after a number of characters.
  static func line(_ text: String, atMost count: Int) -> String {
    let line = text.replacingBytes(of: "\r\n", with: "⏎").replacingBytes(of: "\n", with: "⏎")
      .replacingBytes(of: "\t", with: " ").printable
    return line.count > count ? line.prefix(count - 1) + "…" : line
  }

  /// Returns a value for people: shortened, with control characters escaped.
  private func shown(_ value: ExactValue) -> String {
    let text: String
    switch (value, form) {
    case (.bytes(let bytes), .bytes):
      let start = bytes.prefix(8).map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
      text = "0x\(start)\(bytes.count > 8 ? "…" : "") (\(bytes.count.counted("byte")))"
    case (.bytes(let bytes), .floats):
      let count = bytes.count / 4
      let numbers = (0..<min(count, Self.shownElements)).map { index in
        let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
        return "\(Float(bitPattern: UInt32(littleEndian: bits)))"
      }
      let more = count > Self.shownElements ? ", … (\(count))" : ""
      text = "[\(numbers.joined(separator: ", "))\(more)]"
    default: text = whole(value) ?? ""
    }
    return Self.line(text, atMost: Self.shownCharacters)
  }
}
