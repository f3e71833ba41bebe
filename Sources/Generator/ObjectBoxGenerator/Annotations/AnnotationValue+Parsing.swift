internal import ObjectBoxJSON

/// Reason why an annotation's value cannot be read.
struct AnnotationValueFault: Error, Equatable {
  var reason: String
  /// Offset of the fault in the value.
  var offset: Int
}

extension AnnotationValue {
  /// Parses a value that is not empty.
  ///
  /// It is a number, a quoted text, JSON, or any other text as it is.
  init(parsing text: String) throws(AnnotationValueFault) {
    if let number = Self.number(text) {
      self = number
      return
    }
    let unquoted = try Self.unquoted(text)
    do {
      self = try Self.json(unquoted) ?? .text(unquoted)
    } catch {
      // Texts such as `[Int32]` and quoted `{}` are types or code; an unquoted text that begins
      // with a brace is a mistake.
      guard text.hasPrefix("{") else {
        self = .text(unquoted)
        return
      }
      throw AnnotationValueFault(
        reason: "it begins with '{' and is no JSON from here on; write `{ \"key\": \"value\" }`",
        offset: error.position.column - 1
      )
    }
  }

  private static func number(_ text: String) -> AnnotationValue? {
    if let integer = Int64(text) { return .integer(integer) }
    guard text.utf8.allSatisfy(Array("+-.0123456789".utf8).contains) else { return nil }
    return Double(text).map { .decimal($0) }
  }

  /// Returns the text without one pair of equal quotes and without the blanks next to them.
  private static func unquoted(_ text: String) throws(AnnotationValueFault) -> String {
    // By scalars: a quote with a combining mark after it is another character.
    let scalars = text.unicodeScalars
    guard let quote = scalars.first, quote == "\"" || quote == "'" else { return text }
    guard scalars.count >= 2, scalars.last == quote else {
      throw AnnotationValueFault(
        reason: "its quote (\(quote)) is not closed; close it, and put a text with a comma in "
          + "double quotes",
        offset: 0
      )
    }
    return String(scalars.dropFirst().dropLast()).trimmed { $0 == " " || $0 == "\t" }
  }

  /// Returns the value of a JSON object or array; nil for other texts.
  private static func json(_ text: String) throws(JSONFault) -> AnnotationValue? {
    guard text.hasPrefix("{") || text.hasPrefix("[") else { return nil }
    return Self(try JSONParser.parse(text, path: ""))
  }

  private init(_ value: JSONValue) {
    switch value.content {
    case .null: self = .bare
    case .boolean(let boolean): self = .boolean(boolean)
    case .number(let digits):
      self = Int64(digits).map { .integer($0) } ?? .decimal(Double(digits) ?? 0)
    case .string(let text): self = .text(text)
    case .array(let elements): self = .list(elements.map { Self($0) })
    case .object(let members):
      self = .dictionary(
        Dictionary(members.map { ($0.key, Self($0.value)) }, uniquingKeysWith: { $1 })
      )
    }
  }
}
