import ObjectBox
import ObjectBoxDynamic
import Testing

extension Columns {
  /// The six comparisons with a value, typed and dynamic.
  static func comparisons<S: Comparable>(
    _ a: S,
    _ equal: QueryCondition<Row>?,
    _ notEqual: QueryCondition<Row>?,
    _ less: QueryCondition<Row>?,
    _ lessOrEqual: QueryCondition<Row>?,
    _ greater: QueryCondition<Row>?,
    _ greaterOrEqual: QueryCondition<Row>?
  ) -> [Cell<S>] {
    [
      Cell(name: "== \(a)", typed: equal, dynamic: { $0 == a }) { $0 == a },
      // A number that is none matches no comparison; `==` is false for it, and `<=` too.
      Cell(name: "!= \(a)", typed: notEqual, dynamic: { $0 != a }) { $0 < a || $0 > a },
      Cell(name: "< \(a)", typed: less, dynamic: { $0 < a }) { $0 < a },
      Cell(name: "<= \(a)", typed: lessOrEqual, dynamic: { $0 <= a }) { $0 <= a },
      Cell(name: "> \(a)", typed: greater, dynamic: { $0 > a }) { $0 > a },
      Cell(name: ">= \(a)", typed: greaterOrEqual, dynamic: { $0 >= a }) { $0 >= a },
    ]
  }

  /// The six comparisons with a value of a type whose values are all in one order, typed and dynamic.
  static func comparisons<S: Equatable>(
    _ a: S,
    named name: String,
    by precedes: @escaping (S, S) -> Bool,
    _ equal: QueryCondition<Row>,
    _ notEqual: QueryCondition<Row>,
    _ less: QueryCondition<Row>,
    _ lessOrEqual: QueryCondition<Row>,
    _ greater: QueryCondition<Row>,
    _ greaterOrEqual: QueryCondition<Row>
  ) -> [Cell<S>] {
    [
      Cell(name: "== \(name)", typed: equal, dynamic: { $0 == a }) { $0 == a },
      Cell(name: "!= \(name)", typed: notEqual, dynamic: { $0 != a }) { $0 != a },
      Cell(name: "< \(name)", typed: less, dynamic: { $0 < a }) { precedes($0, a) },
      Cell(name: "<= \(name)", typed: lessOrEqual, dynamic: { $0 <= a }) { !precedes(a, $0) },
      Cell(name: "> \(name)", typed: greater, dynamic: { $0 > a }) { precedes(a, $0) },
      Cell(name: ">= \(name)", typed: greaterOrEqual, dynamic: { $0 >= a }) { !precedes($0, a) },
    ]
  }

  /// The three ranges between two values, of which the first is not greater.
  static func ranges<S: Comparable>(
    _ a: S,
    _ b: S,
    _ isBetween: QueryCondition<Row>,
    _ isInClosed: QueryCondition<Row>,
    _ isInHalfOpen: QueryCondition<Row>
  ) -> [Cell<S>] {
    [
      Cell(
        name: "between \(a), \(b)",
        typed: isBetween,
        dynamic: { $0.isBetween(a, and: b) }
      ) { a <= $0 && $0 <= b },
      Cell(name: "∈ \(a)...\(b)", typed: isInClosed) { a <= $0 && $0 <= b },
      Cell(name: "∈ \(a)..<\(b)", typed: isInHalfOpen) { a <= $0 && $0 < b },
    ]
  }

  /// A list of values and its contrary, typed and dynamic.
  static func lists<S>(
    _ list: [S],
    _ isIn: QueryCondition<Row>,
    _ isNotIn: QueryCondition<Row>,
    contains: @escaping (S) -> Bool
  ) -> [Cell<S>] {
    [
      Cell(name: "∈ \(list.count)", typed: isIn, dynamic: { $0.isIn(list) }, matches: contains),
      Cell(name: "∉ \(list.count)", typed: isNotIn, dynamic: { $0.isNotIn(list) }) {
        !contains($0)
      },
    ]
  }

  /// Compares the keys and counts of groups with the values of the rows.
  static func groups<K: Hashable>(_ found: [(K, Int)], _ rows: [K]) throws {
    let expected = Dictionary(grouping: rows) { $0 }.mapValues(\.count)
    #expect(Dictionary(found) { $0 + $1 } == expected)
    #expect(found.count == expected.count, "a key has several groups")
  }
}
