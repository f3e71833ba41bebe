import ObjectBoxRuntimeTestSupport
import Testing

@testable import ObjectBox
@testable import ObjectBoxLive

/// Warnings of debug builds about unwise uses.
@Suite(.enabled(if: UsageWarnings.areOn))
struct UsageWarningTests {
  /// An in-memory store, whose commits do not wait, and its warnings.
  private struct Listening {
    let store: Store
    private let heard = Guarded<[String]>([])

    init(_ name: String) throws {
      store = try Store(model: try TemporaryStore.model(), directory: "memory:warnings-\(name)")
      store.transactions.warnings.sink.withLock { sink in
        sink = { [heard] text in heard.withLock { $0.append(text) } }
      }
    }

    /// Returns the warnings since the last call.
    func texts() -> [String] {
      heard.withLock { heard in
        defer { heard = [] }
        return heard
      }
    }

    func commit(_ count: Int) throws {
      let person = Person("Ann")
      for age in 0..<count {
        person.age = Int32(age)
        try store.write { try $0.put(person) }
      }
    }
  }

  // MARK: Versions that are kept alive

  @Test func `a view that nothing moves is told of after a thousand commits, once`() throws {
    let listening = try Listening("view")
    let live = try listening.store.live()
    let site = "\(#fileID):\(#line - 1)"
    let version = try live.version()
    try listening.commit(999)
    #expect(listening.texts() == [])
    try listening.commit(1)
    #expect(
      listening.texts() == [
        "a live view made at \(site) has kept version \(version) alive for 1000 commits, so the file "
          + "grows with each; call refresh() or invalidate() on it, or turn autorefresh on; "
          + "maximumNumberOfActiveVersions sets a limit"
      ]
    )
    try listening.commit(1_100)
    try live.refresh()
    try listening.commit(1_100)
    #expect(listening.texts() == [])
  }

  @Test func `a view that is moved in time is not told of`() throws {
    let listening = try Listening("moved")
    let live = try listening.store.live()
    for _ in 0..<4 {
      try live.refresh()
      try listening.commit(400)
    }
    #expect(listening.texts() == [])
    try listening.commit(600)
    #expect(listening.texts().count == 1)
    withExtendedLifetime(live) {}
  }

  @Test func `a view that moves by itself is told of only once it does not any more`() throws {
    let listening = try Listening("autorefresh")
    let queue = SerialQueue()
    // The blocked queue cannot move the view.
    try queue.sync {
      let live = try listening.store.live(on: queue)
      _ = try live.version()
      try listening.commit(1_100)
      #expect(listening.texts() == [])
      live.autorefresh = false
      try listening.commit(1)
      #expect(listening.texts().count == 1)
    }
  }

  @Test func `snapshots are told of once for each call that makes them`() throws {
    let listening = try Listening("snapshot")
    var snapshots: [Snapshot] = []
    for _ in 0..<3 {
      try listening.commit(1)
      snapshots.append(try listening.store.freeze())
    }
    let site = "\(#fileID):\(#line - 2)"
    try listening.commit(1_100)
    let other = try listening.store.freeze()
    let texts = listening.texts()
    #expect(texts.count == 1)
    #expect(texts.first?.contains("a snapshot made at \(site) has kept") == true)
    #expect(texts.first?.contains("let it go, or call invalidate() on it") == true)
    try listening.commit(1_000)
    #expect(listening.texts().count == 1)
    withExtendedLifetime((snapshots, other)) {}
  }

  @Test func `a snapshot that was let go is not told of`() throws {
    let listening = try Listening("released")
    let snapshot = try listening.store.freeze()
    try listening.commit(500)
    snapshot.invalidate()
    try listening.commit(1_000)
    #expect(listening.texts() == [])
  }

  // MARK: Writes that block the main actor

  @MainActor
  @Test func `a write that keeps the main actor waiting is told of`() throws {
    let listening = try Listening("main")
    let store = listening.store
    store.transactions.warnings.writeLockWaitLimit.withLock { $0 = .zero }
    try store.write { _ in }
    let text = try #require(listening.texts().first)
    #expect(text.hasPrefix("a blocking write on the main actor waited "))
    #expect(text.hasSuffix(" for the write lock; use 'try await write' or writeAsync there"))
    try store.beginWrite().cancelWrite()
    #expect(listening.texts().count == 1)
    try store.live().write { _ in }
    #expect(listening.texts().count == 1)
  }

  @MainActor
  @Test func `a write that waits for less than the limit is not told of`() throws {
    let listening = try Listening("quick")
    listening.store.transactions.warnings.writeLockWaitLimit.withLock { $0 = .seconds(1_000_000) }
    try listening.store.write { _ in }
    #expect(listening.texts() == [])
  }

  @Test func `elsewhere than on the main actor a write may wait`() throws {
    let listening = try Listening("background")
    listening.store.transactions.warnings.writeLockWaitLimit.withLock { $0 = .zero }
    try listening.store.write { _ in }
    #expect(listening.texts() == [])
  }
}
