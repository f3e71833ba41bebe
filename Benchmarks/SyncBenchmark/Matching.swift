import ObjectBoxSyncProtocol
import ObjectBoxSyncServer

/// Matching of changes with the rules of 10,000 users.
struct Matching {
  private static let users = 10_000
  private static let changes = 1_000_000
  private static let batch = 1_000

  func run() throws {
    let entity = EntityUID(1 << 60)
    let owner = PropertyUID(1 << 61)
    func value(_ user: Int) -> PropertyList<PropertyValue> {
      PropertyList([(owner, .bytes(Array("user \(user)".utf8)))])
    }
    var index = ScopeIndex()
    for user in 0..<Self.users {
      let scope = Scope(entity: entity, property: owner, value: .bytes(Array("user \(user)".utf8)))
      index.add(Int32(user), [scope])
    }
    var generator = Generator()
    let entries = (0..<Self.changes).map { number in
      // 14 times as many owners as users: most changes concern nobody who is connected.
      let before = Int.random(in: 0..<Self.users * 14, using: &generator)
      let moves = number % 8 == 0
      let after = moves ? Int.random(in: 0..<Self.users * 14, using: &generator) : before
      return LogEntry(
        transaction: UInt64(number),
        key: ObjectKey(entity: entity, id: UInt64(number + 1)),
        before: value(before),
        after: value(after)
      )
    }
    var found = 0
    let start = Usage.own
    for first in stride(from: 0, to: Self.changes, by: Self.batch) {
      found += index.numbers(concernedBy: entries[first..<first + Self.batch]).count
    }
    let time = (Usage.own - start) * 1e9 / Double(Self.changes)
    // Otherwise Swift would free the changes after the loop, before the time is read.
    withExtendedLifetime(entries) {}
    guard found > 0 else { Main.fail("nothing matched") }
    Report.atMost("matching a change with the rules of 10,000 users", 100, time, " ns")
  }

  private struct Generator: RandomNumberGenerator {
    private var state: UInt64 = 88_172_645_463_325_252
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
}
