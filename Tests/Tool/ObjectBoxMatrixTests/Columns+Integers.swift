import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import ObjectBoxGrouping
import Testing

typealias MatrixInteger = EntityScalarPropertyType & FixedWidthInteger & GroupOperand & GroupValue
  & RecordValue
  & Sendable

extension Columns {
  /// The extremes of an integer type, also of the signed type of the same size, and small numbers.
  static func values<S: FixedWidthInteger>(of type: S.Type) -> [S] {
    let half = S.max / 2
    return S.isSigned
      ? [.min, .min + 1, -1, 0, 1, 100, .max] : [0, 1, half - 1, half, half + 1, .max - 1, .max]
  }

  /// The columns of an integer type: one that is not optional and one that is.
  static func integers<S: MatrixInteger>(
    _ name: String,
    _ path: WritableKeyPath<E, S>,
    _ property: Property<E, S, Void>,
    _ maybePath: WritableKeyPath<E, S?>,
    _ maybe: Property<E, S?, Void>
  ) -> [Column<E>] where S.Projection == S {
    let values = values(of: S.self)
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
    plain.related = relatedIntegers(property, rows, values)
    optional.related = relatedIntegers(maybe, maybeRows, values)
    plain.checks += [
      groups(property, rows, by: <, key: { $0 }, of: { $0 }),
      extremes(
        .count(property),
        .min(property),
        .max(property),
        rows,
        isSame: ==,
        precedes: <
      ),
      integerSums(.sum(property), .average(property), rows),
      having(.max(property), rows, values),
      integerParameters(property, rows, values),
      integerSummary(rows, { $0.property(property) }, { $0.property(property) }),
    ]
    optional.checks += [
      groups(maybe, maybeRows, by: <, key: { $0 }, of: { $0 }),
      extremes(.count(maybe), .min(maybe), .max(maybe), maybeRows, isSame: ==, precedes: <),
      integerSums(.sum(maybe), .average(maybe), maybeRows),
      having(.max(maybe), maybeRows, values),
      integerParameters(maybe, maybeRows, values),
      integerSummary(maybeRows, { $0.property(maybe) }, { $0.property(maybe) }),
    ]
    for value in [S.min, S.max, 0, 1] {
      plain.checks.append(
        update("to \(value)", { $0.set(property, to: value) }) { $0[keyPath: path] == value }
      )
      optional.checks.append(
        update("to \(value)", { $0.set(maybe, to: value) }) { $0[keyPath: maybePath] == value }
      )
    }
    optional.checks.append(
      update("to nil", { $0.set(maybe, to: nil) }) { $0[keyPath: maybePath] == nil }
    )
    return [plain, optional]
  }

  /// The conditions on an integer; `P` is the type or its optional.
  private static func integerCells<P: ScalarPropertyType, S: MatrixInteger>(
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
      for b in [a, values[4], values[6]] where a <= b {
        cells += ranges(a, b, property.isBetween(b, and: a), property ∈ a...b, property ∈ a..<b)
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

  /// Makes a check of conditions on the greatest values of groups, on stores and clusters.
  private static func having<S: MatrixInteger>(
    _ greatest: Aggregate<E, S?>,
    _ rows: [S?],
    _ values: [S]
  ) -> Check {
    let ofColors = rowsByColor.map { $0.compactMap { rows[$0] }.max() }
    func matching(_ value: S) -> Int { ofColors.count { $0.map { $0 >= value } ?? false } }
    return Check(
      name: "conditions on groups",
      onStore: { store in
        let groups = try store.query.grouped(by: E.color).select(.count)
        for value in values {
          let found = try groups.having(greatest >= value).count()
          #expect(found == matching(value), "max >= \(value)")
        }
      },
      onCluster: { rows in
        let groups = rows.query().grouped(by: E.color).select(.count)
        for value in values {
          let found = try await groups.having(greatest >= value).count()
          #expect(found == matching(value), "max >= \(value)")
        }
      }
    )
  }

  private static func integerSums<S: MatrixInteger>(
    _ sum: Aggregate<E, Int>,
    _ average: Aggregate<E, Double?>,
    _ rows: [S?]
  ) -> Check {
    sums(
      sum,
      average,
      rows,
      expectedSum: { Int(exactly: self.sum($0)) },
      expectedMean: { $0.isEmpty ? nil : MeanTests.mean(self.sum($0), $0.count) },
      isSame: ==,
      isSameMean: ==
    )
  }

  /// The results of a property query.
  private struct Summary<S: MatrixInteger>: Equatable {
    var count: Int
    var least: S?
    var greatest: S?
    /// Nil when it does not fit, and is refused.
    var sum: Int64?
    var unsignedSum: UInt64?
    var wholeAverage: S
    var values: [S]
    var distinctValues: Set<S>
    var distinctCount: Int
  }

  /// Makes a check of property queries, on stores and clusters.
  private static func integerSummary<S: MatrixInteger>(
    _ rows: [S?],
    _ ofStore: @escaping (Query<E>) -> PropertyQuery<E, S>,
    _ ofCluster: @escaping (ClusterQuery<E>) -> ClusterPropertyQuery<E, S>
  ) -> Check {
    let present = rows.compactMap(\.self)
    let total = sum(present)
    let expected = Summary(
      count: present.count,
      least: present.min(),
      greatest: present.max(),
      sum: Int64(exactly: total),
      unsignedSum: UInt64(exactly: total),
      wholeAverage: S(total / Int128(present.count)),
      values: present,
      distinctValues: Set(present),
      distinctCount: Set(present).count
    )
    let mean = MeanTests.mean(total, present.count)
    return Check(
      name: "property query",
      onStore: { store in
        let query = ofStore(try store.query)
        let found = Summary(
          count: try query.count(),
          least: try query.min(),
          greatest: try query.max(),
          sum: try? query.sum(),
          unsignedSum: try? query.sumUnsigned(),
          wholeAverage: try query.averageInt(),
          values: try query.find(),
          distinctValues: Set(try query.distinct().find()),
          distinctCount: try query.distinct().count()
        )
        #expect(found == expected)
        #expect(try ofStore(store.query).average() == mean)
      },
      onCluster: { rows in
        let query = ofCluster(rows.query())
        let found = Summary(
          count: try await query.count(),
          least: try await query.min(),
          greatest: try await query.max(),
          sum: try? await query.sum(),
          unsignedSum: try? await query.sumUnsigned(),
          wholeAverage: try await query.averageInt(),
          values: try await query.find(),
          distinctValues: Set(try await query.distinct().find()),
          distinctCount: try await query.distinct().count()
        )
        #expect(found == expected)
        #expect(try await query.average() == mean)
      }
    )
  }
}
