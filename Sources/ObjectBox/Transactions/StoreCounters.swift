internal import Synchronization

/// Counters of an open store: its commits and waits for the disk.
///
/// A class, since atomics cannot be copied.
final class StoreCounters: Sendable {
  private let commitCount = Atomic<Int>(0)
  private let syncCount = Atomic<Int>(0)

  var commits: Int { commitCount.load(ordering: .relaxed) }
  var syncs: Int { syncCount.load(ordering: .relaxed) }

  func count(commits: Int, syncs: Int) {
    commitCount.add(commits, ordering: .relaxed)
    syncCount.add(syncs, ordering: .relaxed)
  }
}
