/// The content of a model.json.
package struct ModelDocument: Hashable, Sendable {
  package var lastEntityID = ModelID.none
  package var lastIndexID = ModelID.none
  package var lastRelationID = ModelID.none

  package init() {}

  /// Reads the text of a model file; nil comes with at least one error.
  package static func parse(
    _ text: String, path: String
  ) -> (model: ModelDocument?, diagnostics: [Diagnostic]) {
    (nil, [])
  }

  /// The text of the file, byte for byte as the reference writes it.
  package var text: String { "" }
}
