/// A template in the Mustache language, parsed.
///
/// Follows the public Mustache specification: variables, sections, inverted sections, partials,
/// comments and set delimiters, with tags alone on a line leaving no line behind and partials alone on
/// a line keeping its indentation. Two things differ: nothing is escaped, since the output is source
/// code, and a name that the context lacks is an error.
package struct MustacheTemplate: Sendable {
  indirect enum Node: Sendable {
    case text(String)
    case variable(name: String, place: Place)
    case section(name: String, isInverted: Bool, children: [Node], place: Place)
    case partial(name: String, indentation: String, place: Place)
  }

  /// Where a tag begins; both count from 1, columns in UTF-8 bytes.
  struct Place: Hashable, Sendable {
    var line: Int
    var column: Int
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
  package var column: Int
  package var text: String

  init(template: String, place: MustacheTemplate.Place, text: String) {
    self.template = template
    line = place.line
    column = place.column
    self.text = text
  }

  package var description: String { "\(template):\(line):\(column): \(text)" }
}
