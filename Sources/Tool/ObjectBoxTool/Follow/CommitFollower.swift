internal import Foundation
package import ObjectBox
package import ObjectBoxLive

/// Waits for commits of any process to a store.
///
/// A store reports only its own process's commits, so the version is polled. A poll takes a few
/// microseconds and no lock.
package struct CommitFollower: Sendable {
  /// The time between two polls, in milliseconds.
  private static let interval: Int32 = 100

  private let store: Store
  /// The version that was returned last.
  package private(set) var current: Snapshot

  /// Begins with the newest version.
  ///
  /// - Parameter store: The store, which may be read-only.
  /// - Throws: `ObjectBoxError` when it is closed or cannot be read.
  package init(_ store: Store) throws {
    self.store = store
    current = try store.freeze()
  }

  /// Waits for a newer version; several commits in quick succession give one version.
  ///
  /// The previous version stays readable, and the file keeps its pages, while its snapshot is used.
  ///
  /// - Returns: The newest version.
  /// - Throws: `Interruption.Requested` after a signal; `ObjectBoxError` when the store cannot be read.
  package mutating func next() throws -> Snapshot {
    while true {
      let newest = try store.freeze()
      if try newest.version() != current.version() {
        current = newest
        return newest
      }
      try Interruption.wait(milliseconds: Self.interval)
    }
  }
}
