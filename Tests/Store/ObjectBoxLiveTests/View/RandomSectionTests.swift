import ObjectBox
import ObjectBoxGrouping
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Sections after random commits, beside a plain model and the changes that were told.
struct RandomSectionTests {
  /// Sections as plain values.
  private struct Model: Equatable {
    var keys: [String]
    var ids: [[Id]]

    init<Key>(_ sections: LiveSections<Person, Key>) {
      keys = sections.map { "\($0.key)" }
      ids = sections.map { $0.ids.map(\.value) }
    }

    /// Divides objects in order by a key.
    init(_ people: [Person], descending: Bool, _ key: (Person) -> String) {
      let groups = Dictionary(grouping: people, by: key)
      keys = groups.keys.sorted { first, second in
        descending
          ? second.utf8.lexicographicallyPrecedes(first.utf8)
          : first.utf8.lexicographicallyPrecedes(second.utf8)
      }
      ids = keys.map { groups[$0]?.map(\.id) ?? [] }
    }

    func id(_ position: SectionPosition) -> Id { ids[position.section][position.index] }

    /// Applies changes as their documentation says.
    func applying(_ changes: SectionChanges, to new: Model) -> Model {
      var model = self
      for position in changes.deletions.reversed() {
        model.ids[position.section].remove(at: position.index)
      }
      for section in changes.deletedSections.reversed() {
        model.keys.remove(at: section)
        model.ids.remove(at: section)
      }
      for section in changes.insertedSections {
        model.keys.insert(new.keys[section], at: section)
        model.ids.insert(new.ids[section], at: section)
      }
      for position in changes.insertions {
        model.ids[position.section].insert(new.id(position), at: position.index)
      }
      return model
    }

    /// The key of each object.
    var sections: [Id: String] {
      var all: [Id: String] = [:]
      for (key, ids) in zip(keys, ids) { for id in ids { all[id] = key } }
      return all
    }
  }

  private final class Watched<Key: GroupValue> {
    let sections: LiveSections<Person, Key>
    let expected: () throws -> Model
    var model: Model?
    var changes: [SectionChanges] = []
    var token: NotificationToken?

    init(
      _ sections: LiveSections<Person, Key>,
      expected: @escaping () throws -> Model
    ) throws {
      self.sections = sections
      self.expected = expected
      token = try sections.observe { [unowned self] change in
        switch change {
        case .initial(let sections): model = Model(sections)
        case .update(_, let set): changes.append(set)
        }
      }
    }

    /// Compares the sections with the model, and the told changes with both.
    func check(touched: Set<Id>) throws {
      let new = Model(sections)
      #expect(try new == expected())
      let old = try #require(model)
      #expect(changes.count <= 1)
      model = new
      guard let set = changes.popLast() else {
        #expect(old == new)
        #expect(touched.isDisjoint(with: old.sections.keys))
        return
      }
      #expect(old.applying(set, to: new) == new)
      #expect(set.deletions == set.deletions.sorted() && set.insertions == set.insertions.sorted())
      #expect(set.modifications == set.modifications.sorted())
      let (before, after) = (old.sections, new.sections)
      let moved = after.keys.filter { before[$0] != nil && before[$0] != after[$0] }
      #expect(Set(set.moves.map { new.id($0.to) }) == Set(moved))
      for move in set.moves { #expect(old.id(move.from) == new.id(move.to)) }
      for position in set.modifications { #expect(touched.contains(old.id(position))) }
    }
  }

  private static func commit(
    _ store: Store,
    _ random: inout SplitMix,
    _ touched: inout Set<Id>
  ) throws {
    try store.write { transaction in
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let ids = try transaction.query(Person.self).findIds().map(\.value)
        let (name, age) = (
          random.pick(["a", "A", "ab", "b", "Ä", "ä", ""]), Int32.random(in: 0..<6, using: &random)
        )
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: try transaction.put(Person(name, age: age))
        case 4..<9:
          guard !ids.isEmpty else { continue }
          let id = random.pick(ids)
          try transaction.modify(EntityId<Person>(id)) { person in
            if person.age != age { touched.insert(id) }
            person.age = age
            if age.isMultiple(of: 2) {
              if person.name != name { touched.insert(id) }
              person.name = name
            }
          }
        case 9, 10:
          guard !ids.isEmpty else { continue }
          let id = random.pick(ids)
          touched.insert(id)
          try transaction.remove(EntityId<Person>(id))
        default:
          guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
          touched.formUnion(ids)
          try transaction.removeAll(Person.self)
        }
      }
    }
  }

  @Test(arguments: 0..<20)
  func `changes turn the old sections into those of a plain model`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    let people = store.box(for: Person.self)
    for _ in 0..<4 {
      var ignored: Set<Id> = []
      try Self.commit(store, &random, &ignored)
    }
    let live = try store.live()
    let all = try Watched(try live.query(Person.self).sectioned(by: Person.age)) {
      Model(try people.all(), descending: false) { "\($0.age)" }
    }
    let some = try Watched(
      try live.query(Person.self) { Person.age > 1 }.ordered(by: Person.age)
        .sectioned(by: .firstLetter(of: Person.name), descending: true)
    ) {
      let found = try people.query { Person.age > 1 }.ordered(by: Person.age).build().find()
      return Model(found, descending: true) { $0.name.first.map { "\($0)".lowercased() } ?? "" }
    }
    let names = try Watched(
      try live.query(Person.self).ordered(by: Person.age, flags: [.descending])
        .sectioned(by: Person.name)
    ) {
      let found = try people.query().ordered(by: Person.age, flags: .descending).build().find()
      return Model(found, descending: false) { $0.name }
    }
    try live.refresh()
    for _ in 0..<60 {
      var touched: Set<Id> = []
      for _ in 0..<random.pick([1, 1, 3]) { try Self.commit(store, &random, &touched) }
      try live.refresh()
      try all.check(touched: touched)
      try some.check(touched: touched)
      try names.check(touched: touched)
    }
    for token in [all.token, some.token, names.token] { token?.invalidate() }
  }
}
