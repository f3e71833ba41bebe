public import ObjectBox

/// A copy of a store that was opened under another model.
///
/// Owns the folder of the copy. ``close()`` removes it, and so does the release of the last reference.
public final class MigrationTest: Sendable {
  /// The store, open under the program's model.
  public let store: Store
  /// The changes that opening it has made; empty when the models are the same.
  ///
  /// In the order of the program's model, removed elements after present ones.
  public let changes: [MigrationChange]
  private let copy: StoreCopy

  init(store: Store, changes: [MigrationChange], copy: StoreCopy) {
    self.store = store
    self.changes = changes
    self.copy = copy
  }

  deinit { close() }

  /// Closes the store and removes the copy.
  public func close() {
    store.close()
    copy.remove()
  }
}
