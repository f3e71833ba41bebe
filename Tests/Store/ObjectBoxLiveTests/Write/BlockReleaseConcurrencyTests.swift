import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Synchronization
import Testing

/// The ways in which an asynchronous write ends.
private enum Way: CaseIterable {
  case committed, grouped, thrown, ownCommit, laterCommit, leftOpen
  case cancelled, cancelledElsewhere, cancelledInBlock
  case unbegun, closed, refused
}

/// Counts objects that are released on their queue, and elsewhere.
private final class Ends: Sendable {
  private let atHomeCount = Atomic<Int>(0)
  private let elsewhereCount = Atomic<Int>(0)

  var elsewhere: Int { elsewhereCount.load(ordering: .sequentiallyConsistent) }
  var count: Int { atHomeCount.load(ordering: .sequentiallyConsistent) + elsewhere }

  func note(isAtHome: Bool) {
    if isAtHome {
      atHomeCount.add(1, ordering: .sequentiallyConsistent)
    } else {
      elsewhereCount.add(1, ordering: .sequentiallyConsistent)
    }
  }
}

/// An object of a queue, captured by blocks.
private final class Captured {
  private let queue: SerialQueue
  private let ends: Ends

  init(_ queue: SerialQueue, _ ends: Ends) {
    self.queue = queue
    self.ends = ends
  }

  func use() {}

  deinit {
    ends.note(isAtHome: queue.isCurrent)
  }
}

/// The ID of a write, for its own block.
private final class OwnID {
  var id: AsyncTransactionID?
}

private actor Clerk {
  private struct Stop: Error {}
  private let queue = SerialQueue(label: "clerk")
  private let store: Store
  private let ends: Ends

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(_ store: Store, _ ends: Ends) {
    self.store = store
    self.ends = ends
  }

  func close() { store.close() }

  /// Begins a write whose block and completion each capture an object.
  func write(_ way: Way) {
    let (first, second) = (Captured(queue, ends), Captured(queue, ends))
    if way == .laterCommit || way == .leftOpen {
      store.beginAsyncWrite { transaction in
        try transaction.put(Person("A"))
        first.use()
        guard way == .laterCommit else { return second.use() }
        try transaction.commitAsyncWrite { _ in second.use() }
      }
      return
    }
    let own = OwnID()
    let id = store.writeAsync(isGroupingAllowed: way == .grouped) { [store] transaction in
      try transaction.put(Person("A"))
      first.use()
      if way == .thrown { throw Stop() }
      if way == .ownCommit { try transaction.commitWrite() }
      if way == .cancelledInBlock, let id = own.id { store.cancelAsyncWrite(id) }
    } onComplete: { _ in
      second.use()
    }
    own.id = id
    if way == .cancelled { store.cancelAsyncWrite(id) }
    if way == .cancelledElsewhere { Thread { [store] in store.cancelAsyncWrite(id) }.start() }
  }
}

/// The writer thread keeps a block for a moment after its end, but must never release the block's
/// captures.
struct BlockReleaseConcurrencyTests {
  private static let count = 100

  @Test(.timeLimit(.minutes(15)), arguments: Way.allCases)
  fileprivate func `what a block captures ends in its isolation`(_ way: Way) async throws {
    let folder = try TemporaryDirectory()
    var configuration = Store.Configuration(directory: folder.path + "/store")
    if way == .unbegun { configuration.maximumNumberOfActiveVersions = 1 }
    configuration.onUnheardFailure = { _ in }
    let store = try Store(model: try TemporaryStore.model(), configuration: configuration)
    try store.box(for: Person.self).put([Person("first")])
    let snapshot = way == .unbegun ? try store.freeze() : nil
    let ends = Ends()
    let clerk = Clerk(store, ends)
    if way == .refused { store.close() }
    for _ in 0..<Self.count { await clerk.write(way) }
    if way == .closed { await clerk.close() }
    while ends.count < 2 * Self.count { await Task.yield() }
    #expect(ends.elsewhere == 0)
    snapshot?.invalidate()
    store.close()
  }
}
