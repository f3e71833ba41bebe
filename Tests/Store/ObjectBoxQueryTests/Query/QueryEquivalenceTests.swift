import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Compares random queries on random data with a filter in Swift, under every kind of index.
struct QueryEquivalenceTests {
  private static let indexes: [PersonIndexes] = [
    .none,
    PersonIndexes(name: [.indexHash, .indexed], email: [.indexHash64, .indexed], age: [.indexed]),
    PersonIndexes(name: [.indexed], email: [.indexed], age: [.indexed]),
    PersonIndexes(name: [.indexed], email: [.indexHash, .indexed], collation: .nocase),
    PersonIndexes(
      name: [],
      email: [],
      age: [],
      together: [([2, 4], false), ([4, 3, 2], false), ([3, 2], false)]
    ),
  ]

  /// Longer than index keys; all texts that begin with it have the same key.
  private static let long = String(repeating: "long", count: 200)
  private static let names = [
    "", "a", "A", "ab", "abc", "b", "Ab", "é", "日本", "z\u{0}", long, long + "1", long + "2",
  ]
  private static let ages: [Int32] = [.min, -1, 0, 1, 2, 3, 4, 5, 100, .max]

  private typealias Test = (Person) -> Bool

  private static func bytes(_ a: String, _ isLess: Bool, _ b: String) -> Bool {
    isLess
      ? a.utf8.lexicographicallyPrecedes(b.utf8) : b.utf8.lexicographicallyPrecedes(a.utf8)
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
  }

  private func leaf(_ random: inout SplitMix) -> (QueryCondition<Person>, Test) {
    let age = random.pick(Self.ages)
    let other = random.pick(Self.ages)
    let name = random.pick(Self.names)
    let some = Array(Self.names.shuffled(using: &random).prefix(2))
    switch Int.random(in: 0..<22, using: &random) {
    case 0: return (Person.age == age, { $0.age == age })
    case 1: return (Person.age != age, { $0.age != age })
    case 2: return (Person.age < age, { $0.age < age })
    case 3: return (Person.age >= age, { $0.age >= age })
    case 4:
      return (
        Person.age.isBetween(age, and: other),
        { min(age, other) <= $0.age && $0.age <= max(age, other) }
      )
    case 5: return (Person.age ∈ [age, other], { [age, other].contains($0.age) })
    case 6: return (Person.age ∉ [age, other], { ![age, other].contains($0.age) })
    case 7: return (Person.name == name, { Array($0.name.utf8) == Array(name.utf8) })
    case 8: return (Person.name < name, { Self.bytes($0.name, true, name) })
    case 9: return (Person.name > name, { Self.bytes($0.name, false, name) })
    case 10: return (Person.name.startsWith(name), { $0.name.utf8.starts(with: name.utf8) })
    case 11:
      return (
        Person.name ∈ some, { person in some.contains { $0.utf8.elementsEqual(person.name.utf8) } }
      )
    case 12: return (Person.email.isNil(), { $0.email == nil })
    case 13: return (Person.email.isNotNil(), { $0.email != nil })
    case 14:
      return (Person.email == name, { $0.email.map { $0.utf8.elementsEqual(name.utf8) } ?? false })
    case 15:
      return (Person.email != name, { $0.email.map { !$0.utf8.elementsEqual(name.utf8) } ?? false })
    case 16:
      return (
        Person.email.isEqual(to: name, caseSensitive: false),
        { $0.email.map { Self.folded($0) == Self.folded(name) } ?? false }
      )
    case 17:
      return (Person.email < name, { $0.email.map { Self.bytes($0, true, name) } ?? false })
    case 18:
      return (
        Person.name.isLessThan(name, caseSensitive: false),
        { Self.folded($0.name).lexicographicallyPrecedes(Self.folded(name)) }
      )
    case 19:
      return (
        Person.name.isGreaterThan(name, caseSensitive: false),
        { Self.folded(name).lexicographicallyPrecedes(Self.folded($0.name)) }
      )
    case 20:
      return (
        Person.name.startsWith(name, caseSensitive: false),
        { Self.folded($0.name).starts(with: Self.folded(name)) }
      )
    default:
      return (
        Person.name.hasSuffix(name), { $0.name.utf8.reversed().starts(with: name.utf8.reversed()) }
      )
    }
  }

  private func tree(_ depth: Int, _ random: inout SplitMix) -> (QueryCondition<Person>, Test) {
    guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else { return leaf(&random) }
    let left = tree(depth - 1, &random)
    let right = tree(depth - 1, &random)
    return Bool.random(using: &random)
      ? (left.0 && right.0, { left.1($0) && right.1($0) })
      : (left.0 || right.0, { left.1($0) || right.1($0) })
  }

  @Test(arguments: 0..<5, 0..<TestLength.choose(short: 3, long: 6))
  func `answers are those of a filter in Swift, whatever the indexes`(
    indexes: Int,
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    let temporary = try TemporaryStore(indexes: Self.indexes[indexes])
    let box = temporary.store.box(for: Person.self)
    var people = (0..<120).map { _ in
      Person(
        random.pick(Self.names),
        email: Bool.random(using: &random) ? random.pick(Self.names) : nil,
        age: random.pick(Self.ages)
      )
    }
    try box.put(people)
    // Changed and removed objects must leave no trace in the indexes.
    for person in people.shuffled(using: &random).prefix(40) {
      person.name = random.pick(Self.names)
      person.email = nil
      person.age = random.pick(Self.ages)
      try box.put(person)
    }
    let victims = Set(people.shuffled(using: &random).prefix(20).map(\.id))
    try box.remove(victims)
    people.removeAll { victims.contains($0.id) }

    for _ in 0..<100 {
      let (condition, test) = tree(3, &random)
      let expected = people.filter(test).map(\.id)
      let query = try box.query { condition }.build()
      let plan = try query.explain()
      #expect(try query.find().map(\.id) == expected, "\(query)\n\(plan)")
      #expect(try query.count() == expected.count, "\(query)\n\(plan)")
      let part = try query.findIds(offset: 2, limit: 3).map(\.value)
      #expect(part == Array(expected.dropFirst(2).prefix(3)), "\(query)\n\(plan)")
    }
  }
}
