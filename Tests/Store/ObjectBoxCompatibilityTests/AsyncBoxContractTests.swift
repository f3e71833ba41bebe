import Foundation
import ObjectBox
import Testing

struct AsyncBoxContractTests {
  private let stores: ContractStore
  private let contacts: Box<Contact>
  private let markers: Box<Marker>

  init() throws {
    stores = try ContractStore(maxDbSizeInKByte: 10_000)
    contacts = stores.contacts
    markers = stores.markers
  }

  private func wait() { stores.store.awaitAsyncSubmitted() }

  @Test func `all forms of putting return IDs, and classes have theirs at once`() throws {
    let all = (0..<11).map { Contact(name: "\($0)") }
    let box: AsyncBox<Contact> = contacts.async
    let id: EntityId<Contact> = try box.put(all[0])
    #expect(all[0].id == id)
    try box.put(all[1], mode: .insert)
    let array: [EntityId<Contact>] = try box.put([all[2], all[3]])
    let contiguous: ContiguousArray<EntityId<Contact>> = try box.put(ContiguousArray(all[4...5]))
    let slice: [EntityId<Contact>] = try box.put(all[6...7])
    let variadic: [EntityId<Contact>] = try box.put(all[8], all[9], mode: .put)
    try AsyncBox(box: contacts, enqueueTimeout: 0.5).put(all[10])
    let ids: [EntityId<Contact>] = all[2...9].map(\.id)
    #expect([array, Array(contiguous), slice, variadic].flatMap { $0 } == ids)
    let marker = Marker(kind: 4)
    let markerID: EntityId<Marker> = try markers.async.put(marker)
    #expect(marker.id == 0)
    wait()
    #expect(try contacts.all().map(\.name) == all.map(\.name))
    #expect(try markers.get(markerID)?.kind == 4)
  }

  @Test func `all forms of removing take out what is there`() throws {
    let all = (0..<16).map { Contact(name: "\($0)") }
    try contacts.put(all)
    let box = contacts.async
    try box.remove(all[0])
    try box.remove(all[1].id)
    try box.remove(3 as Id)
    try box.remove([all[3], all[4]])
    try box.remove(all[5], all[6])
    try box.remove([all[7].id, all[8].id])
    try box.remove(all[9].id, all[10].id)
    try box.remove([12, 13] as [Id])
    try box.remove(14 as Id, 15 as Id)
    try box.remove(99 as Id)
    try box.remove(Contact(name: "never put"))
    wait()
    #expect(try contacts.all().map(\.name) == ["15"])
  }

  @Test func `what fails later is told nobody, and the object can be inserted under its ID`() throws
  {
    let contact = Contact(name: "a")
    try contacts.async.put(contact, mode: .update)
    #expect(contact.id != 0)
    wait()
    #expect(try contacts.isEmpty())
    try contacts.async.put(contact, mode: .insert)
    wait()
    #expect(try contacts.get(contact.id)?.name == "a")
    contact.name = "b"
    try contacts.async.put(contact, mode: .insert)
    wait()
    #expect(try contacts.all().map(\.name) == ["a"])
  }

  @Test func `an object whose asynchronous put failed is inserted by the box as well`() throws {
    let contact = Contact(name: "a")
    try contacts.async.put(contact, mode: .update)
    wait()
    try contacts.put(contact, mode: .insert)
    #expect(try contacts.count() == 1)
  }

  @Test func `postPut does not run`() throws {
    let ticket = Ticket("a")
    ticket.onPostPut = { _, _, _ in Issue.record("postPut of an asynchronous put") }
    try stores.tickets.async.put(ticket)
    wait()
    #expect(try stores.tickets.count() == 1)
  }

  @Test func `a closed store is told at once`() throws {
    let box = contacts.async
    stores.store.close()
    #expect(kindThrown { try box.put(Contact(name: "a")) } == "illegalState")
    #expect(kindThrown { try box.remove(1 as Id) } == "illegalState")
  }

  @Test func `an asynchronous box keeps its box`() throws {
    func make() throws -> AsyncBox<Contact> {
      let store = try Store(
        model: try ContractStore.model(),
        directory: Store.inMemoryPrefix + "asynchronous box"
      )
      return AsyncBox(box: store.box(), enqueueTimeout: 1)
    }
    let box = try make()
    try box.put(Contact(name: "a"))
    #expect(try Store.isOpen(directory: "memory:asynchronous box"))
  }
}
