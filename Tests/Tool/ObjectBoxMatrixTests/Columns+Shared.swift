import ObjectBox
import ObjectBoxDynamic
import Testing

extension Columns {
  /// The six comparisons with a value, typed and dynamic.
  static func comparisons<S: Comparable>(
    _ a: S,
    _ equal: QueryCondition<E>?,
    _ notEqual: QueryCondition<E>?,
    _ less: QueryCondition<E>?,
    _ lessOrEqual: QueryCondition<E>?,
    _ greater: QueryCondition<E>?,
    _ greaterOrEqual: QueryCondition<E>?
  ) -> [Cell<E, S>] {
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
    _ equal: QueryCondition<E>,
    _ notEqual: QueryCondition<E>,
    _ less: QueryCondition<E>,
    _ lessOrEqual: QueryCondition<E>,
    _ greater: QueryCondition<E>,
    _ greaterOrEqual: QueryCondition<E>
  ) -> [Cell<E, S>] {
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
  ///
  /// `isBetween` takes them in either order, so the typed condition should have them reversed.
  static func ranges<S: Comparable>(
    _ a: S,
    _ b: S,
    _ isBetween: QueryCondition<E>,
    _ isInClosed: QueryCondition<E>,
    _ isInHalfOpen: QueryCondition<E>
  ) -> [Cell<E, S>] {
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
    _ isIn: QueryCondition<E>,
    _ isNotIn: QueryCondition<E>,
    contains: @escaping (S) -> Bool
  ) -> [Cell<E, S>] {
    [
      Cell(name: "∈ \(list.count)", typed: isIn, dynamic: { $0.isIn(list) }, matches: contains),
      Cell(name: "∉ \(list.count)", typed: isNotIn, dynamic: { $0.isNotIn(list) }) {
        !contains($0)
      },
    ]
  }

  /// Makes a check of an update of all rows by a query.
  static func update(
    _ name: String,
    _ change: @escaping (inout ObjectUpdate<E>) -> Void,
    _ hasValue: @escaping (E) -> Bool
  ) -> Check {
    Check(
      name: "update \(name)",
      isOfObjects: true,
      onStore: { try $0.update(change, hasValue) }
    )
  }
}
