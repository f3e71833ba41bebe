import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Observers of thread views, called inside `refresh`.
struct LiveObservingTests {
  /// The calls of an observer of results, and the list that they produce.
  private final class Record {
    var ages: [Int32] = []
    var calls: [String] = []

    func take(_ change: CollectionChange<LiveResults<Person>>) {
      switch change {
      case .initial(let results):
        ages = results.map(\.age)
        calls.append("initial")
      case .update(let results, let deletions, let insertions, let modifications):
        for place in deletions.reversed() { ages.remove(at: place) }
        for place in insertions { ages.insert(results[place].age, at: place) }
        calls.append("\(deletions) \(insertions) \(modifications)")
      }
    }
  }

  private func store(ages: [Int32]) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    try temporary.store.box(for: Person.self).put(ages.map { Person("\($0)", age: $0) })
    return temporary
  }

  @Test func `changes of results are told as the view moves`() throws {
    let temporary = try store(ages: [1, 3, 5, 7])
    let store = temporary.store
    let live = try store.live()
    let people = try live.query(Person.self).ordered(by: Person.age)
    let record = Record()
    let token = try people.observe(record.take)
    #expect(record.calls.isEmpty)
    try live.refresh()
    #expect(record.calls == ["initial"])
    #expect(record.ages == [1, 3, 5, 7])
    try store.write { transaction in
      try transaction.remove(EntityId<Person>(2))
      try transaction.put([Person("0", age: 0), Person("6", age: 6)])
      try transaction.modify(EntityId<Person>(4)) { $0.name = "seven" }
    }
    #expect(record.calls.count == 1)
    try live.refresh()
    #expect(record.calls.last == "[1] [0, 3] [3]")
    #expect(record.ages == [0, 1, 5, 6, 7])
    #expect(record.ages == people.map(\.age))
    token.invalidate()
    try live.write { try $0.removeAll(Person.self) }
    try live.refresh()
    #expect(record.calls.count == 2)
  }

  @Test func `changes before the first telling are part of the initial results`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let people = try live.query(Person.self)
    let record = Record()
    let token = try people.observe(record.take)
    try temporary.store.box(for: Person.self).put(Person("2", age: 2))
    try live.refresh()
    try live.refresh()
    #expect(record.calls == ["initial"])
    #expect(record.ages == [1, 2])
    token.invalidate()
  }

  @Test func `a view that is behind tells what came before its observer as well`() throws {
    let temporary = try store(ages: [1, 2])
    let box = temporary.store.box(for: Person.self)
    let live = try temporary.store.live()
    let first = try #require(try live.object(Person.self, 1))
    // The view stays at the version before this put.
    let changed = Person("one", age: 1)
    changed.id = 1
    try box.put(changed)
    let record = Record()
    var changes: [String] = []
    let tokens = [
      try live.query(Person.self).observe(record.take),
      try first.observe { change in
        guard case .change(let properties) = change else { return changes.append("\(change)") }
        changes.append(contentsOf: properties.map(\.name))
      },
    ]
    try live.write { _ in #expect(first.name == "one") }
    #expect(record.calls.first == "initial")
    #expect(changes == ["name"])
    #expect(record.ages == [1, 2])
    withExtendedLifetime(tokens) {}
  }

  @Test func `silent writes of the user interface are counted and not told`() throws {
    let temporary = try store(ages: [1])
    let store = temporary.store
    let live = try store.live()
    let people = try live.query(Person.self)
    let one = Record()
    let two = Record()
    let first = try people.observe(one.take)
    let second = try people.observe(two.take)
    try live.refresh()
    try store.box(for: Person.self).put(Person("2", age: 2))
    try live.write(withoutNotifying: [first]) { transaction in
      // Earlier changes have already been reported.
      #expect(one.calls == ["initial", "[] [1] []"])
      try transaction.put(Person("3", age: 3))
      one.ages.append(3)
    }
    try live.refresh()
    #expect(one.calls.count == 2)
    #expect(two.calls == ["initial", "[] [1] []", "[] [2] []"])
    try store.box(for: Person.self).put(Person("4", age: 4))
    try live.refresh()
    #expect(one.calls.last == "[] [3] []")
    #expect(one.calls.count == 3)
    #expect(one.ages == [1, 2, 3, 4])
    #expect(two.calls.count == 4)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `an object tells its changes, and its end once`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    var heard: [String] = []
    let token = try person.observe(properties: [Person.age]) { change in
      switch change {
      case .change(let properties):
        for property in properties {
          let old = property.oldValue.map { "\($0)" } ?? "nil"
          let new = property.newValue.map { "\($0)" } ?? "nil"
          heard.append("\(property.name): \(old) to \(new), shown \(person.age)")
        }
      case .deleted: heard.append("deleted")
      }
    }
    try live.write { try $0.modify(person) { $0.name = "unheard" } }
    try live.refresh()
    #expect(heard.isEmpty)
    try live.write { try $0.modify(person) { $0.age = 2 } }
    try live.write { try $0.modify(person) { $0.age = 3 } }
    try live.refresh()
    try live.write { try $0.remove(person) }
    try live.refresh()
    try live.write { try $0.put(Person("another")) }
    try live.refresh()
    #expect(heard == ["age: 1 to 2, shown 2", "age: 2 to 3, shown 3", "deleted"])
    token.invalidate()
    #expect { try person.observe { _ in } } throws: { isInvalidated($0) }
  }

  @Test func `a view goes with its last token, whatever the handlers hold`() throws {
    let temporary = try store(ages: [1])
    var tokens: [NotificationToken] = []
    weak var gone: LiveStore?
    do {
      let live = try temporary.store.live()
      let people = try live.query(Person.self)
      let person = people[0]
      tokens = [
        try live.observe { _ in withExtendedLifetime(people) {} },
        try people.observe { _ in withExtendedLifetime(people) {} },
        try person.observe { _ in withExtendedLifetime(live) {} },
      ]
      gone = live
    }
    #expect(gone != nil)
    #expect(temporary.store.activeVersions.count == 1)
    for token in tokens { token.invalidate() }
    #expect(gone == nil)
    #expect(temporary.store.activeVersions.isEmpty)
  }
}
