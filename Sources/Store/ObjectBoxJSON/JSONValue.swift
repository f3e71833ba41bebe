/// A JSON value with its position, for findings.
package struct JSONValue: Sendable {
  package indirect enum Content: Sendable {
    case null
    case boolean(Bool)
    /// The digits as written.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In the order of the file.
    case object([(key: String, value: JSONValue)])
  }

  package var content: Content
  package var place: JSONPlace
  /// Number of UTF-8 bytes.
  package var length: Int
  /// Position of a member's key, with its quotes; nil for values that are not members.
  package var keyPlace: JSONPlace?
  /// Number of UTF-8 bytes of a member's key, with its quotes.
  package var keyLength = 0

  /// Makes a value that a file contains in another form than JSON.
  package init(content: Content, place: JSONPlace, length: Int) {
    self.content = content
    self.place = place
    self.length = length
  }

  /// Returns the value of an object's key; nil for a missing key, and for values that are not
  /// objects.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var string: String? {
    if case .string(let string) = content { string } else { nil }
  }

  package var elements: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  package var isObject: Bool {
    if case .object = content { true } else { false }
  }

  /// Returns the number if it is an integer in the range of the type; nil for other values.
  package func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
    if case .number(let digits) = content { T(digits) } else { nil }
  }

  /// The kind of the value, with the content of numbers and texts, for messages.
  package var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "a Boolean"
    case .number(let digits): "the number \(digits)"
    case .string(let text): "the text \"\(text)\""
    case .array: "an array"
    case .object: "an object"
    }
  }
}
