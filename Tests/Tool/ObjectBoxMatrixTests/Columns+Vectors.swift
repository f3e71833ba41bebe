import ObjectBox
import ObjectBoxDynamic

extension Columns {
  static func vectors() -> [Column<E>] {
    let int32s: [[Int32]] = [[], [.min], [.max, 0, -1]]
    let int64s: [[Int64]] = [[], [.min], [.max, 0, -1]]
    let floats: [[Float]] = [[], [.infinity], [-0.0, 1.5], [.nan]]
    let strings = [[], [""], ["a", "é", "👨‍👩‍👧"], ["A"]]
    return vector("int32s", \.int32s, E.int32s, int32s, integers(E.int32s))
      + vector("maybe int32s", \.maybeInt32s, E.maybeInt32s, int32s, integers(E.maybeInt32s))
      + vector("int64s", \.int64s, E.int64s, int64s, integers(E.int64s))
      + vector("maybe int64s", \.maybeInt64s, E.maybeInt64s, int64s, integers(E.maybeInt64s))
      + vector("floats", \.floats, E.floats, floats, self.floats(E.floats))
      + vector("maybe floats", \.maybeFloats, E.maybeFloats, floats, self.floats(E.maybeFloats))
      + vector("strings", \.strings, E.strings, strings, self.strings(E.strings))
      + vector(
        "maybe strings",
        \.maybeStrings,
        E.maybeStrings,
        strings,
        self.strings(E.maybeStrings)
      )
  }

  // One element that fits is enough.

  private static func integers<V: IntegerVectorPropertyType>(
    _ property: Property<E, V, Void>
  ) -> [Cell<E, [V.Element]>] {
    [V.Element.min, -1, 0, 7, .max].flatMap { a in
      [
        Cell(name: "== \(a)", typed: property.isEqual(to: a), dynamic: { $0 == a }) {
          $0.contains(a)
        }
      ]
        + elements(
          a,
          property.isLessThan(a),
          property.isLessOrEqual(a),
          property.isGreaterThan(a),
          property.isGreaterOrEqual(a)
        )
    }
  }

  /// The comparisons of a vector's elements with a value.
  private static func elements<S: Comparable>(
    _ a: S,
    _ less: QueryCondition<E>,
    _ lessOrEqual: QueryCondition<E>,
    _ greater: QueryCondition<E>,
    _ greaterOrEqual: QueryCondition<E>
  ) -> [Cell<E, [S]>] {
    [
      Cell(name: "< \(a)", typed: less, dynamic: { $0 < a }) { $0.contains { $0 < a } },
      Cell(name: "<= \(a)", typed: lessOrEqual, dynamic: { $0 <= a }) { $0.contains { $0 <= a } },
      Cell(name: "> \(a)", typed: greater, dynamic: { $0 > a }) { $0.contains { $0 > a } },
      Cell(name: ">= \(a)", typed: greaterOrEqual, dynamic: { $0 >= a }) {
        $0.contains { $0 >= a }
      },
    ]
  }

  private static func floats(
    _ property: Property<E, some FloatVectorPropertyType, Void>
  ) -> [Cell<E, [Float]>] {
    [-Float.infinity, -1, 0, 1.5, .infinity, .nan].flatMap { a in
      elements(
        a,
        property.isLessThan(a),
        property.isLessOrEqual(a),
        property.isGreaterThan(a),
        property.isGreaterOrEqual(a)
      )
    }
  }

  private static func strings(
    _ property: Property<E, some StringVectorPropertyType, Void>
  ) -> [Cell<E, [String]>] {
    ["", "a", "É", "👨‍👩‍👧", "none"].flatMap { a in
      [
        Cell(
          name: "contains \(a)",
          typed: property.containsElement(a),
          dynamic: { $0.contains(a) }
        ) { $0.contains(a) },
        Cell(
          name: "contains \(a) without case",
          typed: property.contains(a, caseSensitive: false),
          dynamic: { $0.contains(a, caseSensitive: false) }
        ) { $0.contains { $0.lowercased() == a.lowercased() } },
      ]
    }
  }

  private static func vector<P, V: RecordValue, Element: Comparable & SendableMetatype>(
    _ name: String,
    _ path: WritableKeyPath<E, P>,
    _ property: Property<E, V, Void>,
    _ values: [[Element]],
    _ cells: [Cell<E, [Element]>]
  ) -> [Column<E>] {
    // NaN equals itself here: what is read is what was put.
    func isSame(_ a: [Element], _ b: [Element]) -> Bool {
      a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || $0 != $0 && $1 != $1 }
    }
    return [Column(name, path, property, values, isSame: isSame, cells)]
  }
}
