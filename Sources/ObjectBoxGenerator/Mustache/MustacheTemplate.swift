/// A template in the Mustache language, parsed.
///
/// Follows the public Mustache specification: variables, sections, inverted sections, partials,
/// comments and set delimiters, with tags alone on a line leaving no line behind and partials alone on
/// a line keeping its indentation. Two things differ: nothing is escaped, since the output is source
/// code, and a name that the context lacks is an error.
package struct MustacheTemplate: Sendable {
  indirect enum Node: Sendable {
    case text(String)
    case variable(name: String, at: SourcePosition)
    case section(name: String, isInverted: Bool, children: [Node], at: SourcePosition)
    case partial(name: String, indentation: String, at: SourcePosition)
  }

  /// The template's name, for messages.
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
  /// `partials` holds the templates that `{{> name}}` refers to.
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

/// A fault of a template, or of the context that it is rendered with.
package struct MustacheError: Error, Hashable, CustomStringConvertible {
  /// The beginning of a tag; its path is the name of the template.
  package var position: SourcePosition
  package var text: String

  init(_ text: String, at position: SourcePosition) {
    self.position = position
    self.text = text
  }

  package var description: String { "\(position): \(text)" }
}
