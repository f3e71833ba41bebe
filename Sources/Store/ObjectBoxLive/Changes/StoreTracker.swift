internal import ObjectBox

/// A message to the observers of a whole store.
public enum StoreNotification: Hashable, Sendable {
  /// Objects have changed.
  case didChange
  /// A live view without `autorefresh` is behind the newest version.
  case refreshRequired
}

/// The state of an observer of a whole store.
struct StoreTracker: ObserverTracker {
  let interest = ChangeInterest.everything

  mutating func begin(at pin: PinnedRead) throws -> StoreNotification? { nil }

  mutating func advance(
    to pin: PinnedRead,
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) throws -> StoreNotification? { changes == nil ? nil : .didChange }
}
