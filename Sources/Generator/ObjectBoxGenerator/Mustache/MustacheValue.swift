/// A value in the context of a template.
package indirect enum MustacheValue: Sendable {
  case text(String)
  case boolean(Bool)
  case list([MustacheValue])
  case dictionary([String: MustacheValue])

  /// False for `false`, an empty text and an empty list: their sections are not rendered.
  var isTruthy: Bool {
    switch self {
    case .text(let text): !text.isEmpty
    case .boolean(let boolean): boolean
    case .list(let list): !list.isEmpty
    case .dictionary: true
    }
  }
}

extension MustacheValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(arrayLiteral elements: MustacheValue...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, MustacheValue)...) {
    self = .dictionary(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
