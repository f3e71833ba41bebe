import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Compares the changes of random transactions with the test's own record of them.
@Suite(.timeLimit(.minutes(15)))
struct RandomChangeTests {
  /// The objects that transactions wrote to, whether they still exist or not.
  private struct Touched {
    /// Objects with a value that was changed, even if it was changed back.
    var changed: Set<Id> = []
    var renamed: Set<Id> = []
    /// Objects that were removed and put again, which counts as a change whatever they hold.
    var rewritten: Set<Id> = []

    mutating func formUnion(_ other: Self) {
      changed.formUnion(other.changed)
      renamed.formUnion(other.renamed)
      rewritten.formUnion(other.rewritten)
    }
  }

  /// A query, and the last results that its observer knows.
  private struct Watched {
    var query: Query<Person>
    var recorder = ChangeRecorder<CollectionEvent>()
    var token: NotificationToken?
    var ids: [Id] = []
    var onlyNames = false
  }

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
      // One commit, or several commits that are reported together.
      var touched = Touched()
      let count = random.pick([1, 1, 1, 3, 20])
      if count == 1 {
        try change(store, &random, &touched)
      } else {
        try whileBusy(watched.map(\.recorder)[...]) {
          for _ in 0..<count { try change(store, &random, &touched) }
        }
      }
      for place in watched.indices {
        try check(&watched[place], touched)
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

  /// Runs a random transaction, and adds the objects that it touched.
  private func change(_ store: Store, _ random: inout SplitMix, _ touched: inout Touched) throws {
    var own = Touched()
    let isCancelled = Int.random(in: 0..<10, using: &random) == 0
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
          let id = random.pick(ids)
          try transaction.modify(EntityId<Person>(id)) { person in
            let name = other.age.isMultiple(of: 2) ? other.name : person.name
            if name != person.name { own.renamed.insert(id) }
            if name != person.name || person.age != other.age { own.changed.insert(id) }
            person.name = name
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
          own.rewritten.insert(again.id)
        case 17: try transaction.put(Point(id: 0, x: 0, y: nil))
        case 18: try transaction.removeAll(Point.self)
        default:
          guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
          try transaction.removeAll(Person.self)
          for id in ids.prefix(3) {
            let again = person()
            again.id = id
            try transaction.put(again)
            own.rewritten.insert(id)
          }
        }
      }
      if isCancelled { transaction.cancelWrite() }
    }
    if !isCancelled { touched.formUnion(own) }
  }

  private func check(
    _ watched: inout Watched,
    _ touched: Touched
  ) throws {
    let old = watched.ids
    let new = try watched.query.findIds().map(\.value)
    let events = watched.recorder.take()
    #expect(events.count <= 1)
    watched.ids = new
    guard let event = events.first, let deletions = event.deletions else {
      #expect(old == new)
      #expect((watched.onlyNames ? touched.renamed : touched.changed).isDisjoint(with: old))
      return
    }
    #expect(event.ids == new)
    #expect(event.applied(to: old) == new)
    #expect(deletions == deletions.sorted() && event.insertions == event.insertions.sorted())
    #expect(event.modifications == event.modifications.sorted())
    let gone = Set(deletions)
    let changed =
      (watched.onlyNames ? touched.renamed : touched.changed).union(touched.rewritten)
    for (place, id) in old.enumerated() where !gone.contains(place) {
      #expect(event.modifications.contains(place) == changed.contains(id))
    }
    // An object that stays in the results moves only when its values changed.
    let inserted = Set(event.insertions.map { new[$0] })
    for place in deletions where inserted.contains(old[place]) {
      #expect(changed.contains(old[place]))
    }
  }
}
