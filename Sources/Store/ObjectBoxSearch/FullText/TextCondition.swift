package import ObjectBox
package import ObjectBoxFullText

/// A `matches` condition that fits its index.
package struct TextCondition {
  package let definition: FullTextIndexDefinition
  /// The words to search for.
  package let expression: TextExpression
  /// The words as written, without prefix terms, to mark them in texts.
  package let written: TextExpression

  /// Checks a condition against an entity; nil for another kind of condition.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property has no full-text index,
  ///   or the text has a fault; `schema` when this program cannot use the index.
  package init?(_ condition: PropertyCondition, _ table: EntityTable) throws {
    guard case .matching(let search) = condition.operand else { return nil }
    let column: Int?
    (definition, column) = try Self.index(of: condition, search, in: table)
    let tokenizer = try definition.tokenizer()
    written = try search.expression(by: tokenizer, in: definition.schema, column, of: table.schema)
    expression = column == nil ? written.usingBeginnings(of: tokenizer) : written
  }

  /// Returns the fault in a search's text with its place; nil for a valid text, and for a condition without an index.
  package static func fault(
    of condition: PropertyCondition,
    in table: EntityTable
  ) -> TextQueryFault? {
    guard case .matching(let search) = condition.operand,
      let (definition, _) = try? index(of: condition, search, in: table),
      let tokenizer = try? definition.tokenizer()
    else { return nil }
    do throws(TextQueryFault) {
      _ = try TextQueryParser(tokenizer: tokenizer, columns: definition.columns).parse(search.text)
      return nil
    } catch { return error }
  }

  /// Returns the index that serves a condition, and the column to search; nil for all columns.
  private static func index(
    of condition: PropertyCondition,
    _ search: TextSearch,
    in table: EntityTable
  ) throws -> (FullTextIndexDefinition, Int?) {
    let (index, column) = try search.index(of: condition, in: table.schema)
    guard let found = table.fullTextIndexes.first(where: { $0.schema.identity == index.identity })
    else { throw search.isMissing(index.identity.id, in: table.schema) }
    return (found, column)
  }
}

extension EntityTable {
  /// The full-text indexes.
  package var fullTextIndexes: [FullTextIndexDefinition] {
    derivedIndexes.compactMap { $0 as? FullTextIndexDefinition }
  }
}

extension TextSearch {
  /// Returns the words to search for.
  ///
  /// - Parameters:
  ///   - tokenizer: The tokenizer of the index.
  ///   - index: The index.
  ///   - column: The column to search; nil for all columns.
  ///   - entity: The entity of the index.
  /// - Returns: The words as written, without prefix terms.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a text with a fault.
  package func expression(
    by tokenizer: Tokenizer,
    in index: FullTextIndexSchema,
    _ column: Int?,
    of entity: EntitySchema
  ) throws -> TextExpression {
    let columns = index.isOfOne ? [] : index.properties(of: entity).map(\.name)
    do throws(TextQueryFault) {
      let whole = try TextQueryParser(tokenizer: tokenizer, columns: columns).parse(text)
      return column.map { .column(whole, $0) } ?? whole
    } catch {
      throw ObjectBoxError.illegalArgument(
        message:
          "a query searches '\(entity.name).\(index.title(in: entity))' for \"\(text)\": \(error)"
      )
    }
  }
}
