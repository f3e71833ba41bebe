/// Parses JSON and keeps the position of each value, unlike Foundation's decoder.
///
/// Follows RFC 8259. Limits the nesting to 64 levels and rejects duplicate keys.
package struct JSONParser {
  private static let maximumDepth = 64

  private static let words: [([UInt8], JSONValue.Content)] = [
    (Array("true".utf8), .boolean(true)), (Array("false".utf8), .boolean(false)),
    (Array("null".utf8), .null),
  ]

  /// The kind of text that is parsed, as messages name it.
  private enum Extent: String {
    case file
    case line
  }

  private let bytes: [UInt8]
  private let path: String
  private let extent: Extent
  private var offset = 0
  private var line: Int
  private var lineStart = 0
  private var depth = 0

  private init(_ bytes: [UInt8], path: String, _ extent: Extent, line: Int) {
    self.bytes = bytes
    self.path = path
    self.extent = extent
    self.line = line
  }

  /// Parses a whole text.
  ///
  /// - Throws: ``JSONFault`` at the first error.
  package static func parse(_ text: String, path: String) throws(JSONFault) -> JSONValue {
    var parser = JSONParser(Array(text.utf8), path: path, .file, line: 1)
    if parser.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.offset = 3 }
    return try parser.parseAll()
  }

  /// Parses one line of a file that is a JSON text of its own.
  ///
  /// - Parameters:
  ///   - bytes: The line without its end.
  ///   - path: The path of the file, for positions.
  ///   - number: The number of the line, from 1.
  /// - Returns: The value of the line.
  /// - Throws: ``JSONFault`` at the first error.
  package static func parse(
    line bytes: [UInt8],
    path: String,
    number: Int
  ) throws(JSONFault) -> JSONValue {
    var parser = JSONParser(bytes, path: path, .line, line: number)
    return try parser.parseAll()
  }

  private mutating func parseAll() throws(JSONFault) -> JSONValue {
    let value = try parseValue()
    skipBlanks()
    guard offset == bytes.count else {
      throw fault(
        extent == .file
          ? "there is text behind the end of the model"
          : "there is text behind the end of the value"
      )
    }
    return value
  }

  private var place: JSONPlace {
    JSONPlace(path: path, line: line, column: offset - lineStart + 1)
  }

  private func fault(_ text: String) -> JSONFault {
    let markers = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
    let isConflict = markers.contains { bytes[offset...].starts(with: Array($0.utf8)) }
    return JSONFault(text: text, place: place, isConflict: isConflict)
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte = next {
      switch byte {
      case 0x20, 0x09, 0x0D: offset += 1
      case 0x0A:
        offset += 1
        line += 1
        lineStart = offset
      default: return
      }
    }
  }

  private mutating func expect(_ byte: UInt8, _ name: String) throws(JSONFault) {
    skipBlanks()
    guard let found = next else {
      throw fault("the \(extent.rawValue) ends where \(name) is expected")
    }
    guard found == byte else { throw fault("\(name) is expected here") }
    offset += 1
  }

  private mutating func parseValue() throws(JSONFault) -> JSONValue {
    skipBlanks()
    let start = place
    let startOffset = offset
    guard let byte = next else {
      throw fault("the \(extent.rawValue) ends where a value is expected")
    }
    let content: JSONValue.Content
    switch byte {
    case UInt8(ascii: "{"):
      content = try nested { (parser) throws(JSONFault) in
        .object(try parser.parseMembers())
      }
    case UInt8(ascii: "["):
      content = try nested { (parser) throws(JSONFault) in
        .array(try parser.parseElements())
      }
    case UInt8(ascii: "\""): content = .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      content = .number(try parseNumber())
    default: content = try parseWord()
    }
    return JSONValue(content: content, place: start, length: offset - startOffset)
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONFault) -> JSONValue.Content
  ) throws(JSONFault) -> JSONValue.Content {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw fault("values are nested deeper than \(Self.maximumDepth) levels")
    }
    offset += 1
    return try body(&self)
  }

  private mutating func parseMembers() throws(JSONFault) -> [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = []
    var keys: [String: JSONPlace] = [:]
    try parseList(until: UInt8(ascii: "}"), "',' or '}'") { (parser) throws(JSONFault) in
      parser.skipBlanks()
      guard parser.next == UInt8(ascii: "\"") else {
        throw parser.fault("a key in quotes is expected here")
      }
      let start = parser.place
      let startOffset = parser.offset
      let key = try parser.parseString()
      if let other = keys.updateValue(start, forKey: key) {
        throw JSONFault(
          text: "the key \"\(key)\" stands here twice",
          place: start,
          otherPlace: other
        )
      }
      let length = parser.offset - startOffset
      try parser.expect(UInt8(ascii: ":"), "':'")
      var value = try parser.parseValue()
      value.keyPlace = start
      value.keyLength = length
      members.append((key, value))
    }
    return members
  }

  private mutating func parseElements() throws(JSONFault) -> [JSONValue] {
    var elements: [JSONValue] = []
    try parseList(until: UInt8(ascii: "]"), "',' or ']'") { (parser) throws(JSONFault) in
      elements.append(try parser.parseValue())
    }
    return elements
  }

  /// Parses elements between commas, up to and including a closing bracket.
  private mutating func parseList(
    until end: UInt8,
    _ expected: String,
    _ parseElement: (inout JSONParser) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    skipBlanks()
    if next == end {
      offset += 1
      return
    }
    while true {
      try parseElement(&self)
      skipBlanks()
      guard next == UInt8(ascii: ",") else { return try expect(end, expected) }
      offset += 1
    }
  }

  private mutating func parseString() throws(JSONFault) -> String {
    offset += 1
    var start = offset
    // The text up to the last escape. Most texts have no escape and are made directly from their
    // bytes.
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<offset]
        offset += 1
        let string =
          text.isEmpty
          ? String(validating: rest, as: UTF8.self) : String(validating: text + rest, as: UTF8.self)
        guard let string else { throw fault("a text is not UTF-8") }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[start..<offset]
        offset += 1
        text += try parseEscape().utf8
        start = offset
      case 0..<0x20: throw fault("a text is not closed on its line")
      default: offset += 1
      }
    }
    throw fault("the \(extent.rawValue) ends inside a text")
  }

  private mutating func parseEscape() throws(JSONFault) -> Unicode.Scalar {
    guard let byte = next else { throw fault("the \(extent.rawValue) ends inside a text") }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return try parseUnicodeEscape()
    default: throw fault("there is no escape '\\\(Unicode.Scalar(byte))'")
    }
  }

  private mutating func parseUnicodeEscape() throws(JSONFault) -> Unicode.Scalar {
    let high = try parseHexadecimal()
    var value = UInt32(high)
    if (0xD800..<0xDC00).contains(high), bytes[offset...].starts(with: Array("\\u".utf8)) {
      offset += 2
      let low = try parseHexadecimal()
      value = 0x10000 + ((UInt32(high) & 0x3FF) << 10) + (UInt32(low) & 0x3FF)
      guard (0xDC00..<0xE000).contains(low) else { throw fault("half a character is escaped") }
    }
    guard let scalar = Unicode.Scalar(value) else { throw fault("half a character is escaped") }
    return scalar
  }

  private mutating func parseHexadecimal() throws(JSONFault) -> UInt16 {
    let digits = bytes[offset...].prefix(4)
    // `UInt16` accepts a sign.
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits are expected here") }
    offset += 4
    return value
  }

  private mutating func parseNumber() throws(JSONFault) -> String {
    let start = offset
    while let byte = next, Self.isOfNumber(byte) { offset += 1 }
    let digits = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard Self.isNumber(bytes[start..<offset]) else {
      throw fault("'\(digits)' is no number")
    }
    return digits
  }

  /// Returns whether bytes are a number as RFC 8259 writes it: without `+`, leading zeros, and points
  /// without digits on both sides.
  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    /// Removes digits; returns false if there are none.
    func takeDigits() -> Bool {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count > 0
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    if rest.first == UInt8(ascii: "0") {
      rest = rest.dropFirst()
    } else if !takeDigits() {
      return false
    }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard takeDigits() else { return false }
    }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard takeDigits() else { return false }
    }
    return rest.isEmpty
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func parseWord() throws(JSONFault) -> JSONValue.Content {
    for (word, content) in Self.words where bytes[offset...].starts(with: word) {
      offset += word.count
      return content
    }
    throw fault("a value is expected here")
  }
}
