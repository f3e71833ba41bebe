import ObjectBox
import ObjectBoxGrouping
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Observation
import Synchronization
import Testing

/// Sections of thread views, whose observers are called inside `refresh`.
struct LiveSectionTests {
  private let temporary: TemporaryStore
  private var store: Store { temporary.store }
  private var people: Box<Person> { store.box(for: Person.self) }

  init() throws { temporary = try TemporaryStore() }

  private func put(_ people: [(String, Int32)]) throws {
    try self.people.put(people.map { Person($0, age: $1) })
  }

  private func texts<Key>(_ sections: LiveSections<Person, Key>) -> [String] {
    sections.map { section in "\(section.key): \(section.map(\.name).joined(separator: " "))" }
  }

  @Test func `sections are in the order of their keys, and objects in that of the results`() throws
  {
    try put([("c", 2), ("b", 1), ("a", 2), ("d", 1)])
    let live = try store.live()
    let results = try live.query(Person.self) { Person.name != "d" }.ordered(by: Person.name)
    let sections = try results.sectioned(by: Person.age)
    #expect(texts(sections) == ["1: b", "2: a c"])
    #expect(sections.count == 2)
    #expect(sections[1].key == 2)
    #expect(sections[1].ids.map(\.value) == [3, 1])
    #expect(sections[1][0].name == "a")
    #expect(sections.object(at: SectionPosition(section: 1, index: 1)).name == "c")
    #expect(texts(try results.sectioned(by: Person.age, descending: true)) == ["2: a c", "1: b"])
    #expect(try live.query(Person.self) { Person.age > 9 }.sectioned(by: Person.age).isEmpty)
  }

  @Test func `sections of functions of a text have folded keys, and nulls are a section`() throws {
    try people.put(
      [("Äpfel", nil), ("äther", "X"), ("bär", "x"), ("", nil)].map { Person($0, email: $1) }
    )
    let all = try store.live().query(Person.self)
    let letters = try all.sectioned(by: .firstLetter(of: Person.name))
    #expect(texts(letters) == [": ", "b: bär", "ä: Äpfel äther"])
    let folded = try all.sectioned(by: .folded(Person.email))
    #expect(folded.map(\.key) == [nil, "x"])
    #expect(folded.map(\.count) == [2, 2])
  }

  @Test func `sections move with the view, and show its own write`() throws {
    try put([("a", 1)])
    let live = try store.live()
    let sections = try live.query(Person.self).sectioned(by: Person.age)
    #expect(texts(sections) == ["1: a"])
    let first = sections[0]
    try put([("b", 0)])
    #expect(texts(sections) == ["1: a"])
    try live.refresh()
    #expect(texts(sections) == ["0: b", "1: a"])
    #expect(first.map(\.name) == ["a"])
    try live.write { transaction in
      try transaction.modify(EntityId<Person>(1)) { $0.age = 0 }
      #expect(texts(sections) == ["0: a b"])
      transaction.cancelWrite()
    }
    #expect(texts(sections) == ["0: b", "1: a"])
  }

  @Test func `a property that the model lacks is refused, and invalid sections keep their objects`()
    throws
  {
    try put([("a", 1)])
    let live = try store.live()
    let results = try live.query(Person.self)
    let missing = Property<Person, Int, Void>(propertyId: 99)
    #expect(throws: ObjectBoxError.self) { try results.sectioned(by: missing) }
    let sections = try results.sectioned(by: Person.age)
    #expect(sections.count == 1)
    live.invalidate()
    #expect(sections.isInvalidated)
    #expect(sections.count == 1)
    #expect(throws: ObjectBoxError.self) { try sections.observe { _ in } }
  }

  /// The changes that an observer was told, as text.
  private final class Record {
    var calls: [String] = []

    func take<Key>(_ change: SectionedChange<LiveSections<Person, Key>>) {
      guard case .update(_, let changes) = change else { return calls.append("initial") }
      func text(_ position: SectionPosition) -> String { "\(position.section).\(position.index)" }
      calls.append(
        "-\(changes.deletedSections) +\(changes.insertedSections)"
          + " -\(changes.deletions.map(text)) +\(changes.insertions.map(text))"
          + " !\(changes.modifications.map(text))"
          + " \(changes.moves.map { "\(text($0.from))>\(text($0.to))" })"
      )
    }
  }

  @Test func `changes tell sections that begin and end, and objects that move between them`() throws
  {
    try put([("a", 1), ("b", 1), ("c", 2), ("d", 3)])
    let live = try store.live()
    let sections = try live.query(Person.self).sectioned(by: Person.age)
    let record = Record()
    let token = try sections.observe(record.take)
    try live.refresh()
    #expect(record.calls == ["initial"])
    // 'b' joins 'c', 'd' begins a section and ends its own.
    try store.write { transaction in
      try transaction.modify(EntityId<Person>(2)) { $0.age = 2 }
      try transaction.modify(EntityId<Person>(3)) { $0.email = "c" }
      try transaction.modify(EntityId<Person>(4)) { $0.age = 0 }
    }
    try live.refresh()
    #expect(
      record.calls.last
        == #"-[2] +[0] -["0.1"] +["2.0"] !["1.0"] ["2.0>0.0", "0.1>2.0"]"#
    )
    try store.write { transaction in
      try transaction.remove(EntityId<Person>(1))
      try transaction.put(Person("e", age: 2))
    }
    try live.refresh()
    #expect(record.calls.last == #"-[1] +[] -[] +["1.2"] ![] []"#)
    #expect(texts(sections) == ["0: d", "2: b c e"])
    try store.box(for: Point.self).put(Point(id: 0, x: 0, y: nil))
    try live.refresh()
    #expect(record.calls.count == 3)
    token.invalidate()
    try people.removeAll()
    try live.refresh()
    #expect(record.calls.count == 3)
  }

  @Test func `silent writes are counted and not told`() throws {
    try put([("a", 1), ("b", 2)])
    let live = try store.live()
    let sections = try live.query(Person.self).sectioned(by: Person.age)
    let record = Record()
    let token = try sections.observe(record.take)
    try live.refresh()
    try live.write(withoutNotifying: [token]) { transaction in
      try transaction.modify(EntityId<Person>(1)) { $0.age = 2 }
      try transaction.put(Person("c", age: 0))
    }
    try live.refresh()
    #expect(record.calls == ["initial"])
    try put([("d", 2)])
    try live.refresh()
    #expect(record.calls.last == #"-[] +[] -[] +["1.2"] ![] []"#)
    withExtendedLifetime(token) {}
  }

  @Test func `observed properties decide what counts as changed, and moves always count`() throws {
    try put([("a", 1), ("b", 1)])
    let live = try store.live()
    let sections = try live.query(Person.self).sectioned(by: Person.age)
    let record = Record()
    let token = try sections.observe(properties: [Person.name], record.take)
    try live.refresh()
    try live.write { try $0.modify(EntityId<Person>(1)) { $0.email = "unheard" } }
    try live.refresh()
    #expect(record.calls == ["initial"])
    try live.write { try $0.modify(EntityId<Person>(2)) { $0.age = 0 } }
    try live.refresh()
    #expect(record.calls.last == #"-[] +[0] -["0.1"] +[] ![] ["0.1>0.0"]"#)
    withExtendedLifetime(token) {}
  }

  @Test func `Observation sees the number of sections, and the sections with their objects`() throws
  {
    try put([("a", 1)])
    let live = try store.live()
    let sections = try live.query(Person.self).sectioned(by: Person.age)
    let told = Mutex<[String]>([])
    func track() {
      withObservationTracking {
        _ = sections.count
      } onChange: {
        told.withLock { $0.append("count") }
      }
      withObservationTracking {
        _ = sections.map { $0.ids }
      } onChange: {
        told.withLock { $0.append("objects") }
      }
    }
    track()
    try people.put(Person("b", age: 1))
    try live.refresh()
    #expect(told.withLock { $0 } == ["objects"])
    track()
    try people.put(Person("c", age: 2))
    try live.refresh()
    // The number was tracked twice meanwhile.
    #expect(told.withLock { $0.sorted() } == ["count", "count", "objects", "objects"])
    track()
    let renamed = Person("z", age: 1)
    renamed.id = 1
    try people.put(renamed)
    try live.refresh()
    #expect(told.withLock { $0.count } == 4)
  }
}
