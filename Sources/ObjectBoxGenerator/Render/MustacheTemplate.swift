/// A template in the Mustache language, parsed.
///
/// Follows the public Mustache specification: variables, sections, inverted sections, partials,
/// comments and set delimiters, with tags alone on a line leaving no line behind and partials alone on
/// a line keeping its indentation. Two things differ: nothing is escaped, since the output is source
/// code, and a name that the context lacks is an error.
package struct MustacheTemplate: Sendable {
  indirect enum Node: Sendable {
    case text(String)
    case variable(name: String, line: Int)
    case section(name: String, isInverted: Bool, children: [Node], line: Int)
    case partial(name: String, indentation: String, line: Int)
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

/// What is wrong with a template, or with the context it was given.
package struct MustacheError: Error, Hashable, CustomStringConvertible {
  package var template: String
  package var line: Int
  package var text: String

  package var description: String { "\(template):\(line): \(text)" }
}
