/// A parsed Mustache template.
///
/// Follows the public Mustache specification: variables, sections, inverted sections, partials,
/// comments and set delimiters. A tag alone on a line leaves no line behind; a partial alone on a
/// line keeps its indentation.
///
/// There are two differences. Nothing is escaped, since the output is source code. A name that the
/// context lacks is an error.
package struct MustacheTemplate: Sendable {
  indirect enum Node: Sendable {
    case text(String)
    case variable(name: String, at: SourcePosition)
    case section(name: String, isInverted: Bool, children: [Node], at: SourcePosition)
    case partial(name: String, indentation: String, at: SourcePosition)
  }

  /// Name of the template, for messages.
  let name: String
  let nodes: [Node]

  /// Parses a template.
  package init(_ text: String, name: String) throws(MustacheError) {
    self.name = name
    var parser = MustacheParser(text, name: name)
    nodes = try parser.parse()
  }

  /// Renders the template.
  ///
  /// `partials` are the templates for `{{> name}}`, by name.
  package func render(
    _ context: MustacheValue,
    partials: [String: MustacheTemplate] = [:]
  ) throws(MustacheError) -> String {
    var output = ""
    var renderer = MustacheRenderer(partials: partials)
    try renderer.render(self, stack: [context], indentation: "", to: &output)
    return output
  }
}

/// A fault of a template or of its context.
package struct MustacheError: Error, Hashable, CustomStringConvertible {
  /// Start of the tag; its path is the name of the template.
  package var position: SourcePosition
  package var text: String

  init(_ text: String, at position: SourcePosition) {
    self.position = position
    self.text = text
  }

  package var description: String { "\(position): \(text)" }
}
