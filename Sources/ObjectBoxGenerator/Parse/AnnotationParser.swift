internal import Foundation

/// Takes the text behind `objectbox:` apart: items between commas, each a name with or without a value,
/// behind optional namespaces.
struct AnnotationParser {
  let source: SourceText

  /// Adds the items of one comment to the annotations of a declaration.
  func parse(_ range: Range<Int>, into annotations: inout Annotations) {
    var range = range
    var namespaces: [(name: String, offset: Int)] = []
    while let colon = namespaceEnd(in: range) {
      let name = source.trimmed(range.lowerBound..<colon)
      namespaces.append((source.text(name), name.lowerBound))
      range = source.trimmed(colon + 1..<range.upperBound)
    }
    let items = split(range).compactMap(item)
    guard let outermost = namespaces.first else {
      for item in items {
        annotations.add(item.name, item.value, at: source.position(at: item.offset))
      }
      return
    }
    var value = AnnotationValue.dictionary(
      Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    )
    for namespace in namespaces.dropFirst().reversed() {
      value = .dictionary([namespace.name: value])
    }
    annotations.add(outermost.name, value, at: source.position(at: outermost.offset))
  }

  /// Returns the offset of the colon that ends a namespace; nil when the text has none.
  private func namespaceEnd(in range: Range<Int>) -> Int? {
    var end: Int?
    walk(range) { offset, byte in
      if byte == UInt8(ascii: ":") { end = offset }
      // A namespace stands before the first item: neither a comma nor a value precedes its colon.
      return end != nil || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "=")
    }
    return end
  }

  private func split(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    walk(range) { offset, byte in
      if byte == UInt8(ascii: ",") {
        parts.append(start..<offset)
        start = offset + 1
      }
      return false
    }
    parts.append(start..<range.upperBound)
    return parts.map(source.trimmed).filter { !$0.isEmpty }
  }

  /// Passes the bytes outside of brackets and double quotes to a block, until it returns true.
  private func walk(_ range: Range<Int>, _ body: (Int, UInt8) -> Bool) {
    var depth = 0
    var isQuoted = false
    for offset in range {
      let byte = source.bytes[offset]
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"):
        if !isQuoted { depth += 1 }
      case UInt8(ascii: ">"), UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"):
        if !isQuoted { depth = max(0, depth - 1) }
      default:
        if depth == 0, !isQuoted, body(offset, byte) { return }
      }
    }
  }

  private func item(_ range: Range<Int>) -> (name: String, value: AnnotationValue, offset: Int)? {
    let equals = range.first { source.bytes[$0] == UInt8(ascii: "=") }
    let name = source.trimmed(range.lowerBound..<(equals ?? range.upperBound))
    guard !name.isEmpty else { return nil }
    let text = equals.map { source.text(source.trimmed($0 + 1..<range.upperBound)) } ?? ""
    let value = text.isEmpty ? .bare : Self.value(of: text)
    return (source.text(name), value, name.lowerBound)
  }

  /// Reads a value: a number, a quoted text, JSON, or a text as it is.
  static func value(of text: String) -> AnnotationValue {
    if let integer = Int64(text) { return .integer(integer) }
    if text.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" }), let decimal = Double(text) {
      return .decimal(decimal)
    }
    for quote in ["\"", "'"] where text.count >= 2 && text.hasPrefix(quote) && text.hasSuffix(quote)
    {
      return .text(text.dropFirst().dropLast().trimmingCharacters(in: .whitespaces))
    }
    if text.hasPrefix("[") || text.hasPrefix("{"), let json = json(text) { return json }
    return .text(text)
  }

  private static func json(_ text: String) -> AnnotationValue? {
    guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else { return nil }
    return value(ofJSON: object)
  }

  private static func value(ofJSON object: Any) -> AnnotationValue? {
    switch object {
    case let list as [Any]: .list(list.compactMap(value(ofJSON:)))
    case let dictionary as [String: Any]: .dictionary(dictionary.compactMapValues(value(ofJSON:)))
    case let text as String: .text(text)
    case let number as NSNumber: value(of: number)
    default: nil
    }
  }

  private static func value(of number: NSNumber) -> AnnotationValue {
    // Foundation keeps JSON's true and false as numbers of the C type char.
    if String(cString: number.objCType) == "c" { return .boolean(number.boolValue) }
    if let integer = Int64(exactly: number.doubleValue) { return .integer(integer) }
    return .decimal(number.doubleValue)
  }
}
