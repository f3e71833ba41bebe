/// What happened to a store, as its views tell it.
public enum StoreNotification: Hashable, Sendable {
  /// The view shows a newer version now.
  case didChange
  /// There is a newer version, and the view stays at its own until it is refreshed.
  case refreshRequired
}
