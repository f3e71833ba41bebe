package import ObjectBoxGenerator

/// Draws the entities of a model and their relations.
package enum ModelDiagram {
  package enum Format: String, CaseIterable, Sendable {
    /// An `erDiagram` of Mermaid, which many sites render in Markdown.
    case mermaid
    /// A picture, made by Graphviz.
    case svg
    /// The language of Graphviz.
    case dot
  }

  /// Returns the diagram as a text.
  ///
  /// Properties are in the order of their IDs. A relation whose target is not in the model has no
  /// edge.
  ///
  /// - Throws: ``ProgramFault`` when `svg` is wanted and Graphviz is missing or fails.
  package static func text(of model: ModelDocument, as format: Format) throws -> String {
    let context = DiagramContext(model: model).value
    switch format {
    case .mermaid:
      return try MustacheTemplate(Template.mermaidDiagram, name: "MermaidDiagram.mustache")
        .render(context)
    case .dot, .svg:
      let text = try MustacheTemplate(Template.dotDiagram, name: "DotDiagram.mustache")
        .render(context)
      return format == .dot ? text : try picture(of: text)
    }
  }

  private static func picture(of text: String) throws(ProgramFault) -> String {
    guard let dot = Program(named: "dot") else {
      throw ProgramFault(
        description:
          "the format svg needs the program 'dot' of Graphviz, which is not on PATH; install "
          + "Graphviz (apt-get install graphviz, brew install graphviz), or use --format mermaid or dot"
      )
    }
    return try dot.output(of: ["-Tsvg"], input: text)
  }
}
