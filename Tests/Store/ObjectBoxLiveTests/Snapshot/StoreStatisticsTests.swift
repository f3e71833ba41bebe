import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct StoreStatisticsTests {
  private let temporary: TemporaryStore
  private let store: Store

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
  }

  @Test func `commits and syncs count the transactions that changed something`() throws {
    let before = try store.statistics
    try store.write { _ = try $0.put(Person("A")) }
    try store.write { _ in }
    try store.runInTransaction {}
    let after = try store.statistics
    #expect(after.commits - before.commits == 1)
    #expect(after.syncs - before.syncs == 1)
    #expect(after.pageSizeInBytes >= 4096)
    #expect(after.pages > 0)
    #expect(after.maximumReaders == 1024)
  }

  @Test func `a snapshot takes a reader slot`() throws {
    _ = try store.version()
    let before = try store.statistics.readers
    let snapshot = try store.freeze()
    #expect(try store.statistics.readers == before + 1)
    withExtendedLifetime(snapshot) {}
  }

  @Test func `a closed store has no statistics`() throws {
    store.close()
    let error = #expect(throws: ObjectBoxError.self) { try store.statistics }
    guard case .closed = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `the active versions are listed, with who keeps them and for how long`() throws {
    #expect(store.activeVersions.isEmpty)
    var snapshots: [Snapshot] = []
    for number in 0..<3 {
      try store.write { _ = try $0.put(Person("\(number)")) }
      snapshots.append(try store.freeze())
    }
    let active = store.activeVersions
    #expect(try active.map(\.version) == snapshots.map { try $0.version() })
    #expect(active.allSatisfy { $0.kind == .snapshot && $0.age >= .zero })
    #expect(active[0].age >= active[2].age)
    snapshots.remove(at: 1)
    #expect(store.activeVersions.count == 2)
    snapshots = []
    #expect(store.activeVersions.isEmpty)
  }

  @Test(.tags(.slow))
  func `without a snapshot the file keeps its size while objects are overwritten`()
    throws
  {
    let people = (0..<50).map { Person("person \($0)") }
    try store.write { try $0.put(people) }
    func overwrite(_ count: Int) throws {
      for round in 0..<count {
        for person in people { person.age = Int32(round) }
        try store.write { try $0.put(people) }
      }
    }
    try overwrite(3)
    let begin = try store.statistics.pages
    try overwrite(1_000)
    let unpinned = try store.statistics.pages
    #expect(unpinned <= 4 * begin)
    var snapshot: Snapshot? = try store.freeze()
    try overwrite(1_000)
    let pinned = try store.statistics.pages
    #expect(pinned > 4 * unpinned)
    #expect(try snapshot?.count(Person.self) == 50)
    snapshot = nil
    // The freed pages are used again.
    try overwrite(1_000)
    #expect(try store.statistics.pages == pinned)
  }
}
