import Dispatch
import Foundation
import ObjectBox
import Testing

struct ObserverContractTests {
  /// A serial queue, and the values that handlers noted on it.
  private final class Notes<Value> {
    let queue = DispatchQueue(label: "notes")
    private var noted: [Value] = []

    func note(_ value: Value) { noted.append(value) }

    /// The values of all calls requested so far.
    var values: [Value] { queue.sync { noted } }
  }

  private let stores: ContractStore
  private let contacts: Box<Contact>

  init() throws {
    stores = try ContractStore(maxDbSizeInKByte: 10_000)
    contacts = stores.contacts
  }

  @Test func `a box tells what is there, then each commit once`() throws {
    let notes = Notes<Int>()
    let observer: Observer = contacts.subscribe(dispatchQueue: notes.queue) { contacts, error in
      #expect(error == nil)
      notes.note(contacts.count)
    }
    #expect(notes.values == [0])
    try contacts.put(Contact(name: "a"))
    #expect(notes.values == [0, 1])
    try contacts.put([Contact(name: "b"), Contact(name: "c")])
    #expect(notes.values == [0, 1, 3])
    try? stores.store.runInTransaction {
      try contacts.put(Contact(name: "d"))
      throw Stop()
    }
    try stores.tickets.put(Ticket("a"))
    #expect(notes.values == [0, 1, 3])
    observer.unsubscribe()
    try contacts.put(Contact(name: "e"))
    #expect(notes.values == [0, 1, 3])
  }

  @Test func `all forms of handlers are told`() throws {
    let notes = Notes<String>()
    let plain = contacts.subscribe(dispatchQueue: notes.queue, flags: []) { notes.note("change") }
    let many = contacts.subscribeContiguous(dispatchQueue: notes.queue, flags: [.sendInitial]) {
      (contacts: ContiguousArray<Contact>, _: ObjectBoxError?) in
      notes.note("contiguous \(contacts.count)")
    }
    let query = try contacts.query { Contact.age > 5 }.build()
    let found = query.subscribe(dispatchQueue: notes.queue, flags: .sendInitial) {
      (contacts: [Contact], _) in
      notes.note("query \(contacts.count)")
    }
    let foundMany = query.subscribeContiguous(dispatchQueue: notes.queue, flags: []) {
      contacts,
      _ in
      notes.note("query contiguous \(contacts.count)")
    }
    let queryChange = query.subscribe(dispatchQueue: notes.queue, flags: []) {
      notes.note("query change")
    }
    #expect(Set(notes.values) == ["contiguous 0", "query 0"])
    try contacts.put(Contact(name: "a", age: 9))
    #expect(
      Set(notes.values.dropFirst(2)) == [
        "change", "contiguous 1", "query 1", "query contiguous 1", "query change",
      ]
    )
    #expect(notes.values.count == 7)
    for observer in [plain, many, found, foundMany, queryChange] { observer.unsubscribe() }
  }

  @Test func `flags ask for the first delivery only, or for none but later ones`() throws {
    let notes = Notes<String>()
    var kept: [Observer] = []
    kept.append(
      contacts.subscribe(dispatchQueue: notes.queue, flags: [.sendInitial, .dontSubscribe]) {
        notes.note("once")
      }
    )
    let query = try contacts.query().build()
    kept.append(
      query.subscribe(dispatchQueue: notes.queue, flags: [.sendInitial, .dontSubscribe]) {
        found,
        _ in notes.note("query once \(found.count)")
      }
    )
    kept.append(query.subscribe(dispatchQueue: notes.queue, flags: .dontSubscribe) {})
    try contacts.put(Contact(name: "a"))
    #expect(Set(notes.values).count == 2)
    #expect(notes.values.count == 2)
    #expect(Observer.Flags.sendInitial.rawValue == 1)
    #expect(Observer.Flags.dontSubscribe.rawValue == 2)
    #expect(Observer.Flags([.sendInitial, .dontSubscribe]).rawValue == 3)
  }

  @Test func `a subscription of a box that could never call stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let stores = try ContractStore()
      withExtendedLifetime(stores) {
        stores.contacts.subscribe(flags: [.dontSubscribe]) {}.unsubscribe()
      }
    }
  }

  @Test func `an observer that is let go is told nothing more`() throws {
    let notes = Notes<Int>()
    var observer: Observer? = contacts.subscribe(dispatchQueue: notes.queue, flags: []) {
      notes.note(1)
    }
    try contacts.put(Contact(name: "a"))
    #expect(notes.values == [1])
    #expect(observer != nil)
    observer = nil
    try contacts.put(Contact(name: "b"))
    #expect(notes.values == [1])
  }
}
