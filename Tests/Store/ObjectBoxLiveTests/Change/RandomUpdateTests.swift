import Foundation
import ObjectBoxCare
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Compares updates by queries with gets and puts of the same objects in a twin store.
@Suite(.timeLimit(.minutes(15)))
struct RandomUpdateTests {
  private static let photo = Property<Person, Data?, Void>(propertyId: 5)

  private static let indexes: [PersonIndexes] = [
    .all, .none,
    PersonIndexes(name: [.indexed], email: [.unique, .uniqueOnConflictReplace, .indexed]),
    PersonIndexes(
      name: [.indexed],
      email: [],
      together: [(properties: [2, 4], isUnique: true), (properties: [4, 3], isUnique: false)]
    ),
    PersonIndexes(name: [.indexHash64, .indexed], email: [.indexed], collation: .nocase),
  ]

  /// A store, with observers of its people.
  private final class Twin {
    let temporary: TemporaryStore
    let people: Box<Person>
    private var recorders: [ChangeRecorder<CollectionEvent>] = []
    private var tokens: [NotificationToken] = []

    init(_ indexes: PersonIndexes) throws {
      temporary = try TemporaryStore(indexes: indexes)
      people = temporary.store.box(for: Person.self)
      try watch(people.query().build(), nil)
      try watch(people.query { Person.age > 10 }.ordered(by: Person.name).build(), nil)
      try watch(people.query().build(), [Person.name])
    }

    private func watch(
      _ query: Query<Person>,
      _ properties: [any ObservedProperty<Person>]?
    ) throws {
      let recorder = ChangeRecorder<CollectionEvent>()
      tokens.append(try query.observe(recorder, properties: properties))
      _ = recorder.take()
      recorders.append(recorder)
    }

    deinit { tokens.forEach { $0.invalidate() } }

    func takeEvents() -> [[CollectionEvent]] { recorders.map { $0.take() } }

    /// The bytes of all records by the IDs of their objects.
    func records() throws -> [UInt64: [UInt8]] {
      try people.reading { table, transaction in
        var records: [UInt64: [UInt8]] = [:]
        for id in try people.query().build().findIds() {
          records[id.value] = try table.bytes(of: id.value, in: transaction.storage)
        }
        return records
      }
    }
  }

  /// A random change of some properties.
  private struct Change {
    var name: String?
    var email: String??
    var age: Int32?
    var photo: Data??

    init(_ random: inout SplitMix) {
      if random.pick([true, false]) { name = random.pick(["a", "B", "abc", ""]) }
      if random.pick([true, false, false]) { email = .some(random.pick([nil, "x", "y", "Zz"])) }
      if random.pick([true, false]) { age = random.pick([0, 7, 11, -3]) }
      if random.pick([true, false, false]) {
        photo = .some(random.pick([nil, Data(), Data([1])]))
      }
    }

    func apply(to update: inout ObjectUpdate<Person>) {
      if let name { update.set(Person.name, to: name) }
      if let email { update.set(Person.email, to: email) }
      if let age { update.set(Person.age, to: age) }
      if let photo { update.set(RandomUpdateTests.photo, to: photo) }
    }

    func apply(to person: Person) {
      if let name { person.name = name }
      if let email { person.email = email }
      if let age { person.age = age }
      if let photo { person.photo = photo }
    }

    var isEmpty: Bool { name == nil && email == nil && age == nil && photo == nil }
  }

  @Test(.tags(.slow), arguments: 0..<indexes.count)
  func `an update leaves what a get and a put of each result leave`(_ number: Int) throws {
    var random = SplitMix(seed: number)
    let (updated, put) = try (Twin(Self.indexes[number]), Twin(Self.indexes[number]))
    var count: UInt64 = 0
    var refused = 0
    for round in 0..<150 {
      try grow(updated, put, &random)
      let condition = condition(&random)
      let change = Change(&random)
      _ = (updated.takeEvents(), put.takeEvents())
      let found = try query(put, condition).find().sorted { $0.id < $1.id }
      found.forEach(change.apply(to:))
      let outcome = Result { try query(updated, condition).update { change.apply(to: &$0) } }
      let expected = Result { if !change.isEmpty { try put.people.put(found) } }
      switch (outcome, expected) {
      case (.success(let changed), .success):
        #expect(changed == (change.isEmpty ? 0 : UInt64(found.count)))
        count += changed
      case (.failure(let a as ObjectBoxError), .failure(let b as ObjectBoxError)):
        #expect(a.isUniqueViolation && b.isUniqueViolation)
        refused += 1
      default: Issue.record("\(outcome) beside \(expected)")
      }
      #expect(try updated.records() == put.records())
      #expect(updated.takeEvents() == put.takeEvents())
      if round % 30 == 0 { #expect(try updated.temporary.store.verify().faults == []) }
    }
    #expect(count > 100)
    #expect((refused > 0) == [0, 3].contains(number))
    #expect(try updated.temporary.store.verify().faults == [])
  }

  private func query(_ twin: Twin, _ condition: QueryCondition<Person>?) throws -> Query<Person> {
    try (condition.map { condition in twin.people.query { condition } } ?? twin.people.query())
      .ordered(by: Person.age, flags: .descending).ordered(
        by: Property<Person, Id, Void>(propertyId: 1)
      )
      .build()
  }

  private func condition(_ random: inout SplitMix) -> QueryCondition<Person>? {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: nil
    case 1: Person.age > 10
    case 2: Person.name == "a"
    case 3: Person.email.isNil()
    case 4: Person.email == "x" || Person.age == 7
    case 5: Person.name.startsWith("A", caseSensitive: false) && Person.age < 20
    case 6: Person.email.isNotNil()
    default: Person.age == random.pick([0, 7, 12])
    }
  }

  /// Puts and removes the same objects in both stores.
  private func grow(_ a: Twin, _ b: Twin, _ random: inout SplitMix) throws {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let name = random.pick(["a", "b", "ab", "B"]) + random.pick(["", "1", "2", "3", "4"])
      let email = random.pick([nil, nil, "\(Int.random(in: 0..<200, using: &random))", "x"])
      let age = Int32.random(in: 0..<20, using: &random)
      for twin in [a, b] { _ = try? twin.people.put(Person(name, email: email, age: age)) }
    }
    let ids = try a.people.query().build().findIds().map(\.value)
    if ids.count > 25 {
      for id in ids.shuffled(using: &random).prefix(8) {
        for twin in [a, b] { try twin.people.remove(id) }
      }
    }
  }
}

extension ObjectBoxError {
  fileprivate var isUniqueViolation: Bool {
    if case .uniqueViolation = self { true } else { false }
  }
}
