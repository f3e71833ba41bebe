import Dispatch
import Foundation
@testable import ObjectBox
@testable import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Errors that a write block catches: the failed operation changes nothing, and the block
/// continues.
struct CaughtErrorTests {
  private struct Stop: Error {}

  private struct CommitLog: CommitListener {
    let commits = Guarded<[CommitSummary]>([])

    func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery? {
      commits.withLock { $0.append(commit) }
      return nil
    }
  }

  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  /// Returns the name of the error that a body throws, such as `dbFull`; empty without an error.
  private func failure(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return "\(error)".prefix { $0 != ":" && $0 != "(" }.description
    }
  }

  private func violates(_ body: () throws -> Void) {
    #expect(failure(body) == "uniqueViolation")
  }

  private func names() throws -> [String] { try people.all().map(\.name) }

  // MARK: One step

  @Test func `a put that is refused changes nothing, and the block goes on`() throws {
    try people.put(Person("A", email: "a"))
    let (refused, missing) = (Person("B", email: "a"), Person("M"))
    missing.id = 1000
    try store.write { transaction in
      violates { try transaction.put(refused) }
      #expect(throws: ObjectBoxError.self) { try transaction.put(missing) }
      #expect(throws: ObjectBoxError.self) { try transaction.put(Person("N"), mode: .update) }
      #expect(try transaction.count(Person.self) == 1)
      try transaction.put(Person("C", email: "c"))
      violates { try people.put([refused]) }
    }
    #expect(refused.id == 0)
    #expect(try names() == ["A", "C"])
  }

  @Test func `a begun transaction and one that suspends go on as well`() async throws {
    try people.put(Person("A", email: "a"))
    try begin()
    try await store.write { transaction in
      violates { try transaction.put([Person("C"), Person("X", email: "a")]) }
      try transaction.put(Person("D"))
    }
    let queue = SerialQueue()
    let error = await withCheckedContinuation { done in
      store.writeAsync(on: queue) { transaction in
        _ = try? transaction.put([Person("E"), Person("X", email: "a")])
        try transaction.put(Person("F"))
      } onComplete: {
        done.resume(returning: $0.map { "\($0)" })
      }
    }
    #expect(error == nil)
    #expect(try names() == ["A", "B", "D", "F"])
  }

  private func begin() throws {
    let transaction = try store.beginWrite()
    violates { try transaction.put(Person("X", email: "a")) }
    try transaction.put(Person("B"))
    try transaction.commitWrite()
  }

  // MARK: Several steps

  @Test func `an array whose middle is refused leaves nothing of itself`() throws {
    try people.put(Person("A", email: "a", age: 1))
    let array = [Person("B", email: "b"), Person("C", email: "a"), Person("D", email: "d")]
    try store.write { transaction in
      try transaction.put(Person("E", email: "e", age: 5))
      let old = try #require(try transaction.get(Person.self, 1))
      old.age = 7
      violates { try transaction.put([old] + array) }
      #expect(array.map(\.id) == [0, 0, 0])
      #expect(try transaction.query(Person.self) { Person.age == 7 }.count() == 0)
      array[1].email = "c"
      try transaction.put(Array(array[1...]))
      #expect(array.map(\.id) == [0, 5, 6] || array.map { $0.id > 0 } == [false, true, true])
    }
    try temporary.reopen()
    let people = temporary.store.box(for: Person.self)
    #expect(try people.all().map(\.name) == ["A", "E", "C", "D"])
    #expect(try people.query { Person.age == 1 }.build().count() == 1)
    for email in ["a", "c", "d", "e"] {
      #expect(try people.query { Person.email == email }.build().count() == 1)
    }
    #expect(try people.query { Person.email == "b" }.build().count() == 0)
  }

  @Test func `a chain of new objects whose second target is refused leaves nothing`() throws {
    let store = try RelationStore()
    try store.nodes.put(Node(name: "taken"))
    let (a, b, c) = (Node(name: "a"), Node(name: "b"), Node(name: "taken"))
    a.next.target = b
    b.next.target = c
    try store.store.write { transaction in
      violates { try transaction.put(a) }
      #expect([a.id, b.id, c.id] == [0, 0, 0])
      #expect(try transaction.count(Node.self) == 1)
      c.name = "c"
      try transaction.put(a)
    }
    try store.reopen()
    #expect(try store.nodes.all().map(\.name) == ["taken", "a", "b", "c"])
    #expect(try store.nodes.get(a.id)?.next.target?.next.target?.name == "c")
  }

  @Test func `targets lose their new IDs when the block is rolled back`() throws {
    let store = try RelationStore()
    let (a, b) = (Node(name: "a"), Node(name: "b"))
    a.next.target = b
    #expect(throws: Stop.self) {
      try store.store.write { transaction in
        try transaction.put(a)
        throw Stop()
      }
    }
    #expect(a.id == 0 && b.id == 0)
  }

  @Test func `a to-many relation that cannot be applied leaves neither the object nor the others`()
    throws
  {
    let store = try RelationStore()
    let jane = Customer("Jane")
    let (good, bad) = (Order("good"), Order("bad"))
    bad.id = 1000
    jane.orders.replace([good, bad])
    try store.store.write { transaction in
      #expect(throws: ObjectBoxError.self) { try transaction.put(jane) }
      #expect(jane.id == 0 && good.id == 0)
      try transaction.put(Customer("Joe"))
      let joe = try #require(try transaction.get(Customer.self, 2))
      joe.orders.replace([Order("x"), bad])
      #expect(throws: ObjectBoxError.self) { try joe.orders.applyToDb() }
      #expect(try transaction.count(Order.self) == 0)
    }
    #expect(try store.customers.all().map(\.name) == ["Joe"])
    #expect(try store.orders.isEmpty())
  }

  @Test func `changes of a to-many relation are there again after a rollback`() throws {
    let store = try RelationStore()
    let student = Student("s")
    try store.students.put(student)
    student.teachers.append(Teacher("t"))
    #expect(throws: Stop.self) {
      try store.store.write { _ in
        try student.teachers.applyToDb()
        throw Stop()
      }
    }
    #expect(student.teachers.hasPendingDbChanges)
    try store.store.write { _ in try student.teachers.applyToDb() }
    #expect(try store.students.get(student.id)?.teachers.map(\.name) == ["t"])
  }

  @Test func `a nearest-neighbour index stays true when a put is undone`() throws {
    let sights = SightStoreCase(try SightStore())
    var random = SplitMix(seed: 3)
    func vector() -> [Float] { [random.offset(), random.offset()] }
    try sights.store.box.put((0..<50).map { _ in Sight(vector()) })
    try sights.store.store.write { transaction in
      for round in 0..<20 {
        let old = try transaction.get(Sight.self, Id(round + 1))
        old?.vector = vector()
        let array = [old, Sight(vector()), Sight(vector())].compactMap(\.self)
        if round.isMultiple(of: 3) {
          try transaction.put(array)
        } else {
          #expect(throws: ObjectBoxError.self) { try transaction.put(array + [Sight([1])]) }
        }
      }
    }
    #expect(try sights.store.box.count() == 50 + 14)
    try sights.checkAll()
    try sights.store.reopen(SightIndex())
    try sights.checkAll()
  }

  // MARK: Blocks inside of blocks

  @Test func `a joined transaction that throws is undone alone inside of a write block`() throws {
    try store.write { transaction in
      try transaction.put(Person("A"))
      #expect(throws: Stop.self) {
        try store.runInTransaction {
          try people.put(Person("B"))
          throw Stop()
        }
      }
      // A caught error dooms a joined transaction, inside a write block as elsewhere.
      #expect(throws: ObjectBoxError.self) {
        try store.runInTransaction {
          try people.put(Person("C"))
          try? store.runInTransaction { throw Stop() }
        }
      }
      try store.runInTransaction { _ = try people.put(Person("D")) }
      _ = try? transaction.put(Person("E"), mode: .update)
    }
    #expect(try names() == ["A", "D"])
  }

  @Test func `a visit that writes and throws is undone alone`() throws {
    try people.put([Person("A", email: "a"), Person("B", email: "b")])
    try store.write { transaction in
      #expect(throws: Stop.self) {
        try people.forEach(writable: true) { person in
          person.name += "!"
          violates { try people.put([Person("X"), Person("Y", email: "a")]) }
          try people.put(person)
          if person.id == 2 { throw Stop() }
        }
      }
      #expect(try names() == ["A", "B"])
      try people.forEach(writable: true) { person in
        violates { try people.put([Person("X"), Person("Y", email: "a")]) }
        person.name += "?"
        try people.put(person)
      }
    }
    #expect(try names() == ["A?", "B?"])
  }

  @Test(arguments: [true, false])
  func `an error in a read leaves the write around it as it is`(_ isBlock: Bool) throws {
    func read() throws {
      try people.put(Person("A"))
      try? people.forEach { _ in throw Stop() }
      try? people.visit { _ in throw Stop() }
      try? people.visit([1]) { _ in throw Stop() }
      try? store.read { _ in throw Stop() }
      try? store.runInReadOnlyTransaction { throw Stop() }
      try people.put(Person("B"))
      #expect(throws: ObjectBoxError.self) { try people.query().build().findUnique() }
    }
    if isBlock { try store.write { _ in try read() } } else { try store.runInTransaction(read) }
    #expect(try names() == ["A", "B"])
  }

  @Test func `a block that is cancelled inside of a visit is rolled back`() throws {
    try people.put(Person("A"))
    let result = try store.write { transaction in
      try transaction.put(Person("B"))
      try? people.forEach(writable: true) { _ in
        transaction.cancelWrite()
        #expect(throws: ObjectBoxError.self) { try people.put(Person("C")) }
      }
      #expect(try people.count() == 1)
      return 3
    }
    #expect(result == 3)
    #expect(try names() == ["A"])
  }

  // MARK: Cancelling oneself

  @Test func `a block that cancels its own operation is rolled back, and told so`() async throws {
    let queue = SerialQueue()
    let own = Guarded<AsyncTransactionID?>(nil)
    let hold = DispatchSemaphore(value: 0)
    queue.async { hold.wait() }
    let error = await withCheckedContinuation { done in
      let id = store.writeAsync(on: queue) { [store] transaction in
        try transaction.put(Person("A"))
        let id = try #require(own.withLock { $0 })
        #expect(store.cancelAsyncWrite(id))
        #expect(throws: CancellationError.self) { try transaction.put(Person("B")) }
      } onComplete: {
        done.resume(returning: $0)
      }
      own.withLock { $0 = id }
      hold.signal()
    }
    #expect(error is CancellationError)
    #expect(try people.isEmpty())
    #expect(try store.statistics.unheardFailures == 0)
    try people.put(Person("C"))
  }

  // MARK: Observers

  @Test func `observers are told only of what stayed`() throws {
    let log = CommitLog()
    let told = log.commits
    let token = store.openStore.commits.subscribe(
      log,
      to: CommitInterest(includesObjects: true, includesSilentCommits: true),
      owner: nil,
      onEnd: {}
    )
    defer { token.invalidate() }
    try people.put(Person("A", email: "a"))
    told.withLock { $0 = [] }
    try store.write { transaction in
      try transaction.put(Person("B", email: "b"))
      _ = try? transaction.put([Person("X", email: "x"), Person("Y", email: "a")])
      try transaction.put([Person("C"), Person("D")])
      _ = try? store.runInTransaction {
        try people.removeAll()
        throw Stop()
      }
    }
    let stored = try people.all().map(\.id)
    let changes = told.withLock(\.self).flatMap { $0.changes.values }
    #expect(changes.count == 1)
    #expect(Set(changes.flatMap(\.objects.keys)) == Set(stored.dropFirst()))
    #expect(changes.allSatisfy { $0.objects.values.allSatisfy { $0 == .inserted } })
    #expect(changes.allSatisfy { !$0.hasRemovedAll })
    let commits = try store.statistics.commits
    try store.write { _ = try? $0.put([Person("X"), Person("Y", email: "a")]) }
    #expect(try store.statistics.commits == commits)
    #expect(told.withLock(\.count) == 1)
  }

  // MARK: A full store

  @Test func `an array that does not fit is undone, and the block goes on`() throws {
    let small = try TemporaryStore(maxDbSizeInKByte: 1_000)
    let people = small.store.box(for: Person.self)
    func large(_ name: String, _ size: Int) -> Person {
      let person = Person(name)
      person.photo = Data(repeating: 1, count: size)
      return person
    }
    try small.store.write { transaction in
      try transaction.put(Person("A"))
      #expect(
        failure { try transaction.put((0..<20).map { large("\($0)", 100_000) }) } == "dbFull"
      )
      try transaction.put(large("B", 10_000))
    }
    #expect(try people.all().map(\.name) == ["A", "B"])
  }

  @Test func `a put in a group that does not fit is told its caller with its entity`() throws {
    let small = try TemporaryStore(maxDbSizeInKByte: 1_000)
    let told = Guarded("")
    let done = DispatchSemaphore(value: 0)
    try small.store.write { [store = small.store] transaction in
      Thread {
        let large = Person("large")
        large.photo = Data(repeating: 1, count: 2_000_000)
        do { try store.box(for: Person.self).put(large) } catch {
          told.withLock { $0 = "\(error)" }
        }
        done.signal()
      }.start()
      // The put joins a batch while this transaction holds the write lock.
      while !store.openStore.groupCommitQueue.expectsOthers {}
      try transaction.put(Person("A"))
    }
    done.wait()
    #expect(told.withLock(\.self).hasPrefix("dbFull: cannot put a new 'Person' of 2000"))
    #expect(try small.store.box(for: Person.self).count() == 1)
  }

  @Test func `a single put that does not fit stops the transaction with its own error`() throws {
    let small = try TemporaryStore(maxDbSizeInKByte: 1_000)
    let people = small.store.box(for: Person.self)
    let large = Person("large")
    large.photo = Data(repeating: 1, count: 2_000_000)
    let error = failure {
      try small.store.write { transaction in
        try transaction.put(Person("A"))
        #expect(failure { try transaction.put(large) } == "dbFull")
        #expect(failure { try transaction.put(Person("B")) } == "dbFull")
        #expect(failure { _ = try transaction.count(Person.self) } == "dbFull")
      }
    }
    #expect(error == "dbFull")
    #expect(try people.isEmpty())
    try people.put(Person("C"))
  }
}

/// Compares a nearest-neighbour index with the records.
private struct SightStoreCase {
  let store: SightStore

  init(_ store: SightStore) {
    self.store = store
  }

  /// Finds each object as the nearest to its own vector.
  func checkAll() throws {
    let all = try store.box.all()
    #expect(Set(try store.nearest(to: [0, 0], all.count + 10)) == Set(all.map(\.id)))
    for sight in all {
      #expect(try store.nearest(to: sight.vector ?? [], 1) == [sight.id])
    }
  }
}
