/// Reads annotated Swift sources and makes the schema of their entities.
package enum SchemaBuilder {
  package struct Result: Sendable {
    package var schema: Schema
    package var diagnostics: [Diagnostic]
  }

  package static func build(
    _ files: [SourceFile], annotationPrefix: String = "objectbox"
  ) -> Result {
    Result(schema: Schema(), diagnostics: [])
  }
}
