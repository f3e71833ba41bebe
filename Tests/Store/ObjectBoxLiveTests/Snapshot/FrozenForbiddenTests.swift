import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// A call of a deprecated function, made through the protocol without a warning.
private protocol Deed {
  func run() throws
}

private struct BeginWrite: Deed {
  var snapshot: Snapshot
  @available(*, deprecated) func run() throws { _ = try snapshot.beginWrite() }
}
private struct TurnAutorefreshOn: Deed {
  var snapshot: Snapshot
  @available(*, deprecated) func run() throws { try snapshot.setAutorefresh(true) }
}
private struct TurnAutorefreshOff: Deed {
  var snapshot: Snapshot
  @available(*, deprecated) func run() throws { try snapshot.setAutorefresh(false) }
}
private struct ObserveObject: Deed {
  var object: FrozenObject<Person>
  @available(*, deprecated) func run() throws {
    // The same call as on live objects.
    _ = try object.observe(properties: [Person.name]) { (_: ObjectChange) in }
    Issue.record("an object of a snapshot is observed")
  }
}
private struct ObserveResults: Deed {
  var results: FrozenResults<Person>
  @available(*, deprecated) func run() throws {
    _ = try results.observe { change in
      Issue.record("\(change.results.count) results of a snapshot have changed")
    }
  }
}
private struct Modify: Deed {
  var object: FrozenObject<Person>
  var transaction: WriteTransaction
  @available(*, deprecated) func run() throws {
    try transaction.modify(object) { $0.name = "changed" }
  }
}

struct FrozenForbiddenTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let snapshot: Snapshot

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    try store.box(for: Person.self).put(Person("A"))
    snapshot = try store.freeze()
  }

  private func expectFrozen(_ body: () throws -> Void) {
    let error = #expect(throws: ObjectBoxError.self) { try body() }
    guard case .frozen(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("thaw it first"))
  }

  private func expectFrozen(_ deed: any Deed) {
    expectFrozen { try deed.run() }
  }

  @Test func `a snapshot cannot be written to, observed or refreshed`() throws {
    let view: any StoreView = snapshot
    expectFrozen { try view.write { _ in () } }
    expectFrozen { _ = try view.observe { _ in } }
    expectFrozen(BeginWrite(snapshot: snapshot))
    expectFrozen(TurnAutorefreshOn(snapshot: snapshot))
    let off: any Deed = TurnAutorefreshOff(snapshot: snapshot)
    try off.run()
    #expect(!snapshot.autorefresh)
    #expect(view.isFrozen)
  }

  @Test func `frozen objects and results cannot be modified or observed`() throws {
    let object = try #require(try snapshot.object(Person.self, 1))
    expectFrozen(ObserveObject(object: object))
    expectFrozen(ObserveResults(results: try snapshot.query(Person.self)))
    try store.write { transaction in
      expectFrozen(Modify(object: object, transaction: transaction))
    }
    #expect(try store.box(for: Person.self).get(1)?.name == "A")
  }

  @Test func `whether something is frozen can be read in any isolation`() async throws {
    let object = try #require(try snapshot.object(Person.self, 1))
    let results = try snapshot.query(Person.self)
    let areFrozen = await Task.detached { [snapshot] in
      snapshot.isFrozen && object.isFrozen && results.isFrozen
    }.value
    #expect(areFrozen)
  }

  @Test func `a write block while a snapshot reads is refused, and goes on afterwards`() throws {
    let object = try #require(try snapshot.object(Person.self, 1))
    try store.write { transaction in
      // The snapshot does not see the transaction's writes.
      try transaction.modify(EntityId<Person>(1)) { $0.name = "B" }
      #expect(object.name == "A")
      #expect(try transaction.get(Person.self, 1)?.name == "B")
    }
    #expect(object.name == "A")
  }
}
