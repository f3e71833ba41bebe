import ObjectBox
import ObjectBoxCluster
import ObjectBoxGrouping
import Testing

extension Columns {
  typealias Check = Column<E>.Check

  /// The numbers of the rows of each color, in the order of the colors.
  static var rowsByColor: [[Int]] {
    let colors: [Color] = [.red, .blue, .green]
    let rows = ColumnValues(colors, of: "color", hasNulls: false).rows
    return colors.map { color in rows.indices.filter { rows[$0] == color } }
  }

  /// Makes a check of the keys and counts of groups, on stores and clusters, in the order of the
  /// values with nulls first.
  static func groups<V: GroupValue, Value, K: Hashable>(
    _ property: Property<E, V, Void>,
    _ rows: [Value?],
    by precedes: @escaping (Value, Value) -> Bool,
    key: @escaping (V) -> K?,
    of keyOfValue: @escaping (Value) -> K
  ) -> Check {
    let values = ColumnValues(rows: rows)
    func expect(_ found: [GroupRow<V, Int>]) {
      var expected: [(key: K?, count: Int)] = []
      for number in values.order(by: precedes).numbers {
        let key = rows[number].map(keyOfValue)
        if expected.isEmpty || expected[expected.count - 1].key != key { expected.append((key, 0)) }
        expected[expected.count - 1].count += 1
      }
      #expect(found.map { key($0.key) } == expected.map(\.key))
      #expect(found.map(\.values) == expected.map(\.count))
    }
    return Check(
      name: "groups",
      onStore: { expect(try $0.query.grouped(by: property).select(.count).find()) },
      onCluster: { expect(try await $0.query().grouped(by: property).select(.count).find()) }
    )
  }

  /// Makes a check of numbers, and least and greatest values of groups, on stores and clusters.
  static func extremes<Value: Sendable>(
    _ count: Aggregate<E, Int>,
    _ least: Aggregate<E, Value?>,
    _ greatest: Aggregate<E, Value?>,
    _ rows: [Value?],
    isSame: @escaping (Value, Value) -> Bool,
    precedes: @escaping (Value, Value) -> Bool,
    canBeExtreme: @escaping (Value) -> Bool = { _ in true }
  ) -> Check {
    func expect(_ found: [GroupRow<Int, Int, Value?, Value?>]) throws {
      try #require(found.count == rowsByColor.count)
      for (group, numbers) in zip(found, rowsByColor) {
        let present = numbers.compactMap { rows[$0] }
        #expect(group.values.0 == present.count)
        func expect(_ found: Value?, _ expected: Value?, _ name: String) {
          guard let found, let expected else {
            #expect((found == nil) == (expected == nil), "\(name)")
            return
          }
          #expect(isSame(found, expected), "\(name): \(found), not \(expected)")
        }
        let possible = present.filter(canBeExtreme)
        expect(group.values.1, possible.min(by: precedes), "the least value")
        expect(group.values.2, possible.max(by: precedes), "the greatest value")
      }
    }
    return Check(
      name: "extremes of groups",
      onStore: {
        let groups = try $0.query.grouped(by: E.color).select(count, least, greatest)
        try expect(groups.find())
      },
      onCluster: {
        let groups = $0.query().grouped(by: E.color).select(count, least, greatest)
        try expect(await groups.find())
      }
    )
  }

  /// Makes a check of sums and means of groups, on stores and clusters.
  static func sums<Sum: Sendable, Value>(
    _ sum: Aggregate<E, Sum>,
    _ average: Aggregate<E, Double?>,
    _ rows: [Value?],
    // Nil for a sum that does not fit.
    expectedSum: @escaping ([Value]) -> Sum?,
    expectedMean: @escaping ([Value]) -> Double?,
    isSame: @escaping (Sum, Sum) -> Bool,
    isSameMean: @escaping (Double, Double) -> Bool
  ) -> Check {
    let values = rowsByColor.map { $0.compactMap { rows[$0] } }
    func expect(_ sums: [GroupRow<Int, Sum>]?, _ means: [GroupRow<Int, Double?>]) {
      let expected = values.map(expectedSum)
      let fits = expected.allSatisfy { $0 != nil }
      #expect((sums != nil) == fits, "a sum that does not fit is refused")
      for (found, expected) in zip(sums ?? [], expected) {
        guard let expected else { continue }
        #expect(isSame(found.values, expected), "sum \(found.values), not \(expected)")
      }
      for (found, expected) in zip(means.map(\.values), values.map(expectedMean)) {
        guard let found, let expected else {
          #expect(found == nil && expected == nil)
          continue
        }
        #expect(isSameMean(found, expected), "mean \(found), not \(expected)")
      }
    }
    return Check(
      name: "sums of groups",
      onStore: { store in
        let groups = try store.query.grouped(by: E.color)
        expect(try? groups.select(sum).find(), try groups.select(average).find())
      },
      onCluster: { rows in
        let groups = rows.query().grouped(by: E.color)
        expect(try? await groups.select(sum).find(), try await groups.select(average).find())
      }
    )
  }

  /// Returns whether two sums of the same numbers in another order are the same.
  static func isClose(_ a: Double, _ b: Double) -> Bool {
    a == b || a.isNaN && b.isNaN || abs(a - b) <= 1e-12 * max(abs(a), abs(b))
  }
}
