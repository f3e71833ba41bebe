import Dispatch
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Views of threads: only calls move them.
struct LiveStoreTests {
  @Test func `a view stays at its version until it is refreshed`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    #expect(!live.autorefresh)
    #expect(!live.isFrozen)
    let people = try live.query(Person.self)
    let version = try live.version()
    #expect(people.isEmpty)
    try store.box(for: Person.self).put(Person("Ann"))
    #expect(try live.version() == version)
    #expect(people.count == 0)
    #expect(try live.count(Person.self) == 0)
    #expect(try live.refresh())
    #expect(people.count == 1)
    #expect(try live.version() == version + 1)
    #expect(try live.refresh() == false)
    try live.write { _ in
      let isNew = try live.refresh()
      #expect(!isNew)
      #expect(live.isInWriteTransaction)
    }
    #expect(!live.isInWriteTransaction)
  }

  @Test func `a view begins to read when it is first looked at`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    #expect(store.activeVersions.isEmpty)
    try store.box(for: Person.self).put(Person("Ann"))
    #expect(try live.count(Person.self) == 1)
    #expect(store.activeVersions.map(\.kind) == [.live])
  }

  @Test func `a refresh begins to read, which is something new`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    #expect(try live.refresh())
    #expect(temporary.store.activeVersions.count == 1)
    #expect(try live.refresh() == false)
  }

  @Test func `own writes are seen at once without autorefresh`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    let people = try live.query(Person.self)
    #expect(people.isEmpty)
    let inside = try live.write { transaction in
      try transaction.put(Person("Ann"))
      return people.count
    }
    #expect(inside == 1)
    #expect(people.count == 1)
    #expect(people[0].name == "Ann")
    let write = try live.beginWrite()
    try write.put(Person("Ben"))
    #expect(people.count == 2)
    try write.commitWrite()
    #expect(people.count == 2)
    try live.write { transaction in
      try transaction.put(Person("Cleo"))
      try transaction.commitWrite()
      #expect(people.count == 3)
    }
  }

  @Test func `a write begins at the newest version, of which observers hear before its block`()
    throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    let people = try live.query(Person.self)
    #expect(people.isEmpty)
    var heard: [String] = []
    let token = try live.observe { notification in
      heard.append("\(notification) in write: \(live.isInWriteTransaction)")
    }
    try store.box(for: Person.self).put(Person("Ann"))
    #expect(people.isEmpty)
    try live.write { transaction in
      heard.append("block with \(people.count)")
      try transaction.put(Person("Ben"))
    }
    #expect(heard == ["didChange in write: true", "block with 1"])
    #expect(try live.refresh() == false)
    #expect(heard.last == "didChange in write: false")
    #expect(heard.count == 3)
    token.invalidate()
    try live.write { try $0.removeAll(Person.self) }
    try live.refresh()
    #expect(heard.count == 3)
  }

  @Test func `a refresh inside an observer does nothing`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    _ = try live.version()
    var answers: [Bool] = []
    let token = try live.observe { _ in
      _ = try? store.box(for: Person.self).put(Person("Ben"))
      answers.append((try? live.refresh()) ?? true)
      live.invalidate()
    }
    try store.box(for: Person.self).put(Person("Ann"))
    #expect(try live.refresh())
    #expect(answers == [false])
    #expect(!live.isInvalidated)
    #expect(try live.count(Person.self) == 1)
    token.invalidate()
  }

  @Test func `silent writes are not told`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    var first = 0
    var second = 0
    let one = try live.observe { _ in first += 1 }
    let two = try live.observe { _ in second += 1 }
    try live.write(withoutNotifying: [one]) { try $0.put(Person("Ann")) }
    try live.refresh()
    #expect(first == 0)
    #expect(second == 1)
    try live.write(withoutNotifying: .all) { try $0.put(Person("Ben")) }
    try live.refresh()
    #expect(first + second == 1)
    #expect(try live.count(Person.self) == 2)
    withExtendedLifetime((one, two)) {}
  }

  @Test func `an invalidated view lets its version go, and reads on at the newest`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    try store.box(for: Person.self).put(Person("Ann", age: 5))
    let people = try live.query(Person.self)
    let ann = people[0]
    #expect(store.activeVersions.count == 1)
    try store.box(for: Person.self).put(Person("Ben"))
    live.invalidate()
    #expect(live.isInvalidated)
    #expect(store.activeVersions.isEmpty)
    #expect(ann.isInvalidated)
    #expect(people.isInvalidated)
    #expect(ann.name == "Ann")
    #expect(ann.age == 5)
    #expect(people.count == 1)
    #expect(people[0].isInvalidated)
    #expect { try ann.value() } throws: { isInvalidated($0) }
    #expect { try people.find() } throws: { isInvalidated($0) }
    #expect { try ann.freeze() } throws: { isInvalidated($0) }
    #expect(try live.count(Person.self) == 2)
    #expect(!live.isInvalidated)
    // Invalidation is permanent.
    #expect(ann.isInvalidated)
    #expect(people.isInvalidated)
  }

  @Test func `an invalidation inside a write rolls it back`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    _ = try live.version()
    try live.write { transaction in
      try transaction.put(Person("Ann"))
      live.invalidate()
      #expect(transaction.isEnded)
    }
    #expect(try live.count(Person.self) == 0)
  }

  @Test func `a view freezes at its version, and moves on without it`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.box(for: Person.self).put(Person("Ann"))
    let live = try store.live()
    _ = try live.version()
    try store.box(for: Person.self).put(Person("Ben"))
    let snapshot = try live.freeze()
    #expect(try snapshot.version() == live.version())
    #expect(try live.freeze() === snapshot)
    #expect(try live.refresh())
    #expect(try live.count(Person.self) == 2)
    #expect(try snapshot.count(Person.self) == 1)
    #expect(try live.freeze() !== snapshot)
    #expect(try live.thaw() === live)
    #expect(try snapshot.thaw() === live)
  }

  @Test func `a closed store leaves nothing of its views`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    try temporary.store.box(for: Person.self).put(Person("Ann"))
    let ann = try #require(try live.object(Person.self, 1))
    try temporary.reopen()
    #expect(ann.name == "Ann")
    #expect(live.isInvalidated)
    #expect(ann.isInvalidated)
    #expect { try live.version() } throws: { error in
      if case ObjectBoxError.closed = error { true } else { false }
    }
    #expect { try ann.value() } throws: { error in
      if case ObjectBoxError.closed = error { true } else { false }
    }
    var failure: (any Error)?
    let write = live.writeAsync({ _ in }, onComplete: { failure = $0 })
    if case ObjectBoxError.closed? = failure {} else { Issue.record("\(failure as Any)") }
    #expect(!live.cancelAsyncWrite(write))
    #expect(try temporary.store.live() !== live)
    #expect(try temporary.store.live().count(Person.self) == 1)
  }

  @Test func `a view of a thread has nowhere to be called back`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    live.autorefresh = true
    #expect(!live.autorefresh)
    var failure: (any Error)?
    live.writeAsync({ _ in }, onComplete: { failure = $0 })
    #expect(isNotSchedulable(failure))
    #expect { try live.beginAsyncWrite { _ in } } throws: { isNotSchedulable($0) }
    #expect(!live.isPerformingAsynchronousWriteOperations)
  }

  @Test func `a thread has one view of a store`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    #expect(try temporary.store.live() === live)
    #expect(try temporary.store.clone().live() === live)
  }
}
