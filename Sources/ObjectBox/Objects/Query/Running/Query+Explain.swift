extension Query {
  /// Tells in words how the query is carried out: where its candidates come from, about how many they
  /// are, what is tested on each, and how the results are ordered.
  ///
  /// For people; its words may change. Costs a few look-ups in the indexes; with links whose related
  /// objects are found first, as much as finding these.
  ///
  /// - Parameter limit: How many results are to be found at most; 0 for all.
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
