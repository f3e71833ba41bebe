package import ObjectBoxFullText

/// A search for words, as a program writes it.
package struct TextSearch: Hashable, Sendable {
  /// The text in the query language; see ``Property/matches(_:)``.
  package var text: String
  /// The ID of an index over several properties; nil for the index of the condition's property.
  package var index: UInt32?

  package init(_ text: String, in index: UInt32? = nil) {
    self.text = text
    self.index = index
  }
}

/// A `matches` condition that fits its index.
package struct TextCondition {
  package let definition: FullTextIndexDefinition
  /// The words to search for.
  package let expression: TextExpression
  /// The words as they are written, without the terms of beginnings: marks them in texts.
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
    let parser = TextQueryParser(tokenizer: tokenizer, columns: definition.columns)
    let whole: TextExpression
    do { whole = try parser.parse(search.text) } catch {
      throw ObjectBoxError.illegalArgument(
        message:
          "a query searches '\(table.name).\(definition.schema.title(in: table.schema))' for "
          + "\"\(search.text)\": \(error)"
      )
    }
    written = column.map { .column(whole, $0) } ?? whole
    expression = column == nil ? whole.usingBeginnings(of: tokenizer) : written
  }

  /// Returns the fault of a search's text with its place; nil for a text without a fault, and for a
  /// condition that no index serves.
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
    guard let id = search.index else {
      return try index(of: ConditionTypes.property(of: condition, in: table.schema), in: table)
    }
    guard let found = table.fullTextIndexes.first(where: { $0.schema.identity.id == id }) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a query searches for words in the full-text index \(id) of '\(table.name)', which the model "
          + "of the store lacks; run the generator again"
      )
    }
    return (found, nil)
  }

  /// Returns the index of a property; with the property's column if the index is over several.
  private static func index(
    of property: PropertySchema,
    in table: EntityTable
  ) throws -> (FullTextIndexDefinition, Int?) {
    var shared: (FullTextIndexDefinition, Int?)?
    for index in table.fullTextIndexes {
      guard let column = index.properties.firstIndex(where: { $0.identity == property.identity })
      else { continue }
      if index.schema.isOfOne { return (index, nil) }
      shared = shared ?? (index, column)
    }
    if let shared { return shared }
    throw ObjectBoxError.illegalArgument(
      message:
        "a query searches for words in '\(table.name).\(property.name)', which has no full-text index; "
        + "annotate it with `objectbox: fulltext`"
    )
  }
}

extension PropertyCondition {
  /// Sets another text to search for; false for another kind of condition.
  mutating func changeText(to operand: Operand) -> Bool {
    guard case .matching(var search) = self.operand, case .texts(let texts) = operand,
      texts.count == 1
    else { return false }
    search.text = texts[0]
    self.operand = .matching(search)
    return true
  }
}
