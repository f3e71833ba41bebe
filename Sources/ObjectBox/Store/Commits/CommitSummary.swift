/// The changes of one transaction, as the commit tells them.
struct CommitSummary {
  /// The numbers of the changed entities.
  var entities: Set<Int>
  /// The entity of each put, where they are in effect transactions of their own.
  var gatheredPuts: [Int]
  /// The changed objects, by the number of the entity; empty unless they were noted.
  var changes: [Int: EntityChanges]
  /// False when there was no taker as the transaction began.
  var isNoted: Bool
  var skipped: CommitFeed.Skipping
}
