import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Compares conditions on aggregates of related objects with sums and extremes in Swift, at all ends of relations.
struct WideAggregateTests {
  private func compare<V>(
    _ aggregate: RelatedAggregate<Wide, V>,
    _ value: V,
    _ order: @escaping (Wide) -> Int?,
    _ random: inout SplitMix
  ) -> RandomWide.Leaf {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: (aggregate == value, { order($0) == 0 })
    case 1: (aggregate != value, { order($0).map { $0 != 0 } ?? false })
    case 2: (aggregate < value, { order($0).map { $0 < 0 } ?? false })
    case 3: (aggregate <= value, { order($0).map { $0 <= 0 } ?? false })
    case 4: (aggregate > value, { order($0).map { $0 > 0 } ?? false })
    default: (aggregate >= value, { order($0).map { $0 >= 0 } ?? false })
    }
  }

  private func integerAggregate<
    N: FixedWidthInteger & EntityPropertyTypeConvertible & SendableMetatype
  >(
    _ relation: ToManyProperty<Wide>,
    _ property: Property<Wide, N?, Void>,
    _ condition: (() -> QueryCondition<Wide>)?,
    _ values: @escaping (Wide) -> [N],
    _ random: inout SplitMix
  ) -> RandomWide.Leaf {
    let value = random.pick(RandomWide.integers(N.self))
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let total = random.pick([0, 1, 2, 3, 127, 255, Int(truncatingIfNeeded: value), .max, .min])
      return compare(
        relation.sum(property, condition),
        total,
        { RandomWide.order(values($0).reduce(Int128(0)) { $0 + Int128($1) }, Int128(total)) },
        &random
      )
    case 1:
      let mean = random.pick([0, 1, 2.5, Double(value), .infinity, .nan])
      return compare(
        relation.average(property, condition),
        mean,
        { wide in
          let found = values(wide)
          if found.isEmpty { return nil }
          let sum = found.reduce(Int128(0)) { $0 + Int128($1) }
          return RandomWide.order(
            found.count == 1 ? Double(found[0]) : Double(sum) / Double(found.count),
            mean
          )
        },
        &random
      )
    case 2:
      return compare(
        relation.min(property, condition),
        value,
        { values($0).min().flatMap { RandomWide.order($0, value) } },
        &random
      )
    default:
      return compare(
        relation.max(property, condition),
        value,
        { values($0).max().flatMap { RandomWide.order($0, value) } },
        &random
      )
    }
  }

  private func aggregate(
    _ ends: [(ToManyProperty<Wide>, (Wide) -> [Wide])],
    _ last: Id,
    _ random: inout SplitMix
  ) -> RandomWide.Leaf {
    let (relation, all) = random.pick(ends)
    let isFiltered = Bool.random(using: &random)
    let (inner, test) = RandomWide.tree(1, last, &random)
    let targets = { (wide: Wide) -> [Wide] in isFiltered ? all(wide).filter(test) : all(wide) }
    let condition: (() -> QueryCondition<Wide>)? = isFiltered ? { inner } : nil
    func values<T>(_ get: @escaping (Wide) -> T?) -> (Wide) -> [T] {
      { targets($0).compactMap(get) }
    }
    switch Int.random(in: 0..<11, using: &random) {
    case 0:
      let number = random.pick([-1, 0, 1, 2, 3, .max])
      let count = condition.map { relation.count($0) } ?? relation.count
      return compare(count, number, { RandomWide.order(targets($0).count, number) }, &random)
    case 1: return integerAggregate(relation, Wide.int8, condition, values { $0.int8 }, &random)
    case 2: return integerAggregate(relation, Wide.uint8, condition, values { $0.uint8 }, &random)
    case 3: return integerAggregate(relation, Wide.uint32, condition, values { $0.uint32 }, &random)
    case 4: return integerAggregate(relation, Wide.int64, condition, values { $0.int64 }, &random)
    case 5: return integerAggregate(relation, Wide.uint64, condition, values { $0.uint64 }, &random)
    case 6:
      let date = random.pick(RandomWide.dates)
      let isMin = Bool.random(using: &random)
      return compare(
        isMin ? relation.min(Wide.date, condition) : relation.max(Wide.date, condition),
        date,
        { wide in
          let found = targets(wide).compactMap(\.date)
          return (isMin ? found.min() : found.max()).flatMap { RandomWide.order($0, date) }
        },
        &random
      )
    case 7, 8:
      let text = random.pick(RandomWide.texts)
      let isMin = Bool.random(using: &random)
      let isFolded = Bool.random(using: &random)
      let property = isFolded ? Wide.folded : Wide.text
      return compare(
        isMin ? relation.min(property, condition) : relation.max(property, condition),
        text,
        { wide in
          let found = targets(wide).compactMap { isFolded ? $0.folded : $0.text }
            .map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
          return (isMin ? found.first : found.last).flatMap {
            RandomWide.order($0, Array(text.utf8))
          }
        },
        &random
      )
    case 9:
      let number = random.pick(RandomWide.doubles)
      let isMin = Bool.random(using: &random)
      return compare(
        isMin ? relation.min(Wide.double, condition) : relation.max(Wide.double, condition),
        number,
        { wide in
          let found = targets(wide).compactMap(\.double).filter { !$0.isNaN }
          return (isMin ? found.min() : found.max()).flatMap { RandomWide.order($0, number) }
        },
        &random
      )
    default:
      return (relation.link { inner }, { all($0).contains(where: test) })
    }
  }

  @Test(arguments: 0..<TestLength.choose(short: 3, long: 12))
  func `aggregates at all ends of relations are those of an array`(seed: Int) throws {
    var random = SplitMix(seed: 300 + seed)
    let store = try WideStore(&random)
    let all = try store.fill(count: seed % 3 == 2 ? 1100 : 60, &random)
    let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
    var children: [Id: [Wide]] = [:]
    var fans: [Id: [Wide]] = [:]
    for wide in all {
      if let parent = wide.parent.targetId?.value { children[parent, default: []].append(wide) }
      for friend in wide.friendIDs { fans[friend, default: []].append(wide) }
    }
    let ends: [(ToManyProperty<Wide>, (Wide) -> [Wide])] = [
      (Wide.children, { [children] in children[$0.id] ?? [] }),
      (Wide.friends, { $0.friendIDs.compactMap { byID[$0] } }),
      (Wide.fans, { [fans] in fans[$0.id] ?? [] }),
    ]
    let last = all.last?.id ?? 0
    for _ in 0..<(seed % 3 == 2 ? 25 : 150) {
      var (condition, test) = aggregate(ends, last, &random)
      for _ in 0..<random.pick([0, 0, 1, 2]) {
        let other =
          Bool.random(using: &random)
          ? aggregate(ends, last, &random) : RandomWide.tree(1, last, &random)
        let first = test
        if Bool.random(using: &random) {
          condition = condition && other.condition
          test = { first($0) && other.test($0) }
        } else {
          condition = condition || other.condition
          test = { first($0) || other.test($0) }
        }
      }
      let query = try store.box.query { [condition] in condition }.build()
      let found = try query.findIds().map(\.value)
      let expected = all.filter(test).map(\.id)
      #expect(found == expected, RandomWide.describe(query, "aggregate"))
      let count = try query.count()
      #expect(count == expected.count, RandomWide.describe(query, "aggregate count"))
    }
  }
}
