/// Takes the text behind `objectbox:` apart: items between commas, each a name with or without a
/// value, behind optional namespaces.
struct AnnotationParser {
  private struct Item {
    var name: String
    var value: AnnotationValue
    /// Where the name begins.
    var offset: Int
  }

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
    let items = split(range).compactMap { item($0, &annotations) }
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
    var isEscaped = false
    for offset in range {
      let byte = source.bytes[offset]
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"):
        // Only JSON, which stands in brackets, has escapes.
        isEscaped = isQuoted && depth > 0
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

  private func item(_ range: Range<Int>, _ annotations: inout Annotations) -> Item? {
    let equals = range.first { source.bytes[$0] == UInt8(ascii: "=") } ?? range.upperBound
    let name = source.trimmed(range.lowerBound..<equals)
    guard !name.isEmpty else {
      annotations.report(
        Diagnostic(.annotationWithoutName, at: source.position(at: range.lowerBound))
      )
      return nil
    }
    let text = source.trimmed(min(equals + 1, range.upperBound)..<range.upperBound)
    let value: AnnotationValue
    do {
      value = text.isEmpty ? .bare : try AnnotationValue(parsing: source.text(text))
    } catch {
      let message = DiagnosticMessage.malformedValue(error.reason, of: source.text(name))
      annotations.report(
        Diagnostic(message, at: source.position(at: text.lowerBound + error.offset))
      )
      value = .bare
    }
    return Item(name: source.text(name), value: value, offset: name.lowerBound)
  }
}

extension DiagnosticMessage {
  static let annotationWithoutName = Self(
    .error,
    "the annotation has a value and no name; write `name = value`"
  )

  static func malformedValue(_ reason: String, of name: String) -> Self {
    Self(.error, "the value of annotation '\(name)' cannot be read: \(reason)")
  }
}
