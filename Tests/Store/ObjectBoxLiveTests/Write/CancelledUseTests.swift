import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// A cancelled write that is still in use on its thread ends with that use.
///
/// Run under the address sanitizer to detect use of freed memory.
struct CancelledUseTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    try people.put([Person("A"), Person("B"), Person("C")])
  }

  private func expectUsable() throws {
    let isWriting = store.isInWriteTransaction
    #expect(!isWriting)
    #expect(try people.all().map(\.name) == ["A", "B", "C"])
    try store.write { try $0.put(Person("E")) }
    #expect(try people.count() == 4)
  }

  @Test func `a block that cancels in a scan reads on to the end of the scan`() throws {
    try store.write { transaction in
      try transaction.put(Person("D"))
      var names: [String] = []
      try people.forEach { person in
        transaction.cancelWrite()
        names.append(person.name)
      }
      #expect(names == ["A", "B", "C", "D"])
      #expect(try people.count() == 3)
    }
    try expectUsable()
  }

  @Test func `a write without a block that is cancelled in a scan ends with the scan`() throws {
    let transaction = try store.beginWrite()
    try transaction.put(Person("D"))
    var names: [String] = []
    try people.forEach { person in
      transaction.cancelWrite()
      names.append(person.name)
    }
    #expect(names == ["A", "B", "C", "D"])
    try expectUsable()
  }

  @Test func `an asynchronous write that is cancelled in a scan ends with the scan`() async throws {
    let people = people
    try await store.write { transaction in
      try transaction.put(Person("D"))
      var count = 0
      try people.forEach { _ in
        transaction.cancelWrite()
        count += 1
      }
      #expect(count == 4)
    }
    try expectUsable()
  }

  @Test(arguments: [false, true])
  func `a write that is cancelled while a snapshot is read in it ends with that`(
    hasBlock: Bool
  ) throws {
    let first = try #require(try store.freeze().object(Person.self, 1))
    func cancel(_ transaction: WriteTransaction) throws {
      try transaction.put(Person("D"))
      try first.withBytes(of: Person.name) { _ in
        transaction.cancelWrite()
        #expect(transaction.isEnded)
        #expect(first.name == "A")
        let count = try first.snapshot.count(Person.self)
        #expect(count == 3)
      }
      #expect(try people.count() == 3)
    }
    if hasBlock { try store.write { try cancel($0) } } else { try cancel(try store.beginWrite()) }
    try expectUsable()
    #expect(first.name == "A")
  }

  @Test func `a write that is let go in a scan ends with the scan`() throws {
    var transaction: WriteTransaction? = try store.beginWrite()
    try transaction?.put(Person("D"))
    var count = 0
    try people.forEach { _ in
      transaction = nil
      count += 1
    }
    #expect(count == 4)
    try expectUsable()
  }
}
