/// Renders the Swift bindings of a synchronised schema.
package enum CodeRenderer {
  package static func render(
    _ schema: Schema, lastEntityID: ModelID, lastIndexID: ModelID, lastRelationID: ModelID,
    visibility: String
  ) throws -> String {
    ""
  }
}
