import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

struct ProjectionTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  private static let photo = Property<Person, Data, Void>(propertyId: 5)
  private static let id = Property<Person, Id, Void>(propertyId: 1, isPrimaryKey: true)

  @Test func `100,000 reads of numbers take no memory from the heap each`() throws {
    try people.put((0..<1_000).map { Person("person", age: Int32($0)) })
    let results = try store.freeze().query(Person.self)
    let first = try #require(results.first)
    var sum = 0
    func readAll() throws {
      for object in results { sum += Int(try object[Person.age]) }
      var round = 0
      while round < 1_000 {
        sum += Int(try first[Person.age])
        round += 1
      }
    }
    // Makes the list of IDs and the runtime's type metadata, which are made once.
    try readAll()
    try store.read { transaction in
      for id in try results.ids { _ = try transaction.value(of: Person.age, id) }
    }
    // Shows that allocations are counted.
    if let control = HeapAllocations.count({ _ = [Int](repeating: 0, count: sum) }) {
      #expect(control > 0)
    }
    let count = try HeapAllocations.count {
      var round = 0
      while round < 50 {
        try readAll()
        round += 1
      }
    }
    #expect(sum == 51 * 499_500)
    if let count { #expect(count < 10) }
    let ofValues = try HeapAllocations.count {
      for _ in 0..<100 { sum = try results.values(of: Person.age).count }
    }
    // Each run reads a thousand objects: it allocates the returned array and its own few things.
    if let ofValues { #expect(ofValues < 100 * 20) }
    #expect(sum == 1_000)
  }

  @Test func `values of each kind are read in place`() throws {
    let jane = Person("Jane", email: "jane@x", age: 7)
    jane.photo = Data([1, 2, 3])
    try people.put([jane, Person("")])
    try store.box(for: Point.self).put(Point(id: 5, x: 1.5, y: nil))
    let snapshot = try store.freeze()
    let all = try snapshot.query(Person.self)
    #expect(try all.values(of: Person.name) == ["Jane", ""])
    #expect(try all.values(of: Person.email) == ["jane@x", nil])
    #expect(try all.values(of: Person.age) == [7, 0])
    #expect(try all.values(of: Self.photo) == [Data([1, 2, 3]), Data()])
    #expect(try all.values(of: Self.id) == [1, 2])
    let point = try #require(try snapshot.object(Point.self, 5))
    #expect(try point[Property<Point, Double, Void>(propertyId: 2)] == 1.5)
    #expect(try point[Property<Point, Float?, Void>(propertyId: 3)] == nil)
    #expect(try point[Property<Point, Float, Void>(propertyId: 3)] == 0)
  }

  @Test func `bytes are passed as they lie in the file`() throws {
    let jane = Person("Jane")
    jane.photo = Data((0..<200).map { UInt8($0) })
    try people.put([jane, Person("without")])
    let sum = try store.read { transaction in
      try transaction.withBytes(of: Self.photo, 1) { bytes in
        bytes.byteOffsets.reduce(0) {
          $0 + Int(bytes.unsafeLoad(fromByteOffset: $1, as: UInt8.self))
        }
      }
    }
    #expect(sum == 19_900)
    let snapshot = try store.freeze()
    #expect(try snapshot.object(Person.self, 1)?.withBytes(of: Person.name) { $0.byteCount } == 4)
    // A null value, a missing object and a number have no bytes.
    #expect(try snapshot.object(Person.self, 2)?.withBytes(of: Self.photo) { $0.byteCount } == nil)
    try store.read { transaction throws in
      #expect(try transaction.withBytes(of: Self.photo, 99) { $0.byteCount } == nil)
      #expect(try transaction.withBytes(of: Person.age, 1) { $0.byteCount } == nil)
      #expect(try transaction.value(of: Person.name, 1) == "Jane")
      #expect(try transaction.value(of: Person.name, 99) == nil)
    }
  }

  @Test func `a transaction that has ended reads no value`() throws {
    let ended = try store.read { $0 }
    #expect(throws: ObjectBoxError.self) { try ended.value(of: Person.age, 1) }
    #expect(throws: ObjectBoxError.self) { try ended.withBytes(of: Self.photo, 1) { _ in } }
  }
}
