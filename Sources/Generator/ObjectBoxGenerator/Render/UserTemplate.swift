/// A template of the user, rendered with the context of the bindings.
package struct UserTemplate: Hashable, Sendable {
  package var path: String
  package var outputPath: String

  package init(path: String, outputPath: String) {
    self.path = path
    self.outputPath = outputPath
  }

  /// Renders all templates and returns their texts in order; no texts if there are findings.
  ///
  /// - Throws: ``FileFault`` when a template cannot be read.
  static func render(
    _ templates: [UserTemplate],
    _ context: MustacheValue
  ) throws(FileFault) -> (texts: [String], diagnostics: [Diagnostic]) {
    var texts: [String] = []
    var diagnostics: [Diagnostic] = []
    for template in templates {
      let source = try SourceFinder.readText(template.path)
      do {
        texts.append(try MustacheTemplate(source, name: template.path).render(context))
      } catch {
        diagnostics.append(Diagnostic(.template(error.text), at: error.position))
      }
    }
    return (diagnostics.isEmpty ? texts : [], diagnostics)
  }
}

extension DiagnosticMessage {
  static func template(_ fault: String) -> Self { "\(fault)" }
}
