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
  package let expression: TextExpression

  /// Checks a condition against an entity; nil for another kind of condition.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property has no full-text index,
  ///   or the text has a fault; `schema` when this program cannot use the index.
  package init?(_ condition: PropertyCondition, _ table: EntityTable) throws {
    guard case .matching(let search) = condition.operand else { return nil }
    var column: Int?
    if let id = search.index {
      guard let found = table.fullTextIndexes.first(where: { $0.schema.identity.id == id }) else {
        throw ObjectBoxError.illegalArgument(
          message:
            "a query searches for words in the full-text index \(id) of '\(table.name)', which the model "
            + "of the store lacks; run the generator again"
        )
      }
      definition = found
    } else {
      let property = try ConditionTypes.property(of: condition, in: table.schema)
      (definition, column) = try Self.index(of: property, in: table)
    }
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
    expression = column.map { .column(whole, $0) } ?? whole.usingBeginnings(of: tokenizer)
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
