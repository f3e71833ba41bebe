import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxSyncServer

/// Sessions that are found by other comparisons than equality.
struct ScopeIndexTests {
  private static func scope(_ random: inout SplitMix) -> Scope {
    let entity = random.happens(0.8) ? TestServerLog.item : TestServerLog.label
    func value() -> PropertyValue { .integer(Int64(random.number(0...9))) }
    let comparisons: [Scope.Comparison] =
      switch random.number(0...6) {
      case 0: []
      case 1: [Scope.Comparison(TestServerLog.owner, .equals, value())]
      case 2: [Scope.Comparison(TestServerLog.owner, .atLeast, value())]
      case 3:
        [
          Scope.Comparison(TestServerLog.owner, .atLeast, value()),
          Scope.Comparison(TestServerLog.owner, .below, value()),
        ]
      case 4: [Scope.Comparison(TestServerLog.owner, .differs, value())]
      case 5: [Scope.Comparison(object: UInt64(random.number(1...9)))]
      default:
        [
          Scope.Comparison(object: UInt64(random.number(1...9))),
          Scope.Comparison(TestServerLog.owner, .above, value()),
        ]
      }
    return Scope(entity: entity, comparisons)
  }

  @Test(arguments: 1...20)
  func `a change wakes all sessions that it concerns, and few others`(seed: Int) {
    var random = SplitMix(seed: seed)
    var index = ScopeIndex()
    var sessions: [Int32: [Scope]] = [:]
    for number in 0..<Int32(40) {
      let scopes = (0..<random.number(0...3)).map { _ in Self.scope(&random) }
      sessions[number] = scopes
      index.add(number, scopes)
    }
    for number in 0..<Int32(40) where random.happens(0.3) {
      index.remove(number, sessions[number] ?? [])
      sessions[number] = nil
    }
    for _ in 0..<200 {
      func values() -> PropertyList<PropertyValue>? {
        random.happens(0.2)
          ? nil : PropertyList([(TestServerLog.owner, .integer(Int64(random.number(0...9))))])
      }
      let (before, after) = (values(), values())
      let key = ObjectKey(
        entity: random.happens(0.8) ? TestServerLog.item : TestServerLog.label,
        id: UInt64(random.number(1...9))
      )
      let entry = LogEntry(transaction: 1, key: key, before: before, after: after)
      let found = Set(index.numbers(concernedBy: [entry][...]))
      for (number, scopes) in sessions {
        // A change of pairs has no values.
        let sees = scopes.contains { scope in
          before == nil && after == nil
            ? scope.entity == key.entity
            : [before, after].contains { $0.map { scope.matches(key, $0) } ?? false }
        }
        // One comparison of a scope decides; the delta tests the others.
        let mayHear = scopes.contains { scope in
          guard scope.entity == key.entity else { return false }
          let isObject = scope.comparisons.first { $0.test == .isObject }
          return isObject == Scope.Comparison(object: key.id)
        }
        #expect(sees ? found.contains(number) : !found.contains(number) || mayHear)
      }
    }
  }
}
