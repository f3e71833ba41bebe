/// A message to the observers of a whole store.
public enum StoreNotification: Hashable, Sendable {
  /// Objects have changed.
  case didChange
  /// A live view that does not follow by itself is behind the newest version.
  case refreshRequired
}
