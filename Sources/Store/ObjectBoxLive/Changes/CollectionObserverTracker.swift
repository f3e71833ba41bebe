internal import ObjectBox

/// The state of an observer of a collection of objects.
protocol CollectionObserverTracker: ObserverTracker where Step == CollectionStep {
  var tracker: ResultIDs { get set }

  /// Returns the IDs of the collection at a pinned version, in order.
  func ids(at pin: PinnedRead) throws -> [UInt64]

  /// Returns the same IDs, derived from the IDs at an earlier version and the entity's changes
  /// since then.
  ///
  /// Reads changed objects only; nil when they alone do not decide the result.
  func ids(
    at pin: PinnedRead,
    after earlier: [UInt64],
    by changes: [EntityChanges]
  ) throws -> [UInt64]?
}

/// A new version of a collection.
struct CollectionStep: Sendable {
  var version: Int
  /// IDs of the objects at that version, in order.
  var ids: [UInt64]
  /// The difference from the previous step; nil for the first.
  var changes: ChangeSet?

  /// Returns the public form of the change.
  func change<Results>(of results: Results) -> CollectionChange<Results> {
    guard let changes else { return .initial(results) }
    return .update(
      results,
      deletions: changes.deletions,
      insertions: changes.insertions,
      modifications: changes.modifications
    )
  }
}

extension CollectionObserverTracker {
  mutating func begin(at pin: PinnedRead) throws -> CollectionStep? {
    let ids = try ids(at: pin)
    tracker.shift(to: ids)
    return CollectionStep(version: pin.version, ids: ids, changes: nil)
  }

  mutating func advance(
    to pin: PinnedRead,
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) throws -> CollectionStep? {
    let own = [changes?[tracker.entity], silence?[tracker.entity]].compactMap(\.self)
    let ids = try ids(at: pin, after: tracker.ids, by: own) ?? ids(at: pin)
    return tracker.advance(to: ids, by: changes, leavingOut: silence)
      .map { CollectionStep(version: pin.version, ids: ids, changes: $0) }
  }
}
