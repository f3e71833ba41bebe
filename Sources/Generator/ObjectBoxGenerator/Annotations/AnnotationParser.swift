internal import ObjectBoxJSON

/// Parses the text after `objectbox:`.
///
/// It consists of optional namespaces, then items between commas. Each item is a name, with or
/// without a value.
package struct AnnotationParser {
  private struct Item {
    var name: String
    var value: AnnotationValue
    /// Offset of the name's first byte.
    var offset: Int
    var places: AnnotationPlaces
    /// Offset directly after the value and its quotes.
    var end: Int
  }

  let source: SourceText

  package init(source: SourceText) {
    self.source = source
  }

  /// Adds the items of one comment to a declaration's annotations.
  package func parse(_ range: Range<Int>, into annotations: inout Annotations) {
    var range = range
    var namespaces: [(name: String, offset: Int)] = []
    while let colon = namespaceEnd(in: range) {
      let name = source.trimmed(range.lowerBound..<colon)
      namespaces.append((source.text(name), name.lowerBound))
      range = source.trimmed(colon + 1..<range.upperBound)
    }
    let items = split(range).flatMap { atMissingCommas($0, &annotations) }
      .compactMap { item($0, &annotations) }
    guard let outermost = namespaces.first else {
      for item in items {
        let position = source.position(at: item.offset)
        annotations.add(item.name, item.value, at: position, places: item.places)
      }
      return
    }
    var value = AnnotationValue.dictionary(
      Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    )
    for namespace in namespaces.dropFirst().reversed() {
      value = .dictionary([namespace.name: value])
    }
    annotations.add(
      outermost.name,
      value,
      at: source.position(at: outermost.offset),
      places: places(of: items, in: outermost, before: range.upperBound)
    )
  }

  /// Returns the positions of a namespace and its items.
  private func places(
    of items: [Item],
    in namespace: (name: String, offset: Int),
    before end: Int
  ) -> AnnotationPlaces {
    var places = AnnotationPlaces()
    places.nameLength = namespace.name.utf8.count
    places.whole = source.span(of: namespace.offset..<end)
    for item in items {
      let name = source.span(of: item.offset..<item.offset + item.name.utf8.count)
      places.members[item.name] = AnnotationPlaces.Member(
        key: name,
        value: item.places.value ?? name,
        end: source.position(at: item.end)
      )
    }
    return places
  }

  /// Returns the offset of the colon that ends a namespace; nil without a namespace.
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

  /// Splits an item before each known annotation that follows a complete one after a blank, and
  /// reports the missing comma.
  private func atMissingCommas(
    _ range: Range<Int>,
    _ annotations: inout Annotations
  ) -> [Range<Int>] {
    var starts: [Int] = []
    walk(range) { offset, byte in
      if SourceText.isBlank(byte), offset + 1 < range.upperBound,
        !SourceText.isBlank(source.bytes[offset + 1])
      {
        starts.append(offset + 1)
      }
      return false
    }
    var parts: [Range<Int>] = []
    var head = range.lowerBound
    for start in starts {
      let rest = source.bytes[start..<range.upperBound]
      let end = rest.firstIndex { SourceText.isBlank($0) || $0 == UInt8(ascii: "=") }
      let word = start..<(end ?? range.upperBound)
      let before = source.trimmed(head..<start)
      guard Annotation.named(source.text(word)) != nil, isComplete(before) else { continue }
      let place = source.span(of: before.upperBound..<before.upperBound)
      let fix = FixIt("add a comma", edits: [.init(place, replacement: ",")], isSafe: true)
      let message = DiagnosticMessage.missingComma(source.text(before), source.text(word))
      annotations.report(Diagnostic(message, at: source.span(of: word), fixIts: [fix]))
      parts.append(before)
      head = start
    }
    return parts + [head..<range.upperBound]
  }

  /// Returns whether an item is a known annotation without a value, or has a value that cannot
  /// continue after a blank.
  private func isComplete(_ range: Range<Int>) -> Bool {
    guard let equals = range.first(where: { source.bytes[$0] == UInt8(ascii: "=") }) else {
      return Annotation.named(source.text(range)) != nil
    }
    let name = source.text(source.trimmed(range.lowerBound..<equals))
    let value = source.text(source.trimmed(equals + 1..<range.upperBound))
    guard let first = value.first, let last = value.last else { return false }
    if first == "\"" || first == "'" { return value.count > 1 && last == first }
    if ["{", "[", "(", "<"].contains(first) { return ["}", "]", ")", ">"].contains(last) }
    if Double(value) != nil { return true }
    return Annotation.named(name).map { !$0.takesFreeText } == true
      && !value.contains(where: \.isWhitespace)
  }

  /// Calls `body` with each byte outside of brackets and double quotes, until it returns true.
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
        // Only JSON has escapes, and JSON begins with a bracket.
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
      let position = source.position(at: range.lowerBound)
      annotations.report(Diagnostic(.annotationWithoutName, at: position))
      return nil
    }
    let text = source.trimmed(min(equals + 1, range.upperBound)..<range.upperBound)
    var places = AnnotationPlaces()
    places.nameLength = name.count
    places.whole = source.span(of: range)
    let value: AnnotationValue
    do {
      value = text.isEmpty ? .bare : try AnnotationValue(parsing: source.text(text))
    } catch {
      let message = DiagnosticMessage.malformedValue(error.reason, of: source.text(name))
      let position = source.position(at: text.lowerBound + error.offset)
      annotations.report(Diagnostic(message, at: position))
      value = .bare
    }
    if !text.isEmpty {
      let content = content(of: text)
      places.value = source.span(of: content)
      if case .dictionary = value { places.members = members(in: content) }
    }
    return Item(
      name: source.text(name),
      value: value,
      offset: name.lowerBound,
      places: places,
      end: range.upperBound
    )
  }

  /// Returns the range inside of a pair of quotes; the whole range without quotes.
  private func content(of range: Range<Int>) -> Range<Int> {
    guard range.count > 2, let first = range.first, let last = range.last,
      source.bytes[first] == source.bytes[last],
      [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(source.bytes[first])
    else { return range }
    let inner = source.trimmed(range.dropFirst().dropLast())
    return inner.isEmpty ? range : inner
  }

  /// Returns the positions of a JSON object's keys and values, without quotes.
  private func members(in range: Range<Int>) -> [String: AnnotationPlaces.Member] {
    guard let object = try? JSONParser.parse(source.text(range), path: ""),
      case .object(let members) = object.content
    else { return [:] }
    func place(_ position: SourcePosition, _ length: Int, isQuoted: Bool) -> SourceSpan {
      // The text is one line, so columns are offsets.
      let start = range.lowerBound + position.column - 1
      return source.span(of: isQuoted ? start + 1..<start + length - 1 : start..<start + length)
    }
    var places: [String: AnnotationPlaces.Member] = [:]
    for (key, value) in members {
      guard let span = value.key else { continue }
      let raw = place(value.position, value.length, isQuoted: false)
      places[key] = AnnotationPlaces.Member(
        key: place(span.position, span.length, isQuoted: true),
        value: value.string == nil
          ? raw : place(value.position, value.length, isQuoted: true),
        end: raw.end
      )
    }
    return places
  }
}

extension DiagnosticMessage {
  static let annotationWithoutName: Self =
    "the annotation has a value and no name; write `name = value`"

  static func missingComma(_ first: String, _ second: String) -> Self {
    "there is no comma between the annotations `\(first)` and '\(second)'; separate them by a comma"
  }

  static func malformedValue(_ reason: String, of name: String) -> Self {
    "the value of annotation '\(name)' cannot be read: \(reason)"
  }
}
