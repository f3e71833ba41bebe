package import ObjectBoxGenerator

/// Writes the entities of a model in schema languages of other tools.
package enum ModelSchema {
  package enum Format: String, CaseIterable, Sendable {
    /// FlatBuffers: one table per entity; property IDs determine field IDs.
    case flatBuffers = "fbs"
    /// JSON Schema, draft 2020-12: one object per entity.
    case json = "json-schema"
  }

  /// The reason why a model cannot be written in a schema language.
  package struct Fault: Error, CustomStringConvertible {
    package var description: String
  }

  /// Returns the schema as a text.
  ///
  /// - Throws: ``Fault`` when an entity has had more properties than a FlatBuffers table can have
  ///   fields.
  package static func text(
    of model: ModelDocument,
    title: String,
    as format: Format
  ) throws -> String {
    switch format {
    case .flatBuffers:
      return try MustacheTemplate(Template.flatBuffersSchema, name: "FlatBuffersSchema.mustache")
        .render(try FlatBuffersContext(model: model).value)
    case .json:
      return try MustacheTemplate(Template.jsonSchema, name: "JSONSchema.mustache")
        .render(JSONSchemaContext(model: model, title: title).value)
    }
  }
}
