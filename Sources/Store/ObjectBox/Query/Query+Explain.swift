extension Query {
  /// Describes the plan of the query: the source and approximate number of candidates, the filter,
  /// and the ordering of the results.
  ///
  /// For nearest neighbours under other conditions it says how both were found. The text is for
  /// people and may change. Costs a few index look-ups, plus the searches for nearest neighbours and
  /// for related objects of links that are resolved first.
  ///
  ///     print(try notes.query { Note.stars > 3 }.build().explain())
  ///
  /// - Parameter limit: The greatest number of results; 0 for all.
  /// - Returns: One or more lines.
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read.
  public func explain(limit: Int = 0) throws -> String {
    try ObjectBoxError.checkPart(limit: limit)
    return try executing { execution, _ in
      try description.explain(execution, limit: limit)
    }
  }

  func describeConditions() -> String { description.title }

  private var description: QueryDescription {
    QueryDescription(
      entity: entity,
      selection: selection.copy,
      file: box.store.file
    )
  }
}
