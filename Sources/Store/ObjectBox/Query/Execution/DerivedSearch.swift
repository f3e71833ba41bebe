/// A condition that a derived index answers as a whole, checked against its entity: a search for
/// neighbours or for words.
package protocol DerivedSearch {
  /// True if the search is confined to the objects that meet the other parts of its conjunction.
  var isConfined: Bool { get }

  /// Finds the objects.
  ///
  /// - Parameters:
  ///   - table: The entity.
  ///   - transaction: The open transaction.
  ///   - others: A run of the other conditions with `testsOthers`, for a confined search; nil
  ///     without them.
  /// - Returns: The objects, in the order in which the search found them.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  func find(
    in table: EntityTable,
    _ transaction: Transaction,
    among others: QueryExecution?
  ) throws -> FoundIDs

  /// Scores the results of a condition.
  ///
  /// - Parameters:
  ///   - results: The results; this search is the first of their condition.
  ///   - offset: How many of the best results to skip; not negative.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: The IDs of the results with their scores, the best first.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  func scores(
    of results: ScoredSearch,
    offset: Int,
    limit: Int
  ) throws -> [(id: UInt64, score: Double)]
}

/// The objects that a search found.
package struct FoundIDs {
  let ids: [UInt64]
  let way: SearchPlan.Way
  /// The plan of the other conditions; nil without them.
  var others: QueryPlan?

  package init(_ ids: [UInt64], _ way: SearchPlan.Way) {
    self.ids = ids
    self.way = way
  }
}

/// A search, as one run made it.
package struct SearchPlan {
  /// How the objects were found.
  package enum Way {
    /// The index listed all objects that match.
    case listed
    /// The index was searched without other conditions.
    case unfiltered
    /// The other conditions were tested on the nearest nodes of the index.
    case walked(count: Int, tested: Int)
    /// The vectors of all objects that meet the other conditions were compared.
    case compared(count: Int)
  }

  let leaf: PropertyCondition
  /// Number of objects found.
  let count: Int
  let way: Way
  /// The plan of the other conditions; nil without them.
  let others: QueryPlan?
  /// The plans of the links in the other conditions.
  let links: [LinkPlan]
}

/// Searches one kind of derived indexes.
package protocol DerivedSearchEngine: DerivedIndexEngine {
  /// Returns the search of a condition; nil for a condition on another kind of index.
  ///
  /// - Throws: ``ObjectBoxError`` when the condition does not fit its entity.
  func search(
    _ condition: PropertyCondition,
    in table: EntityTable
  ) throws -> (any DerivedSearch)?
}

extension DerivedIndexEngines {
  fileprivate static let searching = all.compactMap { $0 as? any DerivedSearchEngine }
}

extension PropertyCondition {
  /// Returns the search that the condition is; nil for a comparison of values.
  ///
  /// - Throws: ``ObjectBoxError`` when the condition does not fit its entity.
  package func search(in table: EntityTable) throws -> (any DerivedSearch)? {
    guard comparison.isSearch else { return nil }
    for engine in DerivedIndexEngines.searching {
      if let search = try engine.search(self, in: table) { return search }
    }
    return nil
  }
}
