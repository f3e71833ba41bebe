/// A JSON value with the place where it begins, so that every finding about it can point there.
struct JSONValue {
  indirect enum Content {
    case null
    case boolean(Bool)
    /// The digits as written.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In the order of the file.
    case object([(key: String, value: JSONValue)])
  }

  var content: Content
  var position: SourcePosition
  /// How long it is, in UTF-8 bytes.
  var length: Int
  /// Where the key of a member stands, with its quotes; nil for other values.
  var key: SourceSpan?

  /// The value of a key of an object; nil when it is absent or this is no object.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  var string: String? {
    if case .string(let string) = content { string } else { nil }
  }

  var elements: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  var isObject: Bool {
    if case .object = content { true } else { false }
  }

  /// The number when it is whole and in the range of the type.
  func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
    if case .number(let digits) = content { T(digits) } else { nil }
  }

  /// What the value is, for messages.
  var kind: String {
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
