/// The changes of one transaction, for the listeners to its commit.
package struct CommitSummary: Sendable {
  /// Numbers of the changed entities.
  let entities: Set<Int>
  /// One entity for each gathered put; each put counts as a transaction.
  let gatheredPuts: [Int]
  /// Changes of objects by entity number, without changes that cancel each other out.
  package let changes: [Int: EntityChanges]
  /// The listeners that are left out.
  let skipped: SkippedListeners
  /// The number of the commit.
  package private(set) var version = 0
  /// True for the last transaction of the commit that changed objects.
  package private(set) var isLastOfVersion = false

  /// Makes a summary.
  ///
  /// - Parameters:
  ///   - entities: Numbers of the changed entities.
  ///   - gatheredPuts: One entity for each put that the transaction gathers from several threads.
  ///   - changes: Changes of objects; nil if there was no listener to objects when the transaction
  ///     began.
  ///   - skipped: The listeners that are left out.
  init(
    entities: Set<Int>,
    gatheredPuts: [Int],
    changes: [Int: EntityChanges]?,
    skipped: SkippedListeners
  ) {
    self.entities = entities
    self.gatheredPuts = gatheredPuts
    self.changes =
      changes?.filter { !$0.value.isEmpty }
      ?? Dictionary(uniqueKeysWithValues: entities.map { ($0, .unknown) })
    self.skipped = skipped
  }

  /// Number of transactions that this summary counts as: one, or one for each gathered put.
  var transactionCount: Int { entities.isEmpty ? 0 : max(1, gatheredPuts.count) }

  /// The changed entities of each transaction that this summary counts as.
  var transactions: [Set<Int>] {
    if entities.isEmpty { return [] }
    return gatheredPuts.isEmpty ? [entities] : gatheredPuts.map { [$0] }
  }

  /// Returns the transactions of one commit, with the number of the commit set.
  static func numbered(_ summaries: some Collection<Self>, version: Int) -> [Self] {
    var list = Array(summaries)
    for index in list.indices { list[index].version = version }
    if let last = list.lastIndex(where: { !$0.changes.isEmpty }) {
      list[last].isLastOfVersion = true
    }
    return list
  }
}

/// The listeners that a transaction does not notify.
package struct SkippedListeners: Sendable {
  package static let none = Self(keys: [])
  package static let all = Self(keys: nil)

  /// The listeners; nil for all.
  let keys: Set<CommitHub.Key>?

  /// True when no listener is left out.
  var isEmpty: Bool { keys?.isEmpty ?? false }

  func contains(_ key: CommitHub.Key) -> Bool { keys?.contains(key) ?? true }
}
