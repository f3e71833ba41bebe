internal import Synchronization

/// Counts the commits of an open store, and its waits for the disk.
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
