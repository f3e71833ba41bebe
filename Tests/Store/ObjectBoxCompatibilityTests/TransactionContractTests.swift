import Foundation
import ObjectBox
import Testing

struct TransactionContractTests {
  private let stores: ContractStore
  private let store: Store
  private let contacts: Box<Contact>

  init() throws {
    stores = try ContractStore(maxDbSizeInKByte: 10_000)
    store = stores.store
    contacts = stores.contacts
  }

  @Test func `results and errors of a block pass through`() throws {
    let text = try store.runInTransaction { () -> String in
      try contacts.put(Contact(name: "x"))
      return "done"
    }
    #expect(text == "done")
    try store.runInTransaction {
      try contacts.put(Contact(name: "y"))
    }
    let count: Int = try store.runInReadOnlyTransaction { try contacts.count() }
    #expect(count == 2)
    try store.runInReadOnlyTransaction { _ = try contacts.all() }
    #expect(throws: Stop()) { try store.runInTransaction { throw Stop() } }
    #expect(throws: Stop()) { try store.runInReadOnlyTransaction { throw Stop() } }
  }

  @Test func `a read in a write sees what was written, a read in a read is fine`() throws {
    try store.runInTransaction {
      try contacts.put(Contact(name: "x"))
      #expect(try store.runInReadOnlyTransaction { try contacts.count() } == 1)
    }
    try store.runInReadOnlyTransaction {
      let count = try store.runInReadOnlyTransaction { try contacts.count() }
      #expect(count == 1)
    }
  }

  @Test func `every write inside a read is refused by the same kind of error`() throws {
    let id = try contacts.put(Contact(name: "x"))
    try store.runInReadOnlyTransaction {
      #expect(kindThrown { try contacts.put(Contact(name: "y")) } == "cannotWriteWhileReading")
      #expect(kindThrown { try contacts.remove(id) } == "cannotWriteWhileReading")
      #expect(kindThrown { try contacts.removeAll() } == "cannotWriteWhileReading")
      #expect(
        kindThrown { try contacts.query().build().remove() } == "cannotWriteWhileReading"
      )
      #expect(
        kindThrown { try contacts.forEach(writable: true) { _ in } } == "cannotWriteWhileReading"
      )
    }
    #expect(try contacts.count() == 1)
    try contacts.put(Contact(name: "z"))
  }

  @Test func `an error that leaves all transactions undoes all of them`() throws {
    #expect(throws: Stop()) {
      try store.runInTransaction {
        try contacts.put(Contact(name: "outer"))
        try store.runInTransaction {
          try contacts.put(Contact(name: "inner"))
          throw Stop()
        }
      }
    }
    #expect(try contacts.isEmpty())
  }

  @Test func `an error of an inner transaction that is swallowed undoes all as well`() throws {
    #expect(throws: (any Error).self) {
      try store.runInTransaction {
        try contacts.put(Contact(name: "outer"))
        try? store.runInTransaction { throw Stop() }
        try contacts.put(Contact(name: "later"))
      }
    }
    #expect(try contacts.isEmpty())
  }

  @Test func `objects keep the IDs of a transaction that is undone`() throws {
    let contact = Contact(name: "x")
    var marker = Marker()
    #expect(throws: Stop()) {
      try store.runInTransaction {
        try contacts.put(contact)
        try stores.markers.put(&marker)
        throw Stop()
      }
    }
    #expect(contact.id != 0)
    #expect(marker.id != 0)
    #expect(try contacts.get(contact.id) == nil)
    #expect(try stores.markers.get(marker.id) == nil)
  }

  @Test func `transactions of 20 threads wait for one another`() throws {
    let group = DispatchGroup()
    let store = store
    for number in 0..<20 {
      group.enter()
      Thread {
        let box: Box<Contact> = store.box()
        try? store.runInTransaction {
          let count = try box.count()
          for place in 0..<5 { try box.put(Contact(name: "\(number)", age: count + place)) }
        }
        group.leave()
      }.start()
    }
    group.wait()
    #expect(try contacts.all().map(\.age) == Array(0..<100))
  }

  @Test func `a reader keeps its state while another thread commits`() throws {
    try contacts.put(Contact(name: "x"))
    let done = DispatchSemaphore(value: 0)
    let contacts = contacts
    let counts = try store.runInReadOnlyTransaction { () -> [Int] in
      let before = try contacts.count()
      Thread {
        _ = try? contacts.put(Contact(name: "y"))
        done.signal()
      }.start()
      done.wait()
      return [before, try contacts.count()]
    }
    #expect(counts == [1, 1])
    #expect(try contacts.count() == 2)
  }
}
