import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Compares conditions and property queries over values of every type with a filter in Swift, under random indexes.
struct WideConditionTests {
  @Test(arguments: 0..<TestLength.choose(short: 3, long: 12))
  func `conditions on values of every type find what a filter finds`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let store = try WideStore(&random)
    let all = try store.fill(count: seed % 3 == 2 ? 1300 : 90, &random)
    let last = all.last?.id ?? 0
    for _ in 0..<(seed % 3 == 2 ? 30 : 150) {
      let (condition, test) = RandomWide.tree(2, last, &random)
      let expected = all.filter(test).map(\.id)
      let query = try store.box.query { condition }.build()
      let found = try query.findIds().map(\.value)
      #expect(found == expected, RandomWide.describe(query, "all"))
      let count = try query.count()
      #expect(count == expected.count, RandomWide.describe(query, "count"))
      let first = try query.findFirst()?.id
      #expect(first == expected.first, RandomWide.describe(query, "first"))
      let part = try query.find(offset: 1, limit: 2).map(\.id)
      #expect(part == Array(expected.dropFirst().prefix(2)), RandomWide.describe(query, "part"))
      let limit = random.pick([1, 3])
      let limited = try query.count(limit: limit)
      #expect(limited == min(limit, expected.count), RandomWide.describe(query, "limited"))
    }
  }

  // MARK: Property queries

  private func integers<N: FixedWidthInteger & EntityPropertyTypeConvertible & SendableMetatype>(
    _ property: Property<Wide, N?, Void>,
    _ query: Query<Wide>,
    _ values: [N]
  ) throws {
    let wide = values.map { Int128($0) }
    let sum = wide.reduce(0, +)
    let found = query.property(property)
    let least = try found.min()
    #expect(least == values.min() ?? 0, RandomWide.describe(query, "min \(N.self)"))
    let greatest = try found.max()
    #expect(greatest == values.max() ?? 0, RandomWide.describe(query, "max \(N.self)"))
    if let exact = Int64(exactly: sum) {
      let total = try found.sum()
      #expect(total == exact, RandomWide.describe(query, "sum \(N.self)"))
    } else {
      #expect(throws: ObjectBoxError.self) { try found.sum() }
    }
    if let exact = UInt64(exactly: sum) {
      let total = try found.sumUnsigned()
      #expect(total == exact, RandomWide.describe(query, "sum \(N.self)"))
    } else {
      #expect(throws: ObjectBoxError.self) { try found.sumUnsigned() }
    }
    let mean = try found.average()
    let wanted = values.isEmpty ? 0 : Double(sum) / Double(values.count)
    #expect(abs(mean - wanted) <= abs(wanted) * 1e-15, RandomWide.describe(query, "mean \(N.self)"))
    let whole = try found.averageInt()
    #expect(
      Int128(whole) == (values.isEmpty ? 0 : sum / Int128(values.count)),
      RandomWide.describe(query, "integer mean \(N.self)")
    )
    let all = try found.find()
    #expect(all == values, RandomWide.describe(query, "find \(N.self)"))
    let count = try found.count()
    #expect(count == values.count, RandomWide.describe(query, "count \(N.self)"))
    var seen: Set<N> = []
    let different = values.filter { seen.insert($0).inserted }
    let distinct = try query.property(property).distinct()
    let once = try distinct.find()
    #expect(once == different, RandomWide.describe(query, "distinct \(N.self)"))
    let number = try distinct.count()
    #expect(number == different.count, RandomWide.describe(query, "distinct count \(N.self)"))
    if let exact = Int64(exactly: different.reduce(Int128(0)) { $0 + Int128($1) }) {
      let total = try distinct.sum()
      #expect(total == exact, RandomWide.describe(query, "distinct sum \(N.self)"))
    }
  }

  private func numbers<N: BinaryFloatingPoint & EntityPropertyTypeConvertible & SendableMetatype>(
    _ property: Property<Wide, N?, Void>,
    _ query: Query<Wide>,
    _ values: [N]
  ) throws {
    let found = query.property(property)
    let ordered = values.filter { !$0.isNaN }
    let least = try found.min()
    #expect(least == ordered.min() ?? 0, RandomWide.describe(query, "min \(N.self)"))
    let greatest = try found.max()
    #expect(greatest == ordered.max() ?? 0, RandomWide.describe(query, "max \(N.self)"))
    let count = try found.count()
    #expect(count == values.count, RandomWide.describe(query, "count \(N.self)"))
    let zeros = values.map { $0.isNaN ? "nan" : $0 == 0 ? "0" : "\($0)" }
    let distinct = try query.property(property).distinct().count()
    #expect(distinct == Set(zeros).count, RandomWide.describe(query, "distinct \(N.self)"))
  }

  @Test(arguments: 0..<TestLength.choose(short: 3, long: 12))
  func `sums, extremes and different values of every type are those of an array`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: 100 + seed)
    let store = try WideStore(&random)
    let all = try store.fill(count: seed % 3 == 2 ? 1300 : 60, &random)
    let last = all.last?.id ?? 0
    for round in 0..<(seed % 3 == 2 ? 2 : 5) {
      let (condition, test) =
        round == 0 ? (Wide.id.isNotNil(), { _ in true }) : RandomWide.tree(round % 2, last, &random)
      let results = all.filter(test)
      let query =
        round == 0
        ? try store.box.query().build() : try store.box.query { condition }.build()
      try integers(Wide.int8, query, results.compactMap(\.int8))
      try integers(Wide.uint8, query, results.compactMap(\.uint8))
      try integers(Wide.int16, query, results.compactMap(\.int16))
      try integers(Wide.uint16, query, results.compactMap(\.uint16))
      try integers(Wide.int32, query, results.compactMap(\.int32))
      try integers(Wide.uint32, query, results.compactMap(\.uint32))
      try integers(Wide.int64, query, results.compactMap(\.int64))
      try integers(Wide.uint64, query, results.compactMap(\.uint64))
      try numbers(Wide.float, query, results.compactMap(\.float))
      try numbers(Wide.double, query, results.compactMap(\.double))
      let decimals = results.compactMap(\.decimal)
      let property = query.property(Wide.decimal)
      let least = try property.min()
      #expect(least == decimals.min() ?? 0, RandomWide.describe(query, "min decimal"))
      let greatest = try property.max()
      #expect(greatest == decimals.max() ?? 0, RandomWide.describe(query, "max decimal"))
      let different = try query.property(Wide.decimal).distinct().count()
      #expect(different == Set(decimals).count, RandomWide.describe(query, "distinct decimals"))
      let texts = results.compactMap(\.text)
      let found = try query.property(Wide.text).findStrings()
      #expect(found.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
      let once = try query.property(Wide.text).distinct(caseSensitiveCompare: false).count()
      #expect(once == Set(texts.map { Array($0.lowercased().utf8) }).count)
      let millis = results.compactMap(\.date).map { Int64($0.timeIntervalSince1970 * 1000) }
      let last = try query.propertyInt64(Wide.date).max()
      #expect(last == millis.max() ?? 0, RandomWide.describe(query, "max date"))
      let first = try query.propertyInt64(Wide.date).min()
      #expect(first == millis.min() ?? 0, RandomWide.describe(query, "min date"))
    }
  }
}
