internal import Foundation
internal import ObjectBox

/// Waits for commits of a store by any process.
struct CommitFollower {
  /// The time between two looks at the file.
  private static let interval = 0.25

  private let store: Store
  /// The number of the newest commit that was seen.
  private(set) var version: Int

  /// Throws `ObjectBoxError` when the store is closed.
  init(_ store: Store) throws {
    self.store = store
    version = try store.readingStored { $0.number }
  }

  /// Blocks until the version of the store changes, or a time passes.
  ///
  /// - Parameter seconds: The greatest time.
  /// - Returns: False when the time passed.
  /// - Throws: `ObjectBoxError` when the store is closed or cannot be read.
  mutating func wait(seconds: Double) throws -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while true {
      let newest = try store.readingStored { $0.number }
      if newest != version {
        version = newest
        return true
      }
      let rest = end.timeIntervalSinceNow
      if rest <= 0 { return false }
      Thread.sleep(forTimeInterval: min(rest, Self.interval))
    }
  }
}
