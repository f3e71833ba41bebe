import Foundation
import ObjectBox
import Testing

/// A generic layer over boxes, as in programs.
private class Repository<E: Entity & EntityInspectable & __EntityRelatable>
where E == E.EntityBindingType.EntityType {
  let box: Box<E>
  private var observer: Observer?

  init(store: Store) {
    box = store.box(for: E.self)
  }

  func save(_ object: E) throws -> EntityId<E> { EntityId(try box.put(object).value) }

  func find(_ id: EntityId<E>) throws -> E? { try box.get(id) }

  func matching(_ conditions: () -> QueryCondition<E>) throws -> [E] {
    try box.query(conditions).build().find()
  }

  func values<T>(of property: Property<E, T, Void>) throws -> PropertyQuery<E, T> {
    try box.query().build().property(property)
  }

  func sorted<T>(by property: Property<E, T, Void>) throws -> [E] {
    try box.query().ordered(by: property).build().find()
  }

  func remove(_ id: EntityId<E>) throws -> Bool { try box.remove(id) }

  func observe(on queue: DispatchQueue, _ handler: @escaping ([E]) -> Void) {
    observer = box.subscribe(dispatchQueue: queue) { objects, _ in handler(objects) }
  }
}

extension Box {
  fileprivate func first() throws -> E? { try query().build().findFirst() }
}

extension Store {
  /// A convenience initializer, as in programs.
  fileprivate convenience init(inMemory name: String) throws {
    try self.init(
      model: try ContractStore.model(),
      directory: Store.inMemoryPrefix + name,
      maxDbSizeInKByte: 1024,
      fileMode: 0o755,
      maxReaders: 10,
      readOnly: false
    )
  }
}

struct GenericCodeTests {
  @Test func `code for all entities is written once`() throws {
    let store = try Store(inMemory: UUID().uuidString)
    let contacts = Repository<Contact>(store: store)
    let markers = Repository<Marker>(store: store)
    let id = try contacts.save(Contact(name: "b", age: 5))
    _ = try contacts.save(Contact(name: "a", age: 7))
    #expect(try contacts.find(id)?.age == 5)
    #expect(try contacts.matching { Contact.age > 6 }.map(\.name) == ["a"])
    #expect(try contacts.matching({ .age > 4 && .name == "b" }).map(\.id) == [id])
    #expect(try contacts.sorted(by: Contact.name).map(\.name) == ["a", "b"])
    #expect(try contacts.values(of: Contact.age).max() == 7)
    #expect(try contacts.box.first()?.name == "b")
    let queue = DispatchQueue(label: "repository")
    var counts: [Int] = []
    contacts.observe(on: queue) { counts.append($0.count) }
    #expect(try contacts.remove(id))
    #expect(queue.sync { counts.last } == 1)
    let marker = try markers.save(Marker(kind: 3))
    #expect(try markers.find(marker)?.kind == 3)
  }

  @Test func `a store is opened with as much as one wants to say`() {
    // Only compiled: running it would open stores in the current directory.
    let open: [(OpaquePointer) throws -> Store] = [
      { try Store(model: $0) },
      { try Store(model: $0, directory: "store") },
      { try Store(model: $0, directory: "store", maxDbSizeInKByte: 500) },
      { try Store(model: $0, maxReaders: 5, readOnly: true) },
    ]
    #expect(open.count == 4)
  }
}
