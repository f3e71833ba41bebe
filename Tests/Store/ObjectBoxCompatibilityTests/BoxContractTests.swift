import Foundation
import ObjectBox
import Testing

struct BoxContractTests {
  private let stores: ContractStore
  private let contacts: Box<Contact>
  private let markers: Box<Marker>
  private let tickets: Box<Ticket>

  init() throws {
    stores = try ContractStore(maxDbSizeInKByte: 10_000)
    contacts = stores.contacts
    markers = stores.markers
    tickets = stores.tickets
  }

  // MARK: Putting

  @Test func `one object is put in each form, and structs get their ID through inout only`() throws
  {
    let contact = Contact(name: "a")
    let id: EntityId<Contact> = try contacts.put(contact)
    #expect(contact.id == id)
    try contacts.put(contact, mode: .update)
    var marker = Marker(kind: 1)
    let first: Int64 = try markers.put(marker)
    #expect(marker.id == 0)
    let second = try markers.put(&marker)
    #expect(marker.id == second && second != first)
    try markers.put(&marker, mode: .put)
    var again = Contact(name: "b")
    try contacts.put(&again)
    #expect(again.id == 2)
  }

  @Test func `several objects are put in each form`() throws {
    let all = (0..<12).map { Contact(name: "\($0)") }
    try contacts.put(all[0], all[1])
    try contacts.put(all[2], all[3], mode: .insert)
    try contacts.put([all[4], all[5]])
    try contacts.put(Array(all[4...5]), mode: .update)
    try contacts.put(ContiguousArray(all[6...7]))
    try contacts.put(all[8...9])
    try contacts.put(all[8...9].lazy.filter { $0.id != 0 }.reversed(), mode: .update)
    #expect(all.prefix(10).map(\.id.value) == Array(1...10))
    var rest = Array(all[10...])
    try contacts.put(&rest)
    #expect(all.map(\.id.value) == Array(1...12))
    let set: Set<Marker> = [Marker(id: 0, kind: 1), Marker(id: 0, kind: 2)]
    try markers.put(set)
    #expect(try markers.count() == 2)
    var structs = [Marker(kind: 3), Marker(kind: 4)]
    try markers.put(&structs)
    #expect(structs.map(\.id) == [3, 4])
    try markers.put(structs, mode: .update)
    try contacts.put([])
    try contacts.put([Contact]())
  }

  @Test func `IDs of several objects are returned in each form`() throws {
    let all = (0..<6).map { Contact(name: "\($0)") }
    let ids: [EntityId<Contact>] = try contacts.putAndReturnIDs([all[0], all[1]])
    #expect(ids == [1, 2])
    #expect(try contacts.putAndReturnIDs(all[2], all[3]) == [3, 4])
    #expect(try contacts.putAndReturnIDs(all[4...5], mode: .insert) == [5, 6])
    try contacts.putAndReturnIDs(all)
    #expect(try markers.putAndReturnIDs([Marker(), Marker()]) == [1, 2])
  }

  @Test func `an empty collection opens no transaction`() throws {
    try stores.store.runInReadOnlyTransaction {
      try contacts.put([Contact]())
      var none: [Marker] = []
      try markers.put(&none)
      #expect(try contacts.putAndReturnIDs([Contact]()).isEmpty)
    }
  }

  @Test func `modes tell by number what is wrong, and leave the ID of a new object alone`() throws {
    func code(_ body: () throws -> Void) -> Int32? {
      do { try body() } catch ObjectBoxError.unknown(let code, let message) {
        #expect(!message.isEmpty)
        return code
      } catch {}
      return nil
    }
    let contact = Contact(name: "a")
    #expect(code { try contacts.put(contact, mode: .update) } == 10211)
    #expect(contact.id == 0)
    #expect(try contacts.isEmpty())
    try contacts.put(contact, mode: .insert)
    #expect(code { try contacts.put(contact, mode: .insert) } == 10210)
    try contacts.put(contact, mode: .update)
    try contacts.remove(contact)
    #expect(code { try contacts.put(contact, mode: .update) } == 10211)
    try contacts.put(contact, mode: .insert)
    #expect(try contacts.get(contact.id)?.name == "a")
  }

  @Test func `an ID that was never given out is refused unless the entity assigns its own`() throws
  {
    let contact = Contact(name: "a")
    contact.id = 50
    #expect(kindThrown { try contacts.put(contact) } == "illegalArgument")
    try markers.put(Marker(id: 50))
    #expect(try markers.put(Marker()) == 51)
    #expect(throws: ObjectBoxError.self) { try markers.put(Marker(id: -1)) }
    #expect(try markers.count() == 2)
  }

  @Test func `an object that was removed is put again under its ID, and no other gets it`() throws {
    let contact = Contact(name: "a")
    try contacts.put(contact)
    try contacts.remove(contact)
    #expect(try contacts.put(Contact(name: "b")) == 2)
    #expect(try contacts.put(contact) == 1)
    #expect(try contacts.all().map(\.name) == ["a", "b"])
  }

  @Test func `objects that are removed in the same transaction use up their IDs`() throws {
    try stores.store.runInTransaction {
      try contacts.put([Contact(name: "a"), Contact(name: "b")])
      try contacts.removeAll()
      let later = (0..<3).map { Contact(name: "\($0)") }
      try contacts.put(later)
      #expect(later.map(\.id.value) == [3, 4, 5])
    }
  }

  // MARK: After a put

  @Test
  func `postPut runs in the transaction, on the stored object, before the ID is written back`()
    throws
  {
    var seen: [String] = []
    func ticket(_ name: String) -> Ticket {
      let ticket = Ticket(name)
      ticket.onPostPut = { own, given, stored in
        seen.append("\(own) \(given) \(stored?.name ?? "-")")
        #expect(kindThrown { try self.stores.store.runInTransaction {} } == nil)
      }
      return ticket
    }
    let single = ticket("a")
    try tickets.put(single)
    try tickets.put([ticket("b"), ticket("c")])
    try tickets.putAndReturnIDs(ticket("d"))
    try tickets.put(single)
    #expect(seen == ["0 1 a", "0 2 b", "0 3 c", "0 4 d", "1 1 a"])
  }

  @Test func `an error of postPut undoes the put, and the ID of a single object stays 0`() throws {
    let ticket = Ticket("a")
    ticket.onPostPut = { _, _, _ in throw Stop() }
    #expect(throws: Stop()) { try tickets.put(ticket) }
    #expect(ticket.id == 0)
    #expect(throws: Stop()) { try tickets.put([Ticket("b"), ticket]) }
    #expect(try tickets.isEmpty())
  }

  @Test
  func `in a collection IDs are written back one after the other, in a single put at the end`()
    throws
  {
    let first = Ticket("a")
    let second = Ticket("b")
    second.onPostPut = { _, _, _ in #expect(first.id == 1) }
    try tickets.put([first, second])
  }

  @Test func `a unique text is held by one object, and many are put whole or not at all`() throws {
    try tickets.put(Ticket("a"))
    #expect(kindThrown { try tickets.put(Ticket("a")) } == "uniqueViolation")
    #expect(
      kindThrown { try tickets.put([Ticket("b"), Ticket("c"), Ticket("a")]) } == "uniqueViolation"
    )
    #expect(try tickets.count() == 1)
    try tickets.put(Ticket("b"))
    #expect(try tickets.all().map(\.name) == ["a", "b"])
  }

  // MARK: Reading

  @Test func `objects are looked up by IDs in each form`() throws {
    try contacts.put((0..<5).map { Contact(name: "\($0)") })
    try markers.put([Marker(kind: 1), Marker(kind: 2)])
    #expect(try contacts.get(1)?.name == "0")
    #expect(try contacts.get(2 as Id)?.name == "1")
    #expect(try contacts.get(Int64(3))?.name == "2")
    #expect(try contacts.get(EntityId<Contact>(4))?.name == "3")
    #expect(try contacts.get(0 as Id) == nil)
    #expect(try contacts.get(99 as EntityId) == nil)
    #expect(try markers.get(2 as Int64)?.kind == 2)
  }

  @Test func `several objects are looked up by IDs in each form`() throws {
    try contacts.put((0..<5).map { Contact(name: "\($0)") })
    let ids: [EntityId<Contact>] = [4, 99, 1, 2]
    #expect(try contacts.get(ids).map(\.name) == ["3", "0", "1"])
    #expect(try contacts.get(ids, maxCount: 2).map(\.name) == ["3", "0"])
    #expect(try contacts.get(ids.dropFirst(), maxCount: 0).map(\.name) == ["0", "1"])
    #expect(try contacts.get([2, 1] as [Id]).map(\.name) == ["1", "0"])
    #expect(try contacts.get([2, 1] as [Int64]).map(\.name) == ["1", "0"])
    let typed: [EntityId<Contact>: Contact] = try contacts.getAsDictionary(ids)
    #expect(Set(typed.keys) == [1, 2, 4])
    let untyped: [Id: Contact] = try contacts.getAsDictionary([3, 99] as [Id])
    #expect(untyped.mapValues(\.name) == [3: "2"])
    #expect(try contacts.all().map(\.id.value) == [1, 2, 3, 4, 5])
    #expect(try contacts.allContiguous()[4].name == "4")
  }

  @Test func `objects are counted and asked for in each form`() throws {
    #expect(try contacts.isEmpty())
    try contacts.put((0..<5).map { Contact(name: "\($0)") })
    #expect(try contacts.count() == 5)
    #expect(try contacts.count(limit: 3) == 3)
    #expect(try contacts.count(limit: 0) == 5)
    #expect(try contacts.count(limit: 9) == 5)
    #expect(try contacts.contains(1))
    #expect(try !contacts.contains(6))
    #expect(try contacts.contains([1, 5]))
    #expect(try !contacts.contains([1, 6]))
    #expect(try contacts.contains(1, 2, 3))
    #expect(try !contacts.contains(1, 2, 8))
    #expect(try !contacts.isEmpty())
  }

  @Test func `visits pass objects or IDs in their order, and stop`() throws {
    try contacts.put((0..<5).map { Contact(name: "\($0)") })
    var seen: [String] = []
    try contacts.forEach { seen.append($0.name ?? "-") }
    #expect(seen.joined() == "01234")
    seen = []
    try contacts.visit { contact in
      seen.append(contact.name ?? "-")
      return seen.count < 2
    }
    #expect(seen.joined() == "01")
    seen = []
    let ids: [EntityId<Contact>] = [5, 99, 3, 1]
    try contacts.for(ids, in: { seen.append($0?.name ?? "-") })
    #expect(seen.joined() == "4-20")
    seen = []
    try contacts.for(ids[1...2]) { seen.append($0?.name ?? "-") }
    #expect(seen.joined() == "-2")
    seen = []
    try contacts.visit(
      ids[1...],
      in: { contact in
        seen.append(contact?.name ?? "-")
        return contact == nil
      }
    )
    #expect(seen.joined() == "-2")
    #expect(throws: Stop()) { try contacts.visit { _ in throw Stop() } }
    #expect(throws: Stop()) { try contacts.forEach { _ in throw Stop() } }
    #expect(throws: Stop()) { try contacts.for(ids) { _ in throw Stop() } }
  }

  @Test func `a writable visit is one transaction, which an error undoes`() throws {
    try contacts.put((0..<5).map { Contact(name: "\($0)") })
    let ids: [EntityId<Contact>] = [1, 2]
    try contacts.for(writable: true, ids) { contact in
      guard let contact else { return }
      contact.age = 7
      try contacts.put(contact)
    }
    #expect(try contacts.query { .age == 7 }.build().count() == 2)
    #expect(throws: Stop()) {
      try contacts.visit(writable: true) { contact in
        if contact.id == 3 { throw Stop() }
        try contacts.remove(contact)
        return true
      }
    }
    #expect(try contacts.count() == 5)
  }

  // MARK: Removing

  @Test func `one object is removed in each form, and a missing one is an error`() throws {
    let all = (0..<5).map { Contact(name: "\($0)") }
    try contacts.put(all)
    let wasThere: Bool = try contacts.remove(all[0])
    #expect(wasThere)
    #expect(try contacts.remove(EntityId<Contact>(2)))
    #expect(try contacts.remove(3 as Id))
    try contacts.remove(Int64(4))
    let last: Bool = try contacts.remove(5)
    #expect(last)
    #expect(try contacts.isEmpty())
    #expect(kindThrown { try contacts.remove(all[0]) } == "notFound")
    #expect(kindThrown { try contacts.remove(1 as Id) } == "notFound")
    #expect(try contacts.remove(0 as Id) == false)
    #expect(try contacts.remove(EntityId<Contact>(0)) == false)
    #expect(try contacts.remove(Contact(name: "never put")) == false)
  }

  @Test func `many objects are removed in each form, and missing ones are left out`() throws {
    let all = (0..<24).map { Contact(name: "\($0)") }
    try contacts.put(all)
    let ids = all.map(\.id)
    let count: UInt64 = try contacts.remove([all[0], all[1]])
    #expect(count == 2)
    #expect(try contacts.remove(all[0...2]) == 1)
    #expect(try contacts.remove(ContiguousArray(all[3...4])) == 2)
    #expect(try contacts.remove(all[5], all[6], Contact(name: "never put")) == 2)
    #expect(try contacts.remove([ids[7], ids[8]]) == 2)
    #expect(try contacts.remove(ids[9...10]) == 2)
    #expect(try contacts.remove(ids[11], ids[12], 0, 99) == 2)
    #expect(try contacts.remove([14, 15, 0, 99] as [Id]) == 2)
    #expect(try contacts.remove(16 as Id, 17 as Id) == 2)
    #expect(try contacts.remove(([18, 19, 99] as [Id]).dropFirst()) == 1)
    #expect(try contacts.remove([18, 20] as [Int64]) == 2)
    #expect(try contacts.remove(21 as Int64, 22 as Int64) == 2)
    #expect(try contacts.remove([99, 0] as [Id]) == 0)
    #expect(try contacts.removeAll() == 2)
    #expect(try contacts.removeAll() == 0)
    let again: UInt64 = try markers.remove([Marker(id: 3), Marker()])
    #expect(again == 0)
  }
}
