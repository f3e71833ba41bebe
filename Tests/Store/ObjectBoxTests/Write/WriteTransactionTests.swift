import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Write transactions of blocks and of calls, on one thread.
struct WriteTransactionTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  private func isError(_ error: any Error, _ name: String) -> Bool {
    "\(error)".hasPrefix("\(name): ")
  }

  @Test func `a cancelled block returns its result and changes nothing`() throws {
    let person = Person("A")
    let result = try store.write { transaction in
      try transaction.put(person)
      #expect(store.isInWriteTransaction)
      transaction.cancelWrite()
      #expect(!store.isInWriteTransaction)
      #expect(transaction.isEnded)
      #expect(try people.count() == 0)
      return 7
    }
    #expect(result == 7)
    #expect(try people.isEmpty())
    #expect(person.id == 0)
    #expect(!store.isInWriteTransaction)
  }

  @Test func `a write inside a write is refused, older transactions join it`() throws {
    let before = try store.statistics.commits
    try store.write { transaction in
      try transaction.put(Person("A"))
      do {
        try store.write { _ in }
        Issue.record("a write inside a write must be refused")
      } catch {
        #expect(isError(error, "alreadyInWriteTransaction"))
      }
      try store.runInTransaction { _ = try people.put(Person("B")) }
      try people.put(Person("C"))
    }
    #expect(try people.count() == 3)
    #expect(try store.statistics.commits == before + 1)
  }

  @Test func `no call of a transaction works after its block, and neither does its commit`() throws
  {
    var leaked: WriteTransaction?
    try store.write { leaked = $0 }
    let transaction = try #require(leaked)
    for use: () throws -> Void in [
      { try transaction.put(Person("A")) }, { _ = try transaction.count(Person.self) },
      { _ = try transaction.all(Person.self) }, { _ = try transaction.version() },
    ] {
      do {
        try use()
        Issue.record("an ended transaction must throw")
      } catch {
        #expect(isError(error, "transactionEnded"))
      }
    }
    do {
      try transaction.commitWrite()
      Issue.record("an ended transaction must throw")
    } catch {
      #expect(isError(error, "notInWriteTransaction"))
    }
    #expect(try people.isEmpty())
  }

  @Test func `a transaction that is begun and let go is rolled back, and others go on`() throws {
    do {
      let transaction = try store.beginWrite()
      try transaction.put(Person("A"))
      #expect(try people.count() == 1)
    }
    #expect(try people.isEmpty())
    let done = DispatchSemaphore(value: 0)
    Thread { [store] in
      try? store.write { _ = try $0.put(Person("B")) }
      done.signal()
    }.start()
    #expect(done.wait(timeout: .now() + 10) == .success)
    #expect(try people.count() == 1)
  }

  @Test func `a begun transaction lasts once it is committed`() throws {
    let transaction = try store.beginWrite()
    #expect(store.isInWriteTransaction)
    try people.put(Person("A"))
    try transaction.commitWrite()
    #expect(!store.isInWriteTransaction)
    let cancelled = try store.beginWrite()
    try cancelled.put(Person("B"))
    cancelled.cancelWrite()
    #expect(try people.all().map(\.name) == ["A"])
  }

  @Test func `a transaction does not work on another thread`() throws {
    let transaction = try store.beginWrite()
    let refusal = Guarded("")
    let moved = MovedTransaction(transaction: transaction)
    let done = DispatchSemaphore(value: 0)
    Thread {
      do { try moved.transaction.put(Person("A")) } catch { refusal.withLock { $0 = "\(error)" } }
      done.signal()
    }.start()
    done.wait()
    #expect(refusal.withLock { $0 }.hasPrefix("wrongIsolation: "))
    transaction.cancelWrite()
    #expect(try people.isEmpty())
  }

  @Test func `a write inside a read is refused`() throws {
    try store.read { _ in
      do {
        try store.write { _ = try $0.put(Person("A")) }
        Issue.record("a write inside a read must be refused")
      } catch {
        #expect(isError(error, "cannotWriteWhileReading"))
      }
      #expect(throws: ObjectBoxError.self) { try people.put(Person("A")) }
    }
    #expect(try people.isEmpty())
  }

  @Test func `an empty block makes no version and waits for no disk`() throws {
    try people.put(Person("A"))
    let (version, statistics) = (try store.version(), try store.statistics)
    try store.write { _ in }
    #expect(try store.version() == version)
    #expect(try store.statistics == statistics)
    try store.write { _ = try $0.put(Person("B")) }
    #expect(try store.version() == version + 1)
    #expect(try store.statistics.syncs == statistics.syncs + 1)
  }

  @Test func `a block reads what it wrote, others do not`() throws {
    try store.write { transaction in
      try transaction.put(Person("A", age: 7))
      #expect(try transaction.query(Person.self) { Person.age == 7 }.count() == 1)
      let seen = Guarded(-1)
      let done = DispatchSemaphore(value: 0)
      Thread { [people] in
        let count = try? people.query { Person.age == 7 }.build().count()
        seen.withLock { $0 = count ?? -2 }
        done.signal()
      }.start()
      done.wait()
      #expect(seen.withLock { $0 } == 0)
    }
  }

  @Test func `modify changes a stored object, and finds none where there is none`() throws {
    let id = EntityId<Person>(try people.put(Person("A", age: 1)))
    try store.write { transaction in
      let age = try transaction.modify(id) { person in
        person.age += 1
        return person.age
      }
      #expect(age == 2)
      let missing: Void? = try transaction.modify(EntityId<Person>(99)) { $0.age = 0 }
      #expect(missing == nil)
    }
    #expect(try people.get(id)?.age == 2)
  }

  @Test func `a read-only store refuses write blocks with its own error`() throws {
    try people.put(Person("A"))
    store.close()
    let reading = try Store(
      model: try TemporaryStore.model(),
      directory: temporary.path,
      readOnly: true
    )
    do {
      try reading.write { _ in }
      Issue.record("a read-only store must refuse")
    } catch {
      #expect(isError(error, "readOnly"))
    }
    do {
      try store.write { _ in }
      Issue.record("a closed store must refuse")
    } catch {
      #expect(isError(error, "closed"))
    }
  }

  @Test func `a token of another store is refused before the block runs`() throws {
    #expect(try store.write(withoutNotifying: []) { _ in 1 } == 1)
    #expect(try store.write(withoutNotifying: .all) { try $0.put(Person("A")) } == 1)
  }
}

/// Carries a transaction to another thread, where it must refuse to work.
private struct MovedTransaction: @unchecked Sendable {
  let transaction: WriteTransaction
}
