internal import Foundation
package import ObjectBox
package import ObjectBoxJSON

/// A value that cannot be stored: its place, what was found and what is expected.
package struct LineFault: Error, CustomStringConvertible {
  package var place: JSONPlace
  package var text: String

  package init(_ text: String, at place: JSONPlace) {
    self.text = text
    self.place = place
  }

  package var description: String { "\(place.description): \(text)" }
}

extension JSONValue {
  /// Passes the stored value of this JSON value to a body; accepts the form that ``JSONWriter``
  /// writes.
  ///
  /// - Parameters:
  ///   - form: The form of the property.
  ///   - title: The property's name in messages.
  ///   - body: Gets the value, valid until it returns.
  /// - Throws: ``LineFault`` when this is no value of the form.
  package func withExact(
    as form: ValueForm,
    _ title: @autoclosure () -> String,
    _ body: (ExactValue) -> Void
  ) throws {
    if case .null = content { return body(.null) }
    func fault(_ expected: String) -> LineFault {
      LineFault("\(title()) is \(kind), and \(expected) is expected", at: place)
    }
    func pass(_ bytes: [UInt8]?, _ expected: String) throws {
      guard let bytes = bytes ?? hexBytes else { throw fault(expected) }
      bytes.withUnsafeBytes { body(.bytes($0)) }
    }
    switch form {
    case .integer(let size, let isUnsigned):
      let range = IntegerRange(size: size, isUnsigned: isUnsigned)
      guard let number = range.number(self) else { throw fault(range.words) }
      body(.integer(number))
    case .boolean:
      guard let number = boolean else { throw fault("true or false") }
      body(.integer(number))
    case .float:
      guard let number = float else { throw fault("a number of 32 bits, or one in words") }
      body(.float(number))
    case .double:
      guard let number = double else { throw fault("a number of 64 bits, or one in words") }
      body(.double(number))
    case .text: try pass(string.map { Array($0.utf8) }, "a text")
    case .decimal: try pass(decimal, "a decimal number of at most 38 digits")
    case .bytes: try pass(base64, "a text in Base64")
    case .uuid: try pass(uuid, "a UUID")
    case .booleans:
      try pass(
        vector { $0.boolean.map { [UInt8(truncatingIfNeeded: $0)] } },
        "an array of Booleans"
      )
    case .integers(let size, let isUnsigned):
      let range = IntegerRange(size: size, isUnsigned: isUnsigned)
      try pass(
        vector { element in
          range.number(element).map { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0.prefix(size)) }
          }
        },
        "an array of \(range.words(isPlural: true))"
      )
    case .floats:
      try pass(
        vector { $0.float.map { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) } },
        "an array of numbers of 32 bits"
      )
    case .doubles:
      try pass(
        vector { $0.double.map { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) } },
        "an array of numbers of 64 bits"
      )
    case .texts: try pass(stringVector, "an array of texts")
    }
  }

  // MARK: Numbers

  /// The number of a Boolean; also the byte that a damaged record may hold in its place.
  private var boolean: Int64? {
    if case .boolean(let value) = content { return value ? 1 : 0 }
    if let bytes = hexBytes { return bytes.count == 1 ? Int64(Int8(bitPattern: bytes[0])) : nil }
    return integer(Int8.self).flatMap { $0 == 0 || $0 == 1 ? Int64($0) : nil }
  }

  /// The stored bytes of a decimal: of its text, or of the usual form of a number.
  private var decimal: [UInt8]? {
    if case .number(let digits) = content { return Decimal.value(in: digits)?.encoding }
    return string.flatMap { Decimal.value(in: $0) == nil ? nil : Array($0.utf8) }
  }

  private var float: Float? {
    if case .number(let digits) = content {
      return Float(digits).flatMap { $0.isFinite ? $0 : nil }
    }
    switch string {
    case "NaN"?: return .nan
    case "Infinity"?: return .infinity
    case "-Infinity"?: return -.infinity
    default: return bits(UInt32.self).map(Float.init(bitPattern:))
    }
  }

  private var double: Double? {
    if case .number(let digits) = content {
      return Double(digits).flatMap { $0.isFinite ? $0 : nil }
    }
    switch string {
    case "NaN"?: return .nan
    case "Infinity"?: return .infinity
    case "-Infinity"?: return -.infinity
    default: return bits(UInt64.self).map(Double.init(bitPattern:))
    }
  }

  /// The bits of a floating point number, written as "0x" and hexadecimal digits.
  private func bits<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    guard let string, string.hasPrefix("0x"), let first = string.dropFirst(2).first,
      first.isHexDigit
    else { return nil }
    return T(string.dropFirst(2), radix: 16)
  }

  // MARK: Bytes

  private var base64: [UInt8]? {
    // Foundation takes any number of `=` at the end, and reads other ones as bytes.
    guard let string, string.utf8.count.isMultiple(of: 4) else { return nil }
    let padding = string.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2, !string.utf8.dropLast(padding).contains(UInt8(ascii: "=")) else {
      return nil
    }
    return Data(base64Encoded: string).map(Array.init)
  }

  private var uuid: [UInt8]? {
    string.flatMap(UUID.init(uuidString:)).map { uuid in
      withUnsafeBytes(of: uuid.uuid) { Array($0) }
    }
  }

  /// The bytes of `{"hex":"…"}`.
  private var hexBytes: [UInt8]? {
    guard case .object(let members) = content, members.count == 1,
      let digits = self["hex"]?.string.map({ Array($0.utf8) }), digits.count.isMultiple(of: 2)
    else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16), pair.first?.isHexDigit ?? false else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// The concatenated bytes of all elements; nil when an element is invalid.
  private func vector(_ element: (JSONValue) -> [UInt8]?) -> [UInt8]? {
    guard let elements else { return nil }
    var bytes: [UInt8] = []
    for value in elements {
      guard let next = element(value) else { return nil }
      bytes += next
    }
    return bytes
  }

  private var stringVector: [UInt8]? {
    guard let strings = elements?.map(\.string) else { return nil }
    var texts: [UInt8] = []
    var ends: [UInt8] = []
    func append(_ number: Int) {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { ends += $0 }
    }
    append(strings.count)
    for string in strings {
      guard let string else { return nil }
      texts += string.utf8
      append(texts.count)
    }
    return ends + texts
  }
}

/// The range of a property's integers by size and sign.
private struct IntegerRange {
  let size: Int
  let isUnsigned: Bool

  /// Returns the bits of a number in the range, sign-extended as in records; nil for other values.
  func number(_ value: JSONValue) -> Int64? {
    switch (size, isUnsigned) {
    case (1, false): value.integer(Int8.self).map(Int64.init)
    case (2, false): value.integer(Int16.self).map(Int64.init)
    case (4, false): value.integer(Int32.self).map(Int64.init)
    case (_, false): value.integer(Int64.self)
    case (1, true): value.integer(UInt8.self).map(Int64.init)
    case (2, true): value.integer(UInt16.self).map(Int64.init)
    case (4, true): value.integer(UInt32.self).map(Int64.init)
    case (_, true): value.integer(UInt64.self).map(Int64.init(bitPattern:))
    }
  }

  var words: String { words(isPlural: false) }

  func words(isPlural: Bool) -> String {
    let noun = isPlural ? "whole numbers" : "a whole number"
    let greatest: UInt64 =
      isUnsigned ? .max >> UInt64(64 - 8 * size) : .max >> UInt64(65 - 8 * size)
    return "\(noun) from \(isUnsigned ? "0" : "-\(greatest + 1)") to \(greatest)"
  }
}
