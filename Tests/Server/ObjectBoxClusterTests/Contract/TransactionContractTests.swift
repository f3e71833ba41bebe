import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of transactions, for embedded stores and clusters.
@Suite(.onAnyStore)
struct TransactionContractTests {
  private struct Stop: Error {}

  private func names(_ store: AnyStore) async throws -> [String] {
    try await store.box(Person.self).all().map(\.name)
  }

  // MARK: Blocks

  @Test(arguments: StoreKind.available)
  func `results and errors of blocks pass through`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let text = try await store.write { transaction in
      try await transaction.put(Person(name: "x"))
      return "done"
    }
    #expect(text == "done")
    let count = try await store.read { try await $0.box(Person.self).count() }
    #expect(count == 1)
    await expect("Stop()") { try await store.write { _ in throw Stop() } }
    await expect("Stop()") { try await store.read { _ in throw Stop() } }
  }

  @Test(arguments: StoreKind.available)
  func `a block that throws leaves nothing, and new objects lose their IDs`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    try await box.put([Person(name: "A"), Person(name: "B", email: "b"), Person(name: "C")])
    let added = [Person(name: "D", email: "d"), Person(name: "E", email: "e")]
    await expect("Stop()") {
      try await store.write { transaction in
        let box = transaction.box(Person.self)
        try await box.put(added)
        try await transaction.put(added[1])
        try await box.remove(1)
        let seen = try await box.count()
        #expect(seen == 4)
        throw Stop()
      }
    }
    #expect(try await names(store) == ["A", "B", "C"])
    #expect(added.map(\.id) == [0, 0])
    #expect(try await box.query(Person.email == "d").ids() == [])
    // The values are free again.
    try await box.put(added)
    #expect(try await box.count() == 5)
  }

  @Test(arguments: StoreKind.available)
  func `a struct keeps the ID of a put that was rolled back, and nobody gets it`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    var given: Id = 0
    await expect("Stop()") {
      try await store.write { transaction in
        var account = Account(id: 0, balance: 1)
        try await transaction.box(Account.self).put(&account)
        given = account.id
        throw Stop()
      }
    }
    #expect(given != 0)
    let box = store.box(Account.self)
    #expect(try await box.get(given) == nil)
    #expect(try await box.put(Account(id: 0, balance: 2)) > given)
  }

  @Test(arguments: StoreKind.available)
  func `a block reads what it wrote, and others do not before its end`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    try await store.write { transaction in
      let inside = transaction.box(Person.self)
      let jane = Person(name: "Jane", age: 7)
      try await inside.put(jane)
      #expect(try await inside.query(Person.age == 7).ids() == [1])
      #expect(try await inside.get(1)?.name == "Jane")
      #expect(try await inside.contains([1]))
      let outside = try await store.countElsewhere(Person.self)
      #expect(outside == 0)
      jane.age = 8
      try await inside.put(jane)
      #expect(try await inside.query(Person.age == 7).ids() == [])
      #expect(try await inside.query(Person.age == 8).build().findFirst()?.id == 1)
      var seen: [String] = []
      try await inside.put(Person(name: "Joe"))
      try await inside.forEach { seen.append($0.name) }
      #expect(seen == ["Jane", "Joe"])
      #expect(try await inside.query(Person.name == "Joe").build().remove() == 1)
      #expect(try await inside.count() == 1)
    }
    #expect(try await box.all().map(\.age) == [8])
  }

  @Test(arguments: StoreKind.available)
  func `a block of reads keeps its state while others commit`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    try await store.box(Person.self).put(Person(name: "x"))
    let counts = try await store.read { transaction in
      let box = transaction.box(Person.self)
      let before = try await box.count()
      try await store.putElsewhere { Person(name: "y") }
      let ids = try await box.query().ids()
      return [before, try await box.count(), ids.count]
    }
    #expect(counts == [1, 1, 1])
    #expect(try await names(store) == ["x", "y"])
  }

  // MARK: Refused blocks and calls

  @Test(arguments: StoreKind.available)
  func `every write inside of a block of reads is refused by the same kind of error`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let id = try await store.box(Person.self).put(Person(name: "x"))
    let person = try #require(try await store.box(Person.self).get(id))
    for number in 0..<5 {
      let refused = await kindThrown {
        try await store.read { transaction in
          let box = transaction.box(Person.self)
          switch number {
          case 0: try await box.put(Person(name: "y"))
          case 1: try await box.put([person, person])
          case 2: try await box.remove(id)
          case 3: try await box.removeAll()
          default: _ = try await box.query().build().remove()
          }
          // If writes are buffered, the next read sends them.
          _ = try await box.count()
        }
      }
      #expect(refused == "cannotWriteWhileReading", "\(number)")
    }
    let nested = await kindThrown { try await store.read { _ in try await store.write { _ in } } }
    #expect(nested == "cannotWriteWhileReading")
    let inner = try await store.read { _ in
      try await store.read { try await $0.box(Person.self).count() }
    }
    #expect(inner == 1)
    #expect(try await store.box(Person.self).count() == 1)
  }

  @Test(arguments: StoreKind.available)
  func `a write inside of a write is refused, and the outer one goes on`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    try await store.write { transaction in
      try await transaction.put(Person(name: "A"))
      let refused = await kindThrown { try await store.write { _ in } }
      #expect(refused == "alreadyInWriteTransaction")
      try await transaction.put(Person(name: "B"))
    }
    #expect(try await names(store) == ["A", "B"])
  }

  @Test(arguments: StoreKind.available)
  func `a transaction cannot be used after its block`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    var leaked: AnyTransaction?
    try await store.write { leaked = $0 }
    let transaction = try #require(leaked)
    let refused = await kindThrown { try await transaction.used() }
    #expect(refused == "transactionEnded")
    #expect(try await store.box(Person.self).isEmpty())
  }

  @Test(arguments: StoreKind.available)
  func `a refused put and a removal of a missing object end nothing`(_ kind: StoreKind) async throws
  {
    let store = try await AnyStore(kind)
    let missing = Person(name: "M")
    missing.id = 1_000
    try await store.write { transaction in
      let box = transaction.box(Person.self)
      try await box.put(Person(name: "A"))
      await expect("illegalArgument") { try await box.put(missing) }
      await expect("unknown") { try await box.put(Person(name: "N"), mode: .update) }
      await expect("notFound") { _ = try await box.remove(99) }
      let array = [Person(name: "B"), missing]
      await expect("illegalArgument") { try await box.put(array) }
      #expect(array[0].id == 0)
      await expect(nil) { _ = try await box.query().build().findUnique() }
      try await box.put(Person(name: "C"))
      await expect("nonUniqueResult") { _ = try await box.query().build().findUnique() }
    }
    #expect(try await names(store) == ["A", "C"])
  }

  // MARK: Parts

  @Test(arguments: StoreKind.available)
  func `a part that throws is undone alone, with the IDs of its objects`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let undone = Person(name: "B")
    try await store.write { transaction in
      let box = transaction.box(Person.self)
      let kept = Person(name: "A")
      try await box.put(kept)
      await expect("Stop()") {
        try await transaction.part {
          try await box.put(undone)
          kept.name = "changed"
          try await box.put(kept)
          #expect(try await box.count() == 2)
          throw Stop()
        }
      }
      #expect(undone.id == 0)
      #expect(kept.id == 1)
      #expect(try await box.all().map(\.name) == ["A"])
      let result = try await transaction.part {
        try await box.put(Person(name: "D"))
        return 7
      }
      #expect(result == 7)
    }
    #expect(try await names(store) == ["A", "D"])
  }

  @Test(arguments: StoreKind.available)
  func `a part with a value that another object holds fails, and the block goes on`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    try await box.put(Person(name: "A", age: 1, email: "a"))
    let array = [
      Person(name: "B", email: "b"), Person(name: "C", email: "a"), Person(name: "D", email: "d"),
    ]
    try await store.write { transaction in
      let box = transaction.box(Person.self)
      try await box.put(Person(name: "E", email: "e"))
      let old = try #require(try await box.get(1))
      old.age = 7
      let refused = await kindThrown {
        try await transaction.part { try await box.put([old] + array) }
      }
      #expect(refused == "uniqueViolation")
      #expect(array.map(\.id) == [0, 0, 0])
      #expect(try await box.query(Person.age == 7).ids() == [])
      let own = await kindThrown {
        try await transaction.part {
          try await box.put(Person(name: "F", email: "f"))
          try await box.put(Person(name: "G", email: "f"))
        }
      }
      #expect(own == "uniqueViolation")
      array[1].email = "c"
      try await box.put(Array(array[1...]))
    }
    #expect(try await names(store) == ["A", "E", "C", "D"])
    for email in ["a", "c", "d", "e"] {
      #expect(try await box.query(Person.email == email).ids().count == 1)
    }
    for email in ["b", "f"] { #expect(try await box.query(Person.email == email).ids() == []) }
  }

  @Test(arguments: StoreKind.available)
  func `an error that leaves the block undoes parts that were done`(_ kind: StoreKind) async throws
  {
    let store = try await AnyStore(kind)
    let person = Person(name: "A")
    await expect("Stop()") {
      try await store.write { transaction in
        try await transaction.part { _ = try await transaction.box(Person.self).put(person) }
        throw Stop()
      }
    }
    #expect(person.id == 0)
    #expect(try await store.box(Person.self).isEmpty())
  }

  @Test(arguments: StoreKind.available)
  func `a chain of new objects whose last one is refused leaves nothing`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    try await store.box(Person.self).put(Person(name: "taken", email: "t"))
    let (a, b, c) = (Person(name: "a"), Person(name: "b"), Person(name: "c", email: "t"))
    a.friends.append(b)
    b.friends.append(c)
    try await store.write { transaction in
      let box = transaction.box(Person.self)
      let refused = await kindThrown { try await transaction.part { _ = try await box.put(a) } }
      #expect(refused == "uniqueViolation")
      #expect([a.id, b.id, c.id] == [0, 0, 0])
      #expect(try await box.count() == 1)
      c.email = "c"
      try await box.put(a)
    }
    #expect(try await names(store) == ["taken", "a", "b", "c"])
    #expect(try await store.ids(b.friends) == [c.id])
  }

  @Test(arguments: StoreKind.available)
  func `a restricted removal removes nothing, and the block goes on`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let (full, empty) = (Room("full"), Room("empty"))
    try await store.box(Room.self).put([full, empty])
    try await store.box(Guest.self).put(Guest("g", full))
    try await store.write { transaction in
      let rooms = transaction.box(Room.self)
      await expect("constraintViolated") { _ = try await rooms.remove(full) }
      await expect("constraintViolated") { try await transaction.remove(full) }
      let both = await kindThrown { _ = try await rooms.remove(objects: [empty, full]) }
      #expect(both == "constraintViolated")
      await expect("constraintViolated") { _ = try await rooms.removeAll() }
      await expect("constraintViolated") { _ = try await rooms.query().build().remove() }
      #expect(try await rooms.count() == 2)
      try await transaction.remove(empty)
    }
    #expect(try await store.box(Room.self).all().map(\.name) == ["full"])
  }
}
