import ObjectBox
import ObjectBoxDynamic
import ObjectBoxGrouping
import Testing

typealias MatrixInteger = EntityScalarPropertyType & FixedWidthInteger & GroupValue & RecordValue

extension Columns {
  /// The columns of an integer type: one that is not optional and one that is.
  static func integers<S: MatrixInteger>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<Row, S>,
    _ property: Property<Row, S, Void>,
    _ maybePath: ReferenceWritableKeyPath<Row, S?>,
    _ maybe: Property<Row, S?, Void>
  ) -> [Column] where S.Projection == S {
    let half = S.max / 2
    let values: [S] =
      S.isSigned
      ? [.min, .min + 1, -1, 0, 1, 100, .max] : [0, 1, half - 1, half, half + 1, .max - 1, .max]
    var plain = Column(
      name,
      path,
      property,
      values,
      isSame: ==,
      precedes: <,
      integerCells(property, values)
    )
    var optional = Column(
      "maybe " + name,
      maybePath,
      maybe,
      values,
      isSame: ==,
      precedes: <,
      integerCells(maybe, values)
    )
    let rows = ColumnValues(values, of: name, hasNulls: false).rows
    let maybeRows = ColumnValues(values, of: "maybe " + name, hasNulls: true).rows
    plain.checks.append(("related values", { try related($0, property, rows, values) }))
    optional.checks.append(("related values", { try related($0, maybe, maybeRows, values) }))
    plain.checks.append(("property query", { try summary($0.query.property(property), rows) }))
    optional.checks.append(("property query", { try summary($0.query.property(maybe), maybeRows) }))
    plain.checks.append(
      (
        "groups",
        {
          try groups(
            $0.query.grouped(by: property).select(.count).find().map { ($0.key, $0.values) },
            rows.map(\.unsafelyUnwrapped)
          )
        }
      )
    )
    optional.checks.append(
      (
        "groups",
        {
          try groups(
            $0.query.grouped(by: maybe).select(.count).find().map { ($0.key, $0.values) },
            maybeRows
          )
        }
      )
    )
    plain.checks.append(
      (
        "extremes of groups",
        { store in
          let row = try #require(
            try store.query.grouped(by: Row.single).select(.min(property), .max(property))
              .findFirst()
          )
          #expect(row.values.0 == values.min())
          #expect(row.values.1 == values.max())
        }
      )
    )
    optional.checks.append(
      (
        "extremes of groups",
        { store in
          let row = try #require(
            try store.query.grouped(by: Row.single).select(.min(maybe), .max(maybe)).findFirst()
          )
          #expect(row.values.0 == values.min())
          #expect(row.values.1 == values.max())
        }
      )
    )
    for value in [S.min, S.max, 0, 1] {
      plain.checks.append(
        (
          "update to \(value)",
          { store in
            try store.update({ $0.set(property, to: value) }) { $0[keyPath: path] == value }
          }
        )
      )
      optional.checks.append(
        (
          "update to \(value)",
          { store in
            try store.update({ $0.set(maybe, to: value) }) { $0[keyPath: maybePath] == value }
          }
        )
      )
    }
    optional.checks.append(
      (
        "update to nil",
        { store in
          try store.update({ $0.set(maybe, to: nil) }) { $0[keyPath: maybePath] == nil }
        }
      )
    )
    return [plain, optional]
  }

  /// The conditions on an integer; `P` is the type or its optional.
  private static func integerCells<P: ScalarPropertyType, S: MatrixInteger>(
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
      for b in [a, values[4], values[6]] where a <= b {
        cells += ranges(a, b, property.isBetween(a, and: b), property ∈ a...b, property ∈ a..<b)
      }
    }
    let all = [
      [], [values[0]], Array(values.suffix(2)), [values[3], values[3], values[6]], values,
    ]
    for list in all {
      cells += lists(list, property.isIn(list), property.isNotIn(list)) { list.contains($0) }
    }
    return cells
  }

  /// Compares conditions on sums and extremes of each holder's rows with the values of the rows.
  private static func related<P: ScalarPropertyType, S: MatrixInteger>(
    _ store: MatrixStore,
    _ property: Property<Row, P, Void>,
    _ rows: [S?],
    _ values: [S]
  ) throws where P.Scalar == S {
    let ofHolders = (0..<Holder.count).map { holder in
      rows.indices.filter { Holder.holder(of: $0) == holder && holder < Holder.count - 1 }
        .compactMap { rows[$0] }
    }
    func expect(
      _ condition: QueryCondition<Holder>,
      _ name: String,
      _ matches: ([S]) -> Bool
    ) throws {
      let found = try store.store.box(for: Holder.self).query { condition }.build().findIds()
      let expected = ofHolders.indices.filter { matches(ofHolders[$0]) }
      #expect(MatrixStore.numbers(found) == expected, "\(name)")
    }
    for value in values {
      try expect(Holder.rows.max(property) == value, "max == \(value)") { $0.max() == value }
      try expect(Holder.rows.min(property) > value, "min > \(value)") { holder in
        holder.min().map { $0 > value } ?? false
      }
      guard let sum = Int(exactly: value) else { continue }
      try expect(Holder.rows.sum(property) > sum, "sum > \(sum)") { holder in
        holder.reduce(Int128(0)) { $0 + Int128($1) } > Int128(sum)
      }
    }
  }

  /// Compares a property query with the values of the rows.
  private static func summary<S: MatrixInteger>(
    _ query: PropertyQuery<Row, S>,
    _ rows: [S?]
  ) throws {
    let present = rows.compactMap(\.self)
    #expect(try query.count() == present.count)
    #expect(try query.min() == present.min())
    #expect(try query.max() == present.max())
    let sum = present.reduce(Int128(0)) { $0 + Int128($1) }
    if let exact = Int64(exactly: sum) {
      #expect(try query.sum() == exact)
    } else {
      #expect(throws: ObjectBoxError.self) { try query.sum() }
    }
    if let exact = UInt64(exactly: sum) { #expect(try query.sumUnsigned() == exact) }
    let average = Double(sum) / Double(present.count)
    let found = try query.average()
    #expect(abs(found - average) <= abs(average) * 1e-12)
  }
}
