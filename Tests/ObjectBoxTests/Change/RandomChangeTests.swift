import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Random transactions against an own account of what they did.
@Suite(.timeLimit(.minutes(5)))
struct RandomChangeTests {
  /// Properties of a person, which tell what has changed.
  private struct Values: Equatable {
    var name: String
    var age: Int32
  }

  /// One of the queries, and what its observer was told last.
  private struct Watched {
    var query: Query<Person>
    var recorder = ChangeRecorder<CollectionEvent>()
    var token: NotificationToken?
    var ids: [Id] = []
    var onlyNames = false
  }

  // Scenario 50.
  @Test(.tags(.slow), arguments: 0..<4)
  func `a set always turns the old results into the new ones`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let temporary = try TemporaryStore(indexes: seed.isMultiple(of: 2) ? .all : .none)
    let store = temporary.store
    let people = store.box(for: Person.self)
    var watched = try [
      people.query().build(),
      people.query { Person.age > 10 }.build(),
      people.query { Person.age < 15 || Person.name.startsWith("b") }.build(),
      people.query().ordered(by: Person.age).build(),
      people.query().ordered(by: Person.name, flags: .descending).ordered(by: Person.age).build(),
      people.query { Person.age < 12 }.ordered(by: Person.name).build(),
    ].map { Watched(query: $0) }
    watched.append(Watched(query: try people.query().build(), onlyNames: true))
    for place in watched.indices {
      let properties: [any ObservedProperty<Person>]? =
        watched[place].onlyNames ? [Person.name] : nil
      watched[place].token = try watched[place].query
        .observe(watched[place].recorder, properties: properties)
      #expect(watched[place].recorder.take() == [.initial([])])
    }
    for _ in 0..<250 {
      // One commit, or several that are told together.
      let before = try values(people)
      var rewritten: Set<Id> = []
      let count = random.pick([1, 1, 1, 3, 20])
      if count == 1 {
        try change(store, &random, &rewritten)
      } else {
        try whileBusy(watched.map(\.recorder)[...]) {
          for _ in 0..<count { try change(store, &random, &rewritten) }
        }
      }
      let after = try values(people)
      for place in watched.indices {
        try check(&watched[place], before, after, rewritten, commitCount: count)
      }
    }
    for watched in watched { watched.token?.invalidate() }
  }

  private func whileBusy(
    _ recorders: ArraySlice<ChangeRecorder<CollectionEvent>>,
    _ body: () throws -> Void
  ) throws {
    guard let first = recorders.first else { return try body() }
    try first.whileBusy { try whileBusy(recorders.dropFirst(), body) }
  }

  private func values(_ people: Box<Person>) throws -> [Id: Values] {
    Dictionary(
      uniqueKeysWithValues: try people.all().map { ($0.id, Values(name: $0.name, age: $0.age)) }
    )
  }

  /// Does a random transaction.
  ///
  /// - Parameter rewritten: Gets the IDs that were put again after they were removed, which counts as a
  ///   change whatever they hold.
  private func change(_ store: Store, _ random: inout SplitMix, _ rewritten: inout Set<Id>) throws {
    try store.write { transaction in
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let ids = try transaction.query(Person.self).findIds().map(\.value)
        func person() -> Person {
          Person(
            random.pick(["a", "b", "ab", "bb", "c"]),
            age: .random(in: 0..<20, using: &random)
          )
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: try transaction.put(person())
        case 7..<13:
          guard !ids.isEmpty else { continue }
          let other = person()
          try transaction.modify(EntityId<Person>(random.pick(ids))) { person in
            if other.age.isMultiple(of: 2) { person.name = other.name }
            person.age = other.age
          }
        case 13..<16:
          guard !ids.isEmpty else { continue }
          try transaction.remove(EntityId<Person>(random.pick(ids)))
        case 16:
          guard !ids.isEmpty else { continue }
          let again = person()
          again.id = random.pick(ids)
          try transaction.remove(again)
          try transaction.put(again)
          rewritten.insert(again.id)
        case 17: try transaction.put(Point(id: 0, x: 0, y: nil))
        case 18: try transaction.removeAll(Point.self)
        default:
          guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
          try transaction.removeAll(Person.self)
          for id in ids.prefix(3) {
            let again = person()
            again.id = id
            try transaction.put(again)
            rewritten.insert(id)
          }
        }
      }
      if Int.random(in: 0..<10, using: &random) == 0 { transaction.cancelWrite() }
    }
  }

  private func check(
    _ watched: inout Watched,
    _ before: [Id: Values],
    _ after: [Id: Values],
    _ rewritten: Set<Id>,
    commitCount: Int
  ) throws {
    let old = watched.ids
    let new = try watched.query.findIds().map(\.value)
    let events = watched.recorder.take()
    #expect(events.count <= 1)
    watched.ids = new
    guard let event = events.first, let deletions = event.deletions else {
      #expect(old == new)
      return
    }
    #expect(event.ids == new)
    #expect(event.applied(to: old) == new)
    #expect(deletions == deletions.sorted() && event.insertions == event.insertions.sorted())
    #expect(event.modifications == event.modifications.sorted())
    // What was put again under its ID, or changed and changed back, counts as changed whatever it holds.
    let gone = Set(deletions)
    let isSure = commitCount == 1
    for (place, id) in old.enumerated() where !gone.contains(place) {
      let (first, last) = (before[id], after[id])
      let differs = watched.onlyNames ? first?.name != last?.name : first != last
      let isModified = event.modifications.contains(place)
      if differs { #expect(isModified) }
      if isModified && isSure { #expect(differs || rewritten.contains(id)) }
    }
    // An object that stays in the results was deleted and inserted only when its values changed.
    let inserted = Set(event.insertions.map { new[$0] })
    for place in deletions where inserted.contains(old[place]) {
      #expect(before[old[place]] != after[old[place]] || rewritten.contains(old[place]))
    }
  }
}
