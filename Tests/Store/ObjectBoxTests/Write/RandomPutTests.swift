import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Compares random puts and removals under random unique values with a model in memory.
struct RandomPutTests {
  private struct Stop: Error {}

  private struct Row: Equatable {
    var name: String
    var email: String?
    var age: Int32

    init(_ person: Person) {
      name = person.name
      email = person.email
      age = person.age
    }
  }

  private struct Rule {
    /// The values that must differ, of non-null parts; nil if one is null.
    var key: (Row) -> [[UInt8]]?
    var replaces: Bool
  }

  private struct Refused: Error {}

  private static let long = String(repeating: "x", count: 480)
  private static let names = ["", "a", "A", "b", "é", "É", long, long + "1", long + "2", "z\u{0}"]

  private final class Run {
    let temporary: TemporaryStore
    let box: Box<Person>
    var random: SplitMix
    var rules: [Rule] = []
    var rows: [Id: Row] = [:]
    var refusals = 0
    var replacements = 0
    let title: String

    init(seed: Int) throws {
      random = SplitMix(seed: seed)
      var indexes = PersonIndexes.none
      indexes.collation = Bool.random(using: &random) ? .nocase : .binary
      let isFolded = indexes.collation == .nocase
      func bytes(_ text: String, _ isIndexed: Bool) -> [UInt8] {
        Array((isFolded && isIndexed ? text.lowercased() : text).utf8)
      }
      let forms: [[PropertyFlags]] = [
        [], [.indexed], [.indexHash, .indexed], [.unique, .indexed],
        [.unique, .indexHash, .indexed],
        [.unique, .uniqueOnConflictReplace, .indexed],
        [.unique, .uniqueOnConflictReplace, .indexHash64, .indexed],
      ]
      indexes.name = random.pick(forms)
      indexes.email = random.pick(forms)
      indexes.age = random.pick(
        forms.filter { !$0.contains(.indexHash) && !$0.contains(.indexHash64) }
      )
      let (hasName, hasEmail) = (!indexes.name.isEmpty, !indexes.email.isEmpty)
      var rules: [Rule] = []
      func add(_ flags: [PropertyFlags], _ key: @escaping (Row) -> [[UInt8]]?) {
        guard flags.contains(.unique) else { return }
        rules.append(Rule(key: key, replaces: flags.contains(.uniqueOnConflictReplace)))
      }
      add(indexes.name) { [bytes($0.name, hasName)] }
      add(indexes.email) { $0.email.map { [bytes($0, hasEmail)] } }
      add(indexes.age) { ["\($0.age)"].map { Array($0.utf8) } }
      if Int.random(in: 0..<3, using: &random) == 0 {
        indexes.together = [([2, 4], true), ([3, 4], false)]
        rules.append(
          Rule(
            key: { [bytes($0.name, hasName), Array("\($0.age)".utf8)] },
            replaces: false
          )
        )
      } else if Bool.random(using: &random) {
        indexes.together = [([4, 3], true)]
        rules.append(
          Rule(
            key: { row in row.email.map { [bytes($0, hasEmail), Array("\(row.age)".utf8)] } },
            replaces: false
          )
        )
      }
      self.rules = rules
      title = "\(indexes)"
      temporary = try TemporaryStore(indexes: indexes)
      box = temporary.store.box(for: Person.self)
    }

    func fill(_ person: Person) {
      person.name =
        random.pick(RandomPutTests.names)
        + (Bool.random(using: &random) ? "" : "\(Int.random(in: 0..<9, using: &random))")
      person.email = Bool.random(using: &random) ? nil : random.pick(RandomPutTests.names)
      person.age = Int32.random(in: -3..<12, using: &random)
    }

    /// A new person, or one with the ID of another one, or a missing one.
    func person() -> Person {
      let person = Person()
      fill(person)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: person.id = rows.keys.sorted().randomElement(using: &random) ?? 0
      case 2 where !rows.isEmpty: person.id = 1
      default: break
      }
      return person
    }

    // MARK: The model

    /// Puts a person; `id` is the ID of a new one.
    func put(_ row: Row, id: Id, isNew: Bool, _ mode: PutMode, in rows: inout [Id: Row]) throws {
      if mode == .insert, !isNew, rows[id] != nil { throw Refused() }
      if mode == .update, isNew || rows[id] == nil { throw Refused() }
      var gone: Set<Id> = []
      for rule in rules {
        guard let key = rule.key(row) else { continue }
        for (other, held) in rows where other != id && rule.key(held) == key {
          if !rule.replaces { throw Refused() }
          gone.insert(other)
        }
      }
      replacements += gone.count
      for other in gone { rows[other] = nil }
      rows[id] = row
    }

    // MARK: Operations

    func operation(in rows: inout [Id: Row]) throws {
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        let ids = (0..<3).map { _ in Id.random(in: 1...(rows.keys.max() ?? 1), using: &random) }
        let count = try box.remove(ids)
        #expect(Int(count) == Set(ids).intersection(rows.keys).count)
        for id in ids { rows[id] = nil }
      case 1 where Int.random(in: 0..<8, using: &random) == 0:
        let count = try box.removeAll()
        #expect(Int(count) == rows.count)
        rows = [:]
      case 2, 3:
        var people = (0..<Int.random(in: 2...4, using: &random)).map { _ in person() }
        if Bool.random(using: &random) { people.append(people[0]) }
        let mode = random.pick([PutMode.put, .put, .insert, .update])
        let isNew = people.map { $0.id == 0 }
        let found = Result { try box.put(people, mode: mode) }
        var after = rows
        let expected = Result {
          var known: [ObjectIdentifier: Id] = [:]
          for (person, isNew) in zip(people, isNew) {
            let again = known[ObjectIdentifier(person)]
            let id = again ?? person.id
            // Without a success new objects have no ID: any free one will do.
            let chosen = id == 0 ? (after.keys.max() ?? 0) + 1_000_000 : id
            try put(Row(person), id: chosen, isNew: isNew && again == nil, mode, in: &after)
            known[ObjectIdentifier(person)] = chosen
          }
        }
        try settle(found, expected, "array \(mode)")
        if case .success = expected {
          rows = after
        } else {
          for (person, isNew) in zip(people, isNew) where isNew { #expect(person.id == 0) }
        }
      default:
        let person = person()
        let mode = random.pick([PutMode.put, .put, .insert, .update])
        let isNew = person.id == 0
        let found = Result { _ = try box.put(person, mode: mode) }
        var after = rows
        let expected = Result {
          let id = person.id == 0 ? (after.keys.max() ?? 0) + 1_000_000 : person.id
          try put(Row(person), id: id, isNew: isNew, mode, in: &after)
        }
        try settle(found, expected, "put \(mode)")
        if case .success = expected { rows = after }
      }
    }

    private func settle(
      _ found: Result<Void, any Error>,
      _ expected: Result<Void, any Error>,
      _ what: String
    ) throws {
      switch (found, expected) {
      case (.success, .success): break
      case (.failure, .failure):
        refusals += 1
        if isJoined { throw Refused() }
      default: Issue.record("\(what): \(found) beside \(expected)\n\(title)")
      }
    }

    /// True in a joined transaction, which a refusal rolls back.
    var isJoined = false

    func round() throws {
      let before = rows
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        // A block that catches the refusals of its operations, and may fail at its end.
        var after = rows
        let fails = Int.random(in: 0..<3, using: &random) == 0
        do {
          try temporary.store.write { _ in
            for _ in 0..<Int.random(in: 1...6, using: &random) { try operation(in: &after) }
            try check(after)
            if fails { throw Stop() }
          }
          rows = after
        } catch is Stop { rows = before }
      case 1:
        var after = rows
        isJoined = true
        defer { isJoined = false }
        do {
          try temporary.store.runInTransaction {
            for _ in 0..<Int.random(in: 1...3, using: &random) { try operation(in: &after) }
          }
          rows = after
        } catch is Refused { rows = before }
      case 2:
        let person = person()
        let isNew = person.id == 0
        let mode = random.pick([PutMode.put, .put, .insert, .update])
        try box.async.put(person, mode: mode)
        #expect(temporary.store.awaitAsyncSubmitted())
        var after = rows
        do {
          // An asynchronous put chooses its ID first: it inserts as if the ID were given.
          if mode == .update, isNew { throw Refused() }
          try put(Row(person), id: person.id, isNew: isNew, mode, in: &after)
          rows = after
        } catch is Refused {}
      default:
        var after = rows
        try operation(in: &after)
        rows = after
      }
      try check(rows)
    }

    func check(_ rows: [Id: Row]) throws {
      let all = try box.all()
      #expect(all.map(\.id) == rows.keys.sorted(), "\(title)")
      for person in all { #expect(Row(person) == rows[person.id], "\(title)") }
      for name in RandomPutTests.names {
        let found = try box.query { Person.name == name }.build().findIds().map(\.value)
        #expect(
          found == rows.filter { $0.value.name.utf8.elementsEqual(name.utf8) }.keys.sorted(),
          "\(title)"
        )
        let mails = try box.query { Person.email == name }.build().findIds().map(\.value)
        #expect(
          mails
            == rows.filter { $0.value.email?.utf8.elementsEqual(name.utf8) ?? false }.keys.sorted(),
          "\(title)"
        )
      }
      for age in Int32(-3)..<12 {
        let found = try box.query { Person.age == age }.build().findIds().map(\.value)
        #expect(found == rows.filter { $0.value.age == age }.keys.sorted(), "\(title)")
        let both = try box.query { Person.age == age && Person.name == "a" }.build().count()
        #expect(both == rows.values.count { $0.age == age && $0.name == "a" }, "\(title)")
      }
    }
  }

  @Test(arguments: 0..<TestLength.choose(short: 3, long: 40))
  func `puts and removals leave what a model leaves, under all rules of unique values`(
    seed: Int
  ) throws {
    let run = try Run(seed: seed)
    for _ in 0..<120 { try run.round() }
    #expect(run.refusals > 20)
  }
}
