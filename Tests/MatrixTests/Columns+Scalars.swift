import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxGrouping
import Testing

extension Columns {
  static func booleans(
    _ name: String,
    _ path: ReferenceWritableKeyPath<Row, Bool>,
    _ property: Property<Row, Bool, Void>,
    _ maybePath: ReferenceWritableKeyPath<Row, Bool?>,
    _ maybe: Property<Row, Bool?, Void>
  ) -> [Column] {
    let values = [false, true]
    func precedes(_ a: Bool, _ b: Bool) -> Bool { !a && b }
    func cell(_ a: Bool, _ equal: QueryCondition<Row>, _ notEqual: QueryCondition<Row>)
      -> [Cell<Bool>]
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
      (
        "groups",
        {
          let found = try $0.query.grouped(by: property).select(.count).find()
          try groups(found.map { ($0.key, $0.values) }, rows.compactMap(\.self))
        }
      ),
      ("update", { try $0.update({ $0.set(property, to: true) }) { $0[keyPath: path] } }),
    ]
    optional.checks += [
      (
        "groups",
        {
          let found = try $0.query.grouped(by: maybe).select(.count).find()
          try groups(found.map { ($0.key, $0.values) }, maybeRows)
        }
      ),
      ("update", { try $0.update({ $0.set(maybe, to: nil) }) { $0[keyPath: maybePath] == nil } }),
    ]
    return [plain, optional]
  }

  typealias MatrixFloat = BinaryFloatingPoint & EntityScalarPropertyType & GroupValue
    & RecordValue

  static func floats<S: MatrixFloat>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<Row, S>,
    _ property: Property<Row, S, Void>,
    _ maybePath: ReferenceWritableKeyPath<Row, S?>,
    _ maybe: Property<Row, S?, Void>
  ) -> [Column] where S.Projection == S {
    let values: [S] = [
      -.infinity, -.greatestFiniteMagnitude, -1.5, -0.0, 0, .leastNonzeroMagnitude, 0.1, 1.5,
      .greatestFiniteMagnitude, .infinity, .nan,
    ]
    func isSame(_ a: S, _ b: S) -> Bool {
      a == b && (a != 0 || a.sign == b.sign) || a.isNaN && b.isNaN
    }
    // NaN above all numbers; both zeros are equal.
    func precedes(_ a: S, _ b: S) -> Bool { b.isNaN ? !a.isNaN : a < b }
    let plain = Column(
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
    let maybeRows = ColumnValues(values, of: "maybe " + name, hasNulls: true).rows
    optional.checks += [
      (
        "groups",
        { store in
          let found = try store.query.grouped(by: maybe).select(.count).find()
          func text(_ value: S?) -> String { value.map { $0 == 0 ? "0" : "\($0)" } ?? "nil" }
          try groups(found.map { (text($0.key), $0.values) }, maybeRows.map(text))
        }
      ),
      ("update", { try $0.update({ $0.set(maybe, to: 0.1) }) { $0[keyPath: maybePath] == 0.1 } }),
    ]
    return [plain, optional]
  }

  /// The conditions on a floating point number; `P` is the type or its optional.
  private static func floatCells<P: ScalarPropertyType, S: MatrixFloat>(
    _ property: Property<Row, P, Void>,
    _ values: [S]
  ) -> [Cell<S>] where P.Scalar == S {
    var cells: [Cell<S>] = []
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
        cells += ranges(a, b, property.isBetween(a, and: b), property ∈ a...b, property ∈ a..<b)
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
    _ isIn: QueryCondition<Row>,
    _ isNotIn: QueryCondition<Row>
  ) -> [Cell<S>] {
    [
      Cell(name: "∈ \(list)", typed: isIn, dynamic: { $0.isIn(list) }) { list.contains($0) },
      Cell(name: "∉ \(list)", typed: isNotIn, dynamic: { $0.isNotIn(list) }) {
        !$0.isNaN && !list.contains($0)
      },
    ]
  }

  static func dates() -> [Column] {
    let milliseconds = [
      -62_135_596_800.0, -1.001, -0.001, 0, 0.001, 1_700_000_000.123, 253_402_300_799.999,
    ]
    .map { Date(timeIntervalSince1970: $0) }
    // The next date after a whole second is 119 nanoseconds later.
    let precise = [
      -9_000_000_000, -0.25, 0, 600_000_000 + 1.0 / 8_388_608, 1_000_000_000.75, 8_000_000_000,
    ]
    .map { Date(timeIntervalSinceReferenceDate: $0) }
    return dates("date", \.date, Row.date, milliseconds)
      + dates("maybe date", \.maybeDate, Row.maybeDate, milliseconds)
      + dates("indexedDate", \.indexedDate, Row.indexedDate, milliseconds)
      + dates("maybe indexedDate", \.maybeIndexedDate, Row.maybeIndexedDate, milliseconds)
      + dates("precise", \.precise, Row.precise, precise)
      + dates("maybe precise", \.maybePrecise, Row.maybePrecise, precise)
      + dates("indexedPrecise", \.indexedPrecise, Row.indexedPrecise, precise)
      + dates("maybe indexedPrecise", \.maybeIndexedPrecise, Row.maybeIndexedPrecise, precise)
  }

  private static func dates<P: DatePropertyType & GroupValue & RecordValue>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<Row, P>,
    _ property: Property<Row, P, Void>,
    _ values: [Date]
  ) -> [Column] {
    let isPrecise = name.hasSuffix("recise")
    // Milliseconds have no exact form in a date.
    func key(_ date: Date) -> Double {
      isPrecise ? date.timeIntervalSinceReferenceDate : (date.timeIntervalSince1970 * 1e3).rounded()
    }
    func isSame(_ a: Date, _ b: Date) -> Bool { key(a) == key(b) }
    var cells: [Cell<Date>] = []
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
        cells += ranges(a, b, property.isBetween(a, and: b), property ∈ a...b, property ∈ a..<b)
      }
    }
    for list in [[], [values[0], values[3]], values] {
      cells += lists(list, property ∈ list, property ∉ list) { list.contains($0) }
    }
    var column = Column(name, path, property, values, isSame: isSame, precedes: <, cells)
    let rows = ColumnValues(values, of: name, hasNulls: P.self == Date?.self).rows
    column.checks += [
      (
        "groups",
        { store in
          let found = try store.query.grouped(by: property).select(.count).find()
          try groups(
            found.map { (($0.key as? Date).map(key), $0.values) },
            rows.map { $0.map(key) }
          )
        }
      )
    ]
    return [column]
  }
}
