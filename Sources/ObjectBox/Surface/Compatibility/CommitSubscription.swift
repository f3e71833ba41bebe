/// A place among the listeners of a store file, which ends with its owner.
///
/// A class, since its end gives the place up.
final class CommitSubscription: Sendable {
  private let core: StoreCore
  private let key: CommitListeners.Key

  /// Takes a place.
  ///
  /// - Parameters:
  ///   - core: The store file.
  ///   - listener: Who is told.
  ///   - first: Runs before any commit is told.
  init(_ core: StoreCore, _ listener: CommitListener, first: () -> Void) {
    self.core = core
    key = core.listeners.add(listener, first: first)
  }

  deinit {
    end()
  }

  /// Gives the place up; may be called more than once.
  func end() {
    core.listeners.remove(key)
  }
}
