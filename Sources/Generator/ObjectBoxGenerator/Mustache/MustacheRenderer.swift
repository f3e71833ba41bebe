/// Renders parsed templates.
struct MustacheRenderer {
  private static let maximumDepth = 100

  let partials: [String: MustacheTemplate]
  private var depth = 0

  init(partials: [String: MustacheTemplate]) {
    self.partials = partials
  }

  mutating func render(
    _ template: MustacheTemplate,
    stack: [MustacheValue],
    indentation: String,
    to output: inout String
  ) throws(MustacheError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw MustacheError(
        "partials are nested deeper than \(Self.maximumDepth)",
        at: SourcePosition(startOf: template.name)
      )
    }
    var writer = Writer(indentation: indentation)
    try render(template.nodes, stack: stack, writer: &writer, to: &output)
  }

  /// Indents the lines of a partial, except lines within a value.
  private struct Writer {
    let indentation: String
    var isAtLineStart = true

    mutating func write(_ text: String, isValue: Bool, to output: inout String) {
      guard !indentation.isEmpty else {
        output += text
        return
      }
      for character in text {
        if isAtLineStart { output += indentation }
        output.append(character)
        isAtLineStart = !isValue && character.isNewline
      }
    }
  }

  private mutating func render(
    _ nodes: [MustacheTemplate.Node],
    stack: [MustacheValue],
    writer: inout Writer,
    to output: inout String
  ) throws(MustacheError) {
    for node in nodes {
      switch node {
      case .text(let text): writer.write(text, isValue: false, to: &output)
      case .variable(let name, let position):
        let value = try look(up: name, in: stack, position)
        writer.write(try text(of: value, name, position), isValue: true, to: &output)
      case .section(let name, let isInverted, let children, let position):
        let value = try look(up: name, in: stack, position)
        for element in Self.elements(of: value, isInverted: isInverted) {
          try render(
            children,
            stack: element.map { stack + [$0] } ?? stack,
            writer: &writer,
            to: &output
          )
        }
      case .partial(let name, let indentation, let position):
        guard let partial = partials[name] else {
          throw MustacheError("there is no partial '\(name)'", at: position)
        }
        try render(
          partial,
          stack: stack,
          indentation: writer.indentation + indentation,
          to: &output
        )
        writer.isAtLineStart = output.last?.isNewline ?? true
      }
    }
  }

  /// Returns the contexts in which a section is rendered; nil stands for the surrounding context.
  private static func elements(
    of value: MustacheValue,
    isInverted: Bool
  ) -> [MustacheValue?] {
    if isInverted { return value.isTruthy ? [] : [nil] }
    guard value.isTruthy else { return [] }
    switch value {
    case .list(let list): return list
    case .boolean: return [nil]
    case .text, .dictionary: return [value]
    }
  }

  private func look(
    up name: String,
    in stack: [MustacheValue],
    _ position: SourcePosition
  ) throws(MustacheError) -> MustacheValue {
    if name == ".", let top = stack.last { return top }
    let parts = name.split(separator: ".").map(String.init)
    for context in stack.reversed() {
      guard let first = parts.first, case .dictionary(let members) = context,
        var value = members[first]
      else { continue }
      for part in parts.dropFirst() {
        guard case .dictionary(let inner) = value, let next = inner[part] else {
          throw missing(name, position)
        }
        value = next
      }
      return value
    }
    throw missing(name, position)
  }

  private func missing(_ name: String, _ position: SourcePosition) -> MustacheError {
    MustacheError(
      "the context has no '\(name)'; correct the name, see the list of keys beside the templates",
      at: position
    )
  }

  private func text(
    of value: MustacheValue,
    _ name: String,
    _ position: SourcePosition
  ) throws(MustacheError) -> String {
    switch value {
    case .text(let text): return text
    case .boolean(let boolean): return boolean ? "true" : "false"
    case .list, .dictionary:
      throw MustacheError("'\(name)' is no text; open a section on it", at: position)
    }
  }
}
