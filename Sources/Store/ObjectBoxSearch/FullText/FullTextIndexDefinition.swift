package import ObjectBox
package import ObjectBoxFullText
package import ObjectBoxStorage

/// A full-text index of an open store: its tables, properties and tokenizer.
package struct FullTextIndexDefinition: Sendable {
  let fullTextTables: FullTextTables
  package let schema: FullTextIndexSchema
  /// The properties in the order of their columns.
  package let properties: [PropertySchema]
  /// The state of the index as last written, for the next writer.
  let memory = FullTextStateMemory()
  private let splitting: Result<Tokenizer, ObjectBoxError>

  /// Makes the definition of an index; nil if the entity lacks a property of it.
  init?(runs: StorageTable, state: StorageTable, schema: FullTextIndexSchema, entity: EntitySchema)
  {
    let properties = schema.properties(of: entity)
    guard properties.count == schema.parts.count else { return nil }
    fullTextTables = FullTextTables(runs: runs, state: state)
    self.schema = schema
    self.properties = properties
    splitting = Self.tokenizer(schema, of: entity)
  }

  package var tables: [StorageTable] { [fullTextTables.runs, fullTextTables.state] }

  /// The tokenizer of the index.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` when this program splits texts by rules other than the index's.
  package func tokenizer() throws -> Tokenizer { try splitting.get() }

  /// The names of the properties, for queries in one of several properties; empty for an index of one.
  package var columns: [String] { schema.isOfOne ? [] : properties.map(\.name) }

  private static func tokenizer(
    _ schema: FullTextIndexSchema,
    of entity: EntitySchema
  ) -> Result<Tokenizer, ObjectBoxError> {
    let name = "the full-text index '\(schema.title(in: entity))' of '\(entity.name)'"
    do {
      let tokenizer = try Tokenizer(schema.tokenizerSettings)
      guard tokenizer.identity == schema.tokenizer else {
        return .failure(
          .schema(
            message:
              "\(name) was written by another version of the rules that split texts into words; open "
              + "the store once with generated code of this version, which builds the index anew"
          )
        )
      }
      return .success(tokenizer)
    } catch {
      return .failure(.schema(message: "\(name) cannot be used: \(error)"))
    }
  }
}
