import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Compares orders by values of every type, of results and of their related objects, with a sort in Swift.
struct WideOrderTests {
  private struct Order {
    var title: String
    var apply: (QueryBuilder<Wide>) -> QueryBuilder<Wide>
    var compare: (Wide, Wide) -> Int
    var isRelated = false
  }

  private func order<V, T>(
    _ title: String,
    _ property: Property<Wide, V, Void>,
    _ flags: [OrderFlags],
    _ get: @escaping (Wide) -> T?,
    zero: T,
    by parents: [(Wide) -> Wide?],
    _ order: @escaping (T, T) -> Int
  ) -> Order {
    let target = { (wide: Wide) -> Wide? in
      parents.reduce(wide) { found, next in found.flatMap(next) }
    }
    return Order(
      title: "\(title) \(flags) \(parents.count)",
      apply: { builder in
        switch parents.count {
        case 0: return builder.ordered(by: property, flags: flags)
        default:
          var path = Wide.parent.at(property)
          for _ in parents.dropFirst() { path = Wide.parent.at(path) }
          // Variadic: each combination stands alone.
          switch flags.count {
          case 0: return builder.ordered(by: path)
          case 1: return builder.ordered(by: path, flags: flags[0])
          case 2: return builder.ordered(by: path, flags: flags[0], flags[1])
          case 3: return builder.ordered(by: path, flags: flags[0], flags[1], flags[2])
          default: return builder.ordered(by: path, flags: flags[0], flags[1], flags[2], flags[3])
          }
        }
      },
      compare: { a, b in
        let null: T? = flags.contains(.nullsZero) ? zero : nil
        let nullPlace = flags.contains(.nullsLast) ? 1 : -1
        switch (target(a).flatMap(get) ?? null, target(b).flatMap(get) ?? null) {
        case (nil, nil): return 0
        case (nil, _): return nullPlace
        case (_, nil): return -nullPlace
        case (let a?, let b?): return flags.contains(.descending) ? -order(a, b) : order(a, b)
        }
      },
      isRelated: !parents.isEmpty
    )
  }

  private func order(_ all: [Id: Wide], _ random: inout SplitMix) -> Order {
    var flags: [OrderFlags] = []
    if Bool.random(using: &random) { flags.append(.descending) }
    if Int.random(in: 0..<3, using: &random) == 0 { flags.append(.nullsLast) }
    if Int.random(in: 0..<6, using: &random) == 0 { flags.append(.nullsZero) }
    let parent = { (wide: Wide) -> Wide? in wide.parent.targetId.flatMap { all[$0.value] } }
    let depth = random.pick([0, 0, 0, 1, 2])
    let parents = Array(repeating: parent, count: depth)
    func compare<T: Comparable & SendableMetatype>(_ a: T, _ b: T) -> Int {
      a < b ? -1 : a == b ? 0 : 1
    }
    func ofNumbers<T: BinaryFloatingPoint & SendableMetatype>(_ a: T, _ b: T) -> Int {
      if a.isNaN || b.isNaN { return a.isNaN ? (b.isNaN ? 0 : 1) : -1 }
      return compare(a, b)
    }
    func ofBytes(_ a: [UInt8], _ b: [UInt8]) -> Int { RandomWide.order(a, b) ?? 0 }
    switch Int.random(in: 0..<15, using: &random) {
    case 0: return order("int8", Wide.int8, flags, { $0.int8 }, zero: 0, by: parents, compare)
    case 1: return order("uint8", Wide.uint8, flags, { $0.uint8 }, zero: 0, by: parents, compare)
    case 2: return order("uint16", Wide.uint16, flags, { $0.uint16 }, zero: 0, by: parents, compare)
    case 3:
      let isUnsigned = Bool.random(using: &random)
      if isUnsigned { flags.append(.unsigned) }
      return order(
        "int16",
        Wide.int16,
        flags,
        { $0.int16.map { isUnsigned ? Int(UInt16(bitPattern: $0)) : Int($0) } },
        zero: 0,
        by: parents,
        compare
      )
    case 4: return order("int64", Wide.int64, flags, { $0.int64 }, zero: 0, by: parents, compare)
    case 5: return order("uint64", Wide.uint64, flags, { $0.uint64 }, zero: 0, by: parents, compare)
    case 6:
      return order(
        "flag",
        Wide.flag,
        flags,
        { $0.flag.map { $0 ? 1 : 0 } },
        zero: 0,
        by: parents,
        compare
      )
    case 7: return order("float", Wide.float, flags, { $0.float }, zero: 0, by: parents, ofNumbers)
    case 8:
      return order("double", Wide.double, flags, { $0.double }, zero: 0, by: parents, ofNumbers)
    case 9:
      return order(
        "date",
        Wide.date,
        flags,
        { $0.date },
        zero: Date(timeIntervalSince1970: 0),
        by: parents,
        compare
      )
    case 10:
      return order(
        "data",
        Wide.data,
        flags,
        { $0.data.map { [UInt8]($0) } },
        zero: [],
        by: parents,
        ofBytes
      )
    case 11:
      return order("decimal", Wide.decimal, flags, { $0.decimal }, zero: 0, by: parents, compare)
    case 12 where depth == 0:
      let isDescending = flags.contains(.descending)
      return Order(
        title: "id \(flags)",
        apply: {
          $0.ordered(by: Property<Wide, Id, Void>(propertyId: 1, isPrimaryKey: true), flags: flags)
        },
        compare: { a, b in a.id == b.id ? 0 : (a.id < b.id) == isDescending ? 1 : -1 }
      )
    default:
      let isFolded = Bool.random(using: &random)
      let isSensitive = Int.random(in: 0..<3, using: &random) > 0
      if isSensitive { flags.append(.caseSensitive) }
      return order(
        isFolded ? "folded" : "text",
        isFolded ? Wide.folded : Wide.text,
        flags,
        { wide in
          (isFolded ? wide.folded : wide.text)
            .map { Array((isSensitive ? $0 : $0.lowercased()).utf8) }
        },
        zero: [],
        by: parents,
        ofBytes
      )
    }
  }

  @Test(arguments: 0..<TestLength.choose(short: 3, long: 12))
  func `orders and pages by values of every type are those of a sort`(seed: Int) throws {
    var random = SplitMix(seed: 200 + seed)
    let store = try WideStore(&random)
    let all = try store.fill(count: seed % 3 == 2 ? 1300 : 60, &random)
    let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
    let last = all.last?.id ?? 0
    for _ in 0..<(seed % 3 == 2 ? 6 : 30) {
      let isFiltered = Bool.random(using: &random)
      let (condition, test) =
        isFiltered ? RandomWide.tree(1, last, &random) : (Wide.id.isNotNil(), { _ in true })
      var builder = isFiltered ? store.box.query { condition } : store.box.query()
      let orders = (0..<random.pick([1, 1, 1, 2])).map { _ in order(byID, &random) }
      for order in orders { builder = order.apply(builder) }
      let title = orders.map(\.title).joined(separator: ", ")
      let query = try builder.build()
      let expected = all.filter(test).sorted { a, b in
        for order in orders {
          let result = order.compare(a, b)
          if result != 0 { return result < 0 }
        }
        return a.id < b.id
      }.map(\.id)
      let found = try query.findIds().map(\.value)
      #expect(found == expected, RandomWide.describe(query, title))
      let (offset, limit) = (
        random.pick([0, 0, 1, 7, 10_000, .max]), random.pick([1, 2, 5, 50, .max])
      )
      let part = try query.findIds(offset: offset, limit: limit).map(\.value)
      #expect(
        part == Array(expected.dropFirst(offset).prefix(limit)),
        RandomWide.describe(query, "\(title) \(offset) \(limit)")
      )
      let objects = try query.find(offset: offset, limit: limit).map(\.id)
      #expect(objects == part, RandomWide.describe(query, "\(title) objects \(offset) \(limit)"))
      let first = try query.findFirst()?.id
      #expect(first == expected.first, RandomWide.describe(query, "\(title) first"))
      if orders.contains(where: \.isRelated) { continue }
      let size = random.pick([1, 3, 11, 100])
      var paged: [Id] = []
      var cursor: PageCursor?
      repeat {
        let page = try query.find(after: cursor, limit: size)
        paged += page.objects.map(\.id)
        cursor = page.next
        if let next = cursor {
          cursor = try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode(next))
        }
      } while cursor != nil && paged.count < 200
      let wanted = paged.count < 200 ? expected : Array(expected.prefix(paged.count))
      #expect(paged == wanted, RandomWide.describe(query, "\(title) pages of \(size)"))
    }
  }
}
