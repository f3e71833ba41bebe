/// A JSON value with its position, for findings about it.
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
  /// The number of its UTF-8 bytes.
  package var length: Int
  /// The place of a member's key, with its quotes; nil for other values.
  package var keyPlace: JSONPlace?
  /// The number of UTF-8 bytes of a member's key, with its quotes.
  package var keyLength = 0

  /// Makes a value that stands in another form in a file.
  package init(content: Content, place: JSONPlace, length: Int) {
    self.content = content
    self.place = place
    self.length = length
  }

  /// The value of a key of an object; nil when it is absent or this is no object.
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

  /// The number when it is whole and in the range of the type.
  package func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
    if case .number(let digits) = content { T(digits) } else { nil }
  }

  /// The kind of the value and its content, for messages.
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
