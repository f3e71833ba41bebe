/// A value of a model file.
indirect enum ModelValue: Sendable, ExpressibleByStringLiteral {
  case number(UInt64)
  case decimal(Double)
  case text(String)
  case boolean(Bool)
  case list([ModelValue])
  case object([(key: String, value: ModelValue)])

  init<Node: ModelNode>(_ node: Node) {
    let members = Node.table.members.map { ($0.key, $0.value(node)) }
    self = .object(members.compactMap { key, value in value.map { (key, $0) } })
  }

  init(stringLiteral text: String) {
    self = .text(text)
  }

  /// The text in ObjectBox's layout.
  ///
  /// Two blanks of indentation, a key per line, empty arrays on the line of their key, no line feed
  /// at the end.
  var text: String {
    var text = ""
    write(indentation: "", to: &text)
    return text
  }

  private func write(indentation: String, to text: inout String) {
    switch self {
    case .number(let number): text += "\(number)"
    case .decimal(let number): text += "\(number)"
    case .boolean(let value): text += "\(value)"
    case .text(let string): text += string.literal
    case .list(let elements) where elements.isEmpty: text += "[]"
    case .list(let elements):
      Self.write(elements.map { ("", $0) }, "[", "]", indentation, to: &text)
    case .object(let members):
      let members = members.map { ("\"\($0.key)\": ", $0.value) }
      Self.write(members, "{", "}", indentation, to: &text)
    }
  }

  private static func write(
    _ items: [(label: String, value: ModelValue)],
    _ start: String,
    _ end: String,
    _ indentation: String,
    to text: inout String
  ) {
    let inner = indentation + "  "
    text += start
    for (index, item) in items.enumerated() {
      text += "\(index == 0 ? "" : ",")\n\(inner)\(item.label)"
      item.value.write(indentation: inner, to: &text)
    }
    text += "\n\(indentation)\(end)"
  }
}
