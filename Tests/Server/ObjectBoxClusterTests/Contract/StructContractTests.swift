import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of puts that return copies of structs, for embedded stores and clusters.
@Suite(.onAnyStore)
struct StructContractTests {
  private struct Stop: Error {}

  private func pupil(_ name: String, id: EntityId<Pupil> = 0) -> Pupil {
    Pupil(id: id, name: name, best: nil, courses: nil, fans: nil)
  }

  @Test(arguments: StoreKind.available)
  func `structs with constant IDs come back with them, new and stored ones`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let first = try await store.put(structs: [Sender(id: 0, name: "A")])
    #expect(first.map(\.id) == [1])
    let changed = Sender(id: 1, name: "B")
    let more = try await store.put(structs: [
      Sender(id: 0, name: "C"), changed, Sender(id: 0, name: "D"),
    ])
    #expect(more.map(\.id) == [2, 1, 3])
    #expect(more.map(\.name) == ["C", "B", "D"])
    #expect(try await store.put(structs: [Sender]()).isEmpty)
    #expect(try await store.box(Sender.self).all().map(\.name) == ["B", "C", "D"])
  }

  @Test(arguments: StoreKind.available)
  func `relations of a new struct are stored with it, and those of the copy belong to it`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let tom = try await store.put(struct: pupil("Tom"))
    var zoe = pupil("Zoe")
    zoe.best.target = tom
    let course = Course("maths")
    zoe.courses.append(course)
    var stored = try await store.put(struct: zoe)
    #expect(stored.id == 2)
    #expect(stored.best.targetId == tom.id)
    #expect(stored.courses.canInteractWithDb && !stored.courses.hasPendingDbChanges)
    #expect(stored.courses.map(\.name) == ["maths"])
    #expect(course.id == 1)
    stored.courses.append(Course("art"))
    try await store.box(Pupil.self).put(stored)
    let read = try #require(try await store.box(Pupil.self).get(2))
    try await read.courses.load()
    #expect(read.courses.map(\.name) == ["maths", "art"])
    try await read.best.load()
    #expect(read.best.target?.name == "Tom")
    let target = try #require(try await store.box(Pupil.self).get(1))
    try await target.fans.load()
    #expect(target.fans.map(\.name) == ["Zoe"])
    try await course.pupils.load()
    #expect(course.pupils.map(\.name) == ["Zoe"])
  }

  @Test(arguments: StoreKind.available)
  func `new structs in relations of a new struct are put`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    var host = pupil("host")
    host.best = ToOne(pupil("best"))
    host.fans.append(pupil("fan"))
    let copy = try await store.put(struct: host)
    let box = store.box(Pupil.self)
    let all = try await box.all()
    #expect(Set(all.map(\.name)) == ["host", "best", "fan"])
    let best = try #require(all.first { $0.name == "best" })
    #expect(copy.best.targetId == best.id)
    #expect(try await box.get(copy.id.value)?.best.targetId == best.id)
    #expect(all.first { $0.name == "fan" }?.best.targetId == copy.id)
    try await copy.fans.load()
    #expect(copy.fans.map(\.name) == ["fan"])
    // The copy is put again as a stored struct.
    _ = try await store.put(struct: copy)
    #expect(try await box.count() == 3)
  }

  @Test(arguments: StoreKind.available)
  func `new structs in a backlink of a stored host are put, and loaded anew with their IDs`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Pupil.self)
    _ = try await store.put(struct: pupil("host"))
    var host = try #require(try await box.get(1))
    try await host.fans.load()
    host.fans.append(pupil("a"))
    host.fans.append(pupil("b"))
    host.fans.remove(at: 0)
    host.name = "changed"
    try await box.put(host)
    try await host.fans.load()
    #expect(host.fans.map(\.name) == ["b"])
    #expect(host.fans.map(\.id) == [2])
    #expect(try await box.all().map(\.name) == ["changed", "b"])
    host.fans.removeAll()
    try await box.put(host)
    #expect(try await box.all().map { $0.best.targetId?.value } == [nil, nil])
  }

  @Test(arguments: StoreKind.available)
  func `a struct whose ID can be set comes back with it, and with its target`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let parcel = try await store.put(
      struct: Parcel(id: 0, text: "P", sender: ToOne(Sender(id: 0, name: "S")))
    )
    #expect(parcel.id == 1)
    #expect(parcel.sender.targetId == 1)
    let again = try await store.put(struct: parcel)
    #expect(again.id == 1)
    #expect(try await store.box(Sender.self).count() == 1)
  }

  @Test(arguments: StoreKind.available)
  func `a relation made for a known struct replaces the stored one`(_ kind: StoreKind) async throws
  {
    let store = try await AnyStore(kind)
    var host = pupil("host")
    host.courses.append(contentsOf: [Course("a"), Course("b")])
    let id = try await store.put(struct: host).id
    var other = pupil("other", id: id)
    other.courses.append(Course("c"))
    let copy = try await store.put(struct: other)
    #expect(copy.courses.map(\.name) == ["c"])
    #expect(try await store.ids(copy.courses) == [3])
    // A struct whose relation has no objects changes no pairs.
    let plain = try await store.put(struct: pupil("plain", id: id))
    #expect(try await store.ids(plain.courses) == [3])
  }

  @Test(arguments: StoreKind.available)
  func `puts that are refused store none of the structs, nor their objects`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    var host = pupil("host")
    let course = Course("a")
    host.courses.append(course)
    let stranger = pupil("stranger", id: 99)
    let refused = await kindThrown { _ = try await store.put(structs: [host, stranger]) }
    #expect(refused == "illegalArgument")
    #expect(course.id == 0)
    #expect(try await store.box(Pupil.self).isEmpty())
    #expect(try await store.box(Course.self).isEmpty())
    let other = try await AnyStore(kind)
    try await other.box(Course.self).put(Course("of another store"))
    host.courses.append(try #require(try await other.box(Course.self).get(1)))
    await expect("differentStore") { _ = try await store.put(struct: host) }
    #expect(course.id == 0)
    #expect(try await store.box(Pupil.self).isEmpty())
    #expect(try await store.box(Course.self).isEmpty())
    host.courses.removeLast()
    let stored = try await store.put(struct: host)
    #expect(stored.courses.map(\.id) == [course.id])
  }

  @Test(.enabled(if: TestServer.isThere, TestServer.reason))
  func `modes hold for structs, and a transaction that is run again puts them once`()
    async throws
  {
    let cluster = try await TestServer.cluster()
    let box = cluster.box(for: Pupil.self)
    var host = pupil("host")
    let course = Course("a")
    host.courses.append(course)
    let refused = await kindThrown { _ = try await box.put(struct: host, mode: .update) }
    #expect(refused == "unknown")
    let accounts = cluster.box(for: Account.self)
    try await accounts.put(Account(id: 0, balance: 1))
    let accountTable = try #require(cluster.tables.table(named: "Account")).name
    let copy = try await cluster.write { transaction in
      let copy = try await transaction.box(for: Pupil.self).put(struct: host, mode: .insert)
      var account = try #require(try await transaction.get(Account.self, 1 as Id))
      if transaction.attempt == 1 {
        // Another program's change, which conflicts with this transaction.
        _ = try await cluster.pool.run([
          Statement("UPDATE \(accountTable) SET balance = 5 WHERE id = 1")
        ])
      }
      account.balance += 1
      try await transaction.put(account)
      return copy
    }
    #expect(try await accounts.get(1)?.balance == 6)
    #expect(copy.courses.map(\.id) == [course.id])
    #expect(try await box.all().map(\.id) == [copy.id])
    #expect(try await cluster.box(for: Course.self).count() == 1)
    let again = await kindThrown { _ = try await box.put(struct: copy, mode: .insert) }
    #expect(again == "unknown")
    _ = try await box.put(struct: copy, mode: .update)
  }

  @Test(.enabled(if: TestServer.isThere, TestServer.reason))
  func `structs of a part that throws are taken back with their objects`() async throws {
    let cluster = try await TestServer.cluster()
    var host = pupil("host")
    let course = Course("a")
    host.courses.append(course)
    try await cluster.write { transaction in
      await expect("Stop()") {
        try await transaction.savepoint {
          _ = try await transaction.box(for: Pupil.self).put(struct: host)
          throw Stop()
        }
      }
      #expect(course.id == 0)
      let copy = try await transaction.box(for: Pupil.self).put(struct: host)
      try await copy.courses.load(in: transaction)
      #expect(copy.courses.map(\.name) == ["a"])
    }
    #expect(try await cluster.box(for: Pupil.self).count() == 1)
    #expect(try await cluster.box(for: Course.self).count() == 1)
  }
}
