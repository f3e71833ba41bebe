import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import ObjectBoxGrouping
import Testing

extension Columns {
  static func booleans(
    _ name: String,
    _ path: WritableKeyPath<E, Bool>,
    _ property: Property<E, Bool, Void>,
    _ maybePath: WritableKeyPath<E, Bool?>,
    _ maybe: Property<E, Bool?, Void>
  ) -> [Column<E>] {
    let values = [false, true]
    func precedes(_ a: Bool, _ b: Bool) -> Bool { !a && b }
    func cell(_ a: Bool, _ equal: QueryCondition<E>, _ notEqual: QueryCondition<E>)
      -> [Cell<E, Bool>]
    {
      [
        Cell(name: "== \(a)", typed: equal, dynamic: { $0 == a }) { $0 == a },
        Cell(name: "!= \(a)", typed: notEqual, dynamic: { $0 != a }) { $0 != a },
      ]
    }
    var plain = Column(
      name,
      path,
      property,
      values,
      isSame: ==,
      precedes: precedes,
      values.flatMap { cell($0, property == $0, property != $0) }
    )
    var optional = Column(
      "maybe " + name,
      maybePath,
      maybe,
      values,
      isSame: ==,
      precedes: precedes,
      values.flatMap { cell($0, maybe == $0, maybe != $0) }
    )
    let rows = ColumnValues(values, of: name, hasNulls: false).rows
    let maybeRows = ColumnValues(values, of: "maybe " + name, hasNulls: true).rows
    plain.checks += [
      groups(property, rows, by: precedes, key: { $0 }, of: { $0 }),
      update("to true", { $0.set(property, to: true) }) { $0[keyPath: path] },
    ]
    optional.checks += [
      groups(maybe, maybeRows, by: precedes, key: { $0 }, of: { $0 }),
      extremes(.count(maybe), .min(maybe), .max(maybe), maybeRows, isSame: ==, precedes: precedes),
      update("to nil", { $0.set(maybe, to: nil) }) { $0[keyPath: maybePath] == nil },
    ]
    return [plain, optional]
  }

  typealias MatrixFloat = BinaryFloatingPoint & EntityScalarPropertyType & GroupValue
    & RecordValue & Sendable

  static func floats<S: MatrixFloat>(
    _ name: String,
    _ path: WritableKeyPath<E, S>,
    _ property: Property<E, S, Void>,
    _ maybePath: WritableKeyPath<E, S?>,
    _ maybe: Property<E, S?, Void>
  ) -> [Column<E>] where S.Projection == S {
    let values: [S] = [
      -.infinity, -.greatestFiniteMagnitude, -1.5, -0.0, 0, .leastNonzeroMagnitude, 0.1, 1.5,
      .greatestFiniteMagnitude, .infinity, .nan,
    ]
    func isSame(_ a: S, _ b: S) -> Bool {
      a == b && (a != 0 || a.sign == b.sign) || a.isNaN && b.isNaN
    }
    // Either zero may be the least value of a group.
    func isEqual(_ a: S, _ b: S) -> Bool { a == b || a.isNaN && b.isNaN }
    // NaN above all numbers; both zeros are equal.
    func precedes(_ a: S, _ b: S) -> Bool { b.isNaN ? !a.isNaN : a < b }
    var plain = Column(
      name,
      path,
      property,
      values,
      isSame: isSame,
      precedes: precedes,
      floatCells(property, values)
    )
    var optional = Column(
      "maybe " + name,
      maybePath,
      maybe,
      values,
      isSame: isSame,
      precedes: precedes,
      floatCells(maybe, values)
    )
    let rows = ColumnValues(values, of: name, hasNulls: false).rows
    let maybeRows = ColumnValues(values, of: "maybe " + name, hasNulls: true).rows
    func text(_ value: S) -> String { value == 0 ? "0" : "\(value)" }
    plain.related = relatedFloats(property, rows, values)
    optional.related = relatedFloats(maybe, maybeRows, values)
    plain.checks += [
      groups(property, rows, by: precedes, key: text, of: text),
      extremes(
        .count(property),
        .min(property),
        .max(property),
        rows,
        isSame: isEqual,
        precedes: precedes,
        canBeExtreme: { !$0.isNaN }
      ),
      floatSums(.sum(property), .average(property), rows),
      floatParameters(property, rows, values),
      floatSummary(rows, property) {
        $0.property(property)
      } _: {
        $0.property(property)
      },
      update("to 0.1", { $0.set(property, to: 0.1) }) { $0[keyPath: path] == 0.1 },
    ]
    optional.checks += [
      groups(maybe, maybeRows, by: precedes, key: { $0.map(text) }, of: text),
      extremes(
        .count(maybe),
        .min(maybe),
        .max(maybe),
        maybeRows,
        isSame: isEqual,
        precedes: precedes,
        canBeExtreme: { !$0.isNaN }
      ),
      floatSums(.sum(maybe), .average(maybe), maybeRows),
      floatParameters(maybe, maybeRows, values),
      floatSummary(maybeRows, maybe) {
        $0.property(maybe)
      } _: {
        $0.property(maybe)
      },
      update("to 0.1", { $0.set(maybe, to: 0.1) }) { $0[keyPath: maybePath] == 0.1 },
    ]
    return [plain, optional]
  }

  /// The conditions on a floating point number; `P` is the type or its optional.
  private static func floatCells<P: ScalarPropertyType, S: MatrixFloat>(
    _ property: Property<E, P, Void>,
    _ values: [S]
  ) -> [Cell<E, S>] where P.Scalar == S {
    var cells: [Cell<E, S>] = []
    for a in values {
      cells += comparisons(
        a,
        property == a,
        property != a,
        property < a,
        property <= a,
        property > a,
        property >= a
      )
      for b in values where a <= b {
        cells += ranges(a, b, property.isBetween(b, and: a), property ∈ a...b, property ∈ a..<b)
      }
    }
    for list in [[], [values[0], values[3]], values] {
      // Neither list nor values find NaN.
      cells += lists(list, property ∈ list, property ∉ list)
    }
    return cells
  }

  private static func lists<S: BinaryFloatingPoint>(
    _ list: [S],
    _ isIn: QueryCondition<E>,
    _ isNotIn: QueryCondition<E>
  ) -> [Cell<E, S>] {
    [
      Cell(name: "∈ \(list)", typed: isIn, dynamic: { $0.isIn(list) }) { list.contains($0) },
      Cell(name: "∉ \(list)", typed: isNotIn, dynamic: { $0.isNotIn(list) }) {
        !$0.isNaN && !list.contains($0)
      },
    ]
  }

  static func dates() -> [Column<E>] {
    let milliseconds = [
      -62_135_596_800.0, -1.001, -0.001, 0, 0.001, 1_700_000_000.123, 253_402_300_799.999,
    ]
    .map { Date(timeIntervalSince1970: $0) }
    // The next date after a whole second is 119 nanoseconds later.
    let precise = [
      -9_000_000_000, -0.25, 0, 600_000_000 + 1.0 / 8_388_608, 1_000_000_000.75, 8_000_000_000,
    ]
    .map { Date(timeIntervalSinceReferenceDate: $0) }
    return dates("date", \.date, E.date, milliseconds)
      + dates("maybe date", \.maybeDate, E.maybeDate, milliseconds)
      + dates("indexedDate", \.indexedDate, E.indexedDate, milliseconds)
      + dates("maybe indexedDate", \.maybeIndexedDate, E.maybeIndexedDate, milliseconds)
      + dates("precise", \.precise, E.precise, precise)
      + dates("maybe precise", \.maybePrecise, E.maybePrecise, precise)
      + dates("indexedPrecise", \.indexedPrecise, E.indexedPrecise, precise)
      + dates("maybe indexedPrecise", \.maybeIndexedPrecise, E.maybeIndexedPrecise, precise)
  }

  private static func dates<P: DatePropertyType & GroupValue & RecordValue>(
    _ name: String,
    _ path: WritableKeyPath<E, P>,
    _ property: Property<E, P, Void>,
    _ values: [Date]
  ) -> [Column<E>] {
    let isPrecise = name.hasSuffix("recise")
    // Milliseconds have no exact form in a date.
    func key(_ date: Date) -> Double {
      isPrecise ? date.timeIntervalSinceReferenceDate : (date.timeIntervalSince1970 * 1e3).rounded()
    }
    func isSame(_ a: Date, _ b: Date) -> Bool { key(a) == key(b) }
    var cells: [Cell<E, Date>] = []
    for a in values {
      cells += comparisons(
        a,
        property == a,
        property != a,
        property < a,
        property <= a,
        property > a,
        property >= a
      )
      for b in values where a <= b {
        cells += ranges(a, b, property.isBetween(b, and: a), property ∈ a...b, property ∈ a..<b)
      }
    }
    for list in [[], [values[0], values[3]], values] {
      cells += lists(list, property ∈ list, property ∉ list) { list.contains($0) }
    }
    var column = Column(name, path, property, values, isSame: isSame, precedes: <, cells)
    let rows = ColumnValues(values, of: name, hasNulls: P.self == Date?.self).rows
    column.related = relatedDates(property, rows, values)
    column.checks += [
      groups(property, rows, by: <, key: { ($0 as? Date).map(key) }, of: key),
      dateSummary(rows, property, isPrecise: isPrecise),
      dateParameters(property, rows, values, isSame: isSame),
    ]
    return [column]
  }
}
