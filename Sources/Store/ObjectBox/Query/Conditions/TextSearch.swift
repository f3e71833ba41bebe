/// A search for words, as a program writes it.
@usableFromInline
package struct TextSearch: Hashable, Sendable {
  /// The text in the query language; see `Property.matches(_:)`.
  package var text: String
  /// The ID of an index over several properties; nil for the index of the condition's property.
  package var index: UInt32?

  package init(_ text: String, in index: UInt32? = nil) {
    self.text = text
    self.index = index
  }
}

extension TextSearch {
  /// Returns the index that serves a condition.
  ///
  /// - Parameters:
  ///   - condition: The condition that the search belongs to.
  ///   - entity: Its entity.
  /// - Returns: The index, and the column to search; nil for all columns.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the entity has no such index.
  package func index(
    of condition: PropertyCondition,
    in entity: EntitySchema
  ) throws -> (index: FullTextIndexSchema, column: Int?) {
    if let id = index {
      guard let found = entity.fullTextIndexes.first(where: { $0.identity.id == id }) else {
        throw isMissing(id, in: entity)
      }
      return (found, nil)
    }
    let property = try ConditionTypes.property(condition.propertyID, in: entity)
    var shared: (FullTextIndexSchema, Int?)?
    for index in entity.fullTextIndexes {
      guard let column = index.parts.firstIndex(where: { $0.propertyID == property.identity.id })
      else { continue }
      if index.isOfOne { return (index, nil) }
      shared = shared ?? (index, column)
    }
    if let shared { return shared }
    throw ObjectBoxError.illegalArgument(
      message:
        "a query searches for words in '\(entity.name).\(property.name)', which has no full-text index; "
        + "annotate it with `objectbox: fulltext`"
    )
  }

  /// Returns the error of a search in an index that the entity lacks.
  package func isMissing(_ index: UInt32, in entity: EntitySchema) -> ObjectBoxError {
    .illegalArgument(
      message:
        "a query searches for words in the full-text index \(index) of '\(entity.name)', which the model "
        + "of the store lacks; run the generator again"
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
