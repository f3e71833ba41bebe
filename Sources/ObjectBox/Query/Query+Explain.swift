extension Query {
  /// Returns the plan of the query in words: the source and the approximate number of its candidates, the
  /// filter, and the ordering of the results.
  ///
  /// The text is for people and may change. Costs a few look-ups in the indexes, and finds the related
  /// objects of links that are resolved first.
  ///
  /// - Parameter limit: The greatest number of results; 0 for all.
  /// - Returns: A line or more.
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read.
  public func explain(limit: Int = 0) throws -> String {
    try executing { execution, _ in
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
