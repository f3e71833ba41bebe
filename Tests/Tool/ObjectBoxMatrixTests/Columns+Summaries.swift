import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxGrouping
import Testing

/// Checks of property queries and groups of numbers that are no integers.
extension Columns {
  static func floatSums<S: MatrixFloat>(
    _ sum: Aggregate<E, Double>,
    _ average: Aggregate<E, Double?>,
    _ rows: [S?]
  ) -> Check {
    sums(
      sum,
      average,
      rows,
      expectedSum: { self.sum($0) },
      expectedMean: { $0.isEmpty ? nil : self.sum($0) / Double($0.count) },
      isSame: isClose,
      isSameMean: isClose
    )
  }

  /// Makes a check of property queries of all numbers, and of those without infinities and NaN.
  static func floatSummary<P: ScalarPropertyType, S: MatrixFloat>(
    _ rows: [S?],
    _ property: Property<E, P, Void>,
    _ ofStore: @escaping (Query<E>) -> PropertyQuery<E, S>,
    _ ofCluster: @escaping (ClusterQuery<E>) -> ClusterPropertyQuery<E, S>
  ) -> Check where P.Scalar == S {
    let some = property.isBetween(-2, and: 2)
    let all = rows.compactMap(\.self)
    let values = [all, all.filter { -2 <= $0 && $0 <= 2 }]
    func expect(_ found: [(count: Int, least: S, greatest: S, sum: Double, mean: Double)]) {
      for (found, values) in zip(found, values) {
        let numbers = values.filter { !$0.isNaN }
        let sum = values.reduce(0.0) { $0 + Double($1) }
        #expect(found.count == values.count)
        #expect(found.least == numbers.min() && found.greatest == numbers.max())
        #expect(isClose(found.sum, sum), "\(found.sum), not \(sum)")
        #expect(isClose(found.mean, sum / Double(values.count)))
      }
    }
    return Check(
      name: "property query",
      onStore: { store in
        let queries = [try store.query, try store.rows.query { some }.build()].map(ofStore)
        expect(
          try queries.map { query in
            try (query.count(), query.min(), query.max(), query.sum(), query.average())
          }
        )
      },
      onCluster: { rows in
        var found: [(count: Int, least: S, greatest: S, sum: Double, mean: Double)] = []
        for query in [rows.query(), rows.query { some }].map(ofCluster) {
          found.append(
            (
              try await query.count(), try await query.min(), try await query.max(),
              try await query.sum(), try await query.average()
            )
          )
        }
        expect(found)
      }
    )
  }

  /// Makes a check of property queries for the stored numbers of dates.
  static func dateSummary<P: DatePropertyType>(
    _ rows: [Date?],
    _ property: Property<E, P, Void>,
    isPrecise: Bool
  ) -> Check {
    let ticks = rows.compactMap { $0.map { Portable.ticks($0, isPrecise: isPrecise) } }.map(
      Int64.init
    )
    let expected = [Int64(ticks.count), ticks.min(), ticks.max()]
    return Check(
      name: "property query",
      onStore: { store in
        let query = try store.query.propertyInt64(property)
        #expect(try [Int64(query.count()), query.min(), query.max()] == expected)
        #expect(try query.find() == ticks)
      },
      onCluster: { rows in
        let query = rows.query().propertyInt64(property)
        let count = Int64(try await query.count())
        #expect([count, try await query.min(), try await query.max()] == expected)
        #expect(try await query.find() == ticks)
      }
    )
  }

  /// Makes a check of sums, means and extremes of decimals.
  static func decimalSummary<P: EncodedPropertyType>(
    _ rows: [Decimal?],
    _ property: Property<E, P, Void>
  ) -> Check where P.Encoded == Decimal {
    // With the greatest numbers, sums are rounded.
    let some = property.isBetween(-100, and: 100)
    let all = rows.compactMap(\.self)
    let values = all.filter { -100 <= $0 && $0 <= 100 }
    let sum = values.reduce(0, +)
    func isMean(_ found: Decimal) -> Bool {
      abs(found * Decimal(values.count) - sum) < Decimal(sign: .plus, exponent: -30, significand: 1)
    }
    return Check(
      name: "sums and extremes",
      onStore: { store in
        let query = try store.rows.query { some }.build().property(property)
        #expect(try query.sum() == sum)
        #expect(isMean(try query.average()))
        #expect(try query.min() == values.min() && query.max() == values.max())
        let whole = try store.query.property(property)
        #expect(try whole.min() == all.min() && whole.max() == all.max())
      },
      onCluster: { rows in
        let query = rows.query { some }.property(property)
        #expect(try await query.sum() == sum)
        #expect(isMean(try await query.average()))
        let whole = rows.query().property(property)
        let found = [
          try await query.min(), try await query.max(), try await whole.min(),
          try await whole.max(),
        ]
        #expect(found == [values.min(), values.max(), all.min(), all.max()])
      }
    )
  }
}
