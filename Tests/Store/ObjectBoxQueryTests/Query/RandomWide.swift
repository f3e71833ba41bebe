import Foundation
import ObjectBox
import ObjectBoxTestSupport

/// Random values and conditions of wide objects, each with its equivalent in Swift.
enum RandomWide {
  typealias Test = (Wide) -> Bool
  typealias Leaf = (condition: QueryCondition<Wide>, test: Test)

  static let doubles: [Double] = [
    -.infinity, -1e300, -2.5, -Double.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude, 0.1,
    1, 1.5, 1e300, .infinity, .nan, -.nan, .greatestFiniteMagnitude,
  ]
  static let floats: [Float] = [
    -.infinity, -2.5, -0.0, 0, .leastNonzeroMagnitude, 0.1, 1, 16_777_216, .infinity, .nan,
  ]
  static let dates = [
    -86_400_000, -1, 0, 1, 1000, 1500, 86_400_000, 253_402_300_800_000,
  ].map { Date(timeIntervalSince1970: Double($0) / 1000) }
  static let long = String(repeating: "long", count: 120)
  static let texts = [
    "", "a", "A", "ab", "aB", "abc", "b", "é", "É", "e\u{301}", "日本", "z\u{0}", "z", "\u{0}",
    long, long + "1", long + "2", String(long.dropLast()), "\u{10FFFF}", "~",
  ]
  static let datas =
    texts.map { Data($0.utf8) } + [Data([255, 255]), Data([255]), Data([0, 255])]
  static let uuids = [(0, 0), (0, 1), (1, 0), (127, 255), (128, 0), (255, 255)].map { a, b in
    UUID(uuid: (a, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, b))
  }
  static let decimals = [
    "0", "-0", "1", "1.0", "1.5", "-1", "-1.5", "-1.25", "10", "100", "99.99", "1e30", "-1e30",
    "0.000000001", "12345678901234567890123456789012345678",
    "12345678901234567890123456789012345677",
    "1e127", "-1e127", "1e-127", "-1e-127",
  ].map { Decimal(string: $0) ?? 0 }

  static func integers<N: FixedWidthInteger>(_ type: N.Type) -> [N] {
    let most = N.max
    let least = N.min
    let half: N = most / 2
    var all: [N] = [least, least + 1, most, most - 1, half, half + 1]
    all += [0, 1, 2, 3, 7]
    if N.isSigned { all += [0 - 1, 0 - 2] }
    return all
  }

  static func fill(_ wide: Wide, parents: [EntityId<Wide>], _ random: inout SplitMix) {
    func some<T>(_ values: [T]) -> T? {
      Int.random(in: 0..<5, using: &random) == 0 ? nil : random.pick(values)
    }
    wide.int8 = some(integers(Int8.self))
    wide.uint8 = some(integers(UInt8.self))
    wide.int16 = some(integers(Int16.self))
    wide.uint16 = some(integers(UInt16.self))
    wide.int32 = some(integers(Int32.self))
    wide.uint32 = some(integers(UInt32.self))
    wide.int64 = some(integers(Int64.self))
    wide.uint64 = some(integers(UInt64.self))
    wide.flag = some([true, false])
    wide.float = some(floats)
    wide.double = some(doubles)
    wide.date = some(dates)
    wide.nano = some(dates.filter { $0.timeIntervalSince1970 < 9e9 })
    wide.text = some(texts)
    wide.folded = some(texts)
    wide.data = some(datas)
    wide.uuid = some(uuids)
    wide.decimal = some(decimals)
    wide.longs = some([[], [1], [.min, .max], [0, 0, -1], [5, 6, 7]])
    wide.floats = some([[], [1], [.nan], [-.infinity, .nan], [-0.0], [0, 2.5]])
    wide.parent.targetId = parents.isEmpty ? nil : some(parents)
  }

  // MARK: Conditions

  /// The comparisons: six orders, two ranges, two lists, two tests of null.
  static func test<V>(
    _ comparison: Int,
    _ a: V,
    _ b: V,
    _ get: @escaping (Wide) -> V?,
    _ order: @escaping (V, V) -> Int?
  ) -> Test {
    { wide in
      guard let value = get(wide) else { return comparison == 10 }
      func holds(_ other: V, _ test: (Int) -> Bool) -> Bool {
        order(value, other).map(test) ?? false
      }
      // A value that has no order, such as NaN, is in no list and outside of none.
      let isOrdered = order(value, value) != nil
      switch comparison {
      case 0: return holds(a) { $0 == 0 }
      case 1: return holds(a) { $0 != 0 }
      case 2: return holds(a) { $0 < 0 }
      case 3: return holds(a) { $0 <= 0 }
      case 4: return holds(a) { $0 > 0 }
      case 5: return holds(a) { $0 >= 0 }
      case 6:
        return (holds(a) { $0 >= 0 } && holds(b) { $0 <= 0 })
          || (holds(b) { $0 >= 0 } && holds(a) { $0 <= 0 })
      case 7: return holds(a) { $0 >= 0 } && holds(b) { $0 < 0 }
      case 8: return holds(a) { $0 == 0 } || holds(b) { $0 == 0 }
      case 9: return isOrdered && !(holds(a) { $0 == 0 }) && !(holds(b) { $0 == 0 })
      case 10: return false
      default: return true
      }
    }
  }

  static func order<V: Comparable & SendableMetatype>(_ a: V, _ b: V) -> Int? {
    a < b ? -1 : a == b ? 0 : a > b ? 1 : nil
  }

  static func order(_ a: [UInt8], _ b: [UInt8]) -> Int? {
    a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }

  static func integer<N: FixedWidthInteger & EntityPropertyTypeConvertible & SendableMetatype>(
    _ property: Property<Wide, N?, Void>,
    _ get: @escaping (Wide) -> N?,
    _ random: inout SplitMix
  ) -> Leaf {
    var (a, b) = (random.pick(integers(N.self)), random.pick(integers(N.self)))
    let comparison = Int.random(in: 0..<12, using: &random)
    if comparison == 7, a > b { (a, b) = (b, a) }
    let condition: QueryCondition<Wide> =
      switch comparison {
      case 0: property == a
      case 1: property != a
      case 2: property < a
      case 3: property <= a
      case 4: property > a
      case 5: property >= a
      case 6: property.isBetween(a, and: b)
      case 7: property ∈ a..<b
      case 8: property ∈ [a, b]
      case 9: property ∉ [a, b]
      case 10: property.isNil()
      default: property.isNotNil()
      }
    return (condition, test(comparison, a, b, get, order))
  }

  static func number<N: BinaryFloatingPoint & EntityPropertyTypeConvertible & SendableMetatype>(
    _ property: Property<Wide, N?, Void>,
    _ values: [N],
    _ get: @escaping (Wide) -> N?,
    _ random: inout SplitMix
  ) -> Leaf {
    var (a, b) = (random.pick(values), random.pick(values))
    let comparison = Int.random(in: 0..<12, using: &random)
    if comparison == 7 {
      if a.isNaN || b.isNaN { (a, b) = (0, 1) }
      if a > b { (a, b) = (b, a) }
    }
    let condition: QueryCondition<Wide> =
      switch comparison {
      case 0: property.isEqual(to: a)
      case 1: property.isNotEqual(to: a)
      case 2: property < a
      case 3: property <= a
      case 4: property > a
      case 5: property >= a
      case 6: property.isBetween(a, and: b)
      case 7: property.isIn(a..<b)
      case 8: property.isIn([a, b])
      case 9: property.isNotIn([a, b])
      case 10: property.isNil()
      default: property.isNotNil()
      }
    return (condition, test(comparison, a, b, get, order))
  }

  static func operand<V: OperandPropertyType, K>(
    _ property: Property<Wide, V, Void>,
    _ values: [V.Operand],
    _ get: @escaping (Wide) -> V.Operand?,
    _ key: @escaping (V.Operand) -> K,
    _ order: @escaping (K, K) -> Int?,
    _ random: inout SplitMix
  ) -> Leaf where V.Operand: SortedOperand {
    let (a, b) = (random.pick(values), random.pick(values))
    var comparison = Int.random(in: 0..<12, using: &random)
    if comparison == 7 { comparison = 6 }
    let condition: QueryCondition<Wide> =
      switch comparison {
      case 0: property == a
      case 1: property != a
      case 2: property < a
      case 3: property <= a
      case 4: property > a
      case 5: property >= a
      case 6: property.isBetween(a, and: b)
      case 8: property ∈ [a, b]
      case 9: property ∉ [a, b]
      case 10: property.isNil()
      default: property.isNotNil()
      }
    return (condition, test(comparison, key(a), key(b), { get($0).map(key) }, order))
  }

  static func text(
    _ property: Property<Wide, String?, Void>,
    _ get: @escaping (Wide) -> String?,
    _ random: inout SplitMix
  ) -> Leaf {
    let (a, b) = (random.pick(texts), random.pick(texts))
    let isSensitive = Bool.random(using: &random)
    func key(_ text: String) -> [UInt8] { Array((isSensitive ? text : text.lowercased()).utf8) }
    let comparison = Int.random(in: 0..<15, using: &random)
    let (first, second) = (key(a), key(b))
    let condition: QueryCondition<Wide>
    switch comparison {
    case 0: condition = property.isEqual(to: a, caseSensitive: isSensitive)
    case 1: condition = property.isNotEqual(to: a, caseSensitive: isSensitive)
    case 2: condition = property.isLessThan(a, caseSensitive: isSensitive)
    case 3: condition = property.isLessOrEqual(a, caseSensitive: isSensitive)
    case 4: condition = property.isGreaterThan(a, caseSensitive: isSensitive)
    case 5: condition = property.isGreaterOrEqual(a, caseSensitive: isSensitive)
    case 6: condition = property.isBetween(a, and: b, caseSensitive: isSensitive)
    case 8: condition = property.isIn([a, b], caseSensitive: isSensitive)
    case 9: condition = property.isNotIn([a, b], caseSensitive: isSensitive)
    case 10: condition = property.isNil()
    case 11: condition = property.isNotNil()
    case 12:
      return (
        property.hasPrefix(a, caseSensitive: isSensitive),
        { get($0).map { key($0).starts(with: first) } ?? false }
      )
    case 13:
      return (
        property.hasSuffix(a, caseSensitive: isSensitive),
        { get($0).map { key($0).reversed().starts(with: first.reversed()) } ?? false }
      )
    default:
      return (
        property.contains(a, caseSensitive: isSensitive),
        { get($0).map { first.isEmpty || key($0).firstRange(of: first) != nil } ?? false }
      )
    }
    return (condition, test(comparison, first, second, { get($0).map(key) }, order))
  }

  static func flag(_ random: inout SplitMix) -> Leaf {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: (Wide.flag == true, { $0.flag == true })
    case 1: (Wide.flag != true, { $0.flag == false })
    case 2: (Wide.flag == false, { $0.flag == false })
    default: (Wide.flag.isNil(), { $0.flag == nil })
    }
  }

  static func id(_ last: Id, _ random: inout SplitMix) -> Leaf {
    let id = random.pick([0, 1, 5, 9, last, last + 1, .max])
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return (Wide.id == id, { $0.id == id })
    case 1: return (Wide.id != id, { $0.id != id })
    case 2: return (Wide.id.isNil(), { _ in false })
    case 3: return (Wide.id.isNotNil(), { _ in true })
    case 4:
      return (
        Wide.parent == EntityId(id), { id != 0 && $0.parent.targetId?.value == id }
      )
    case 5:
      return (
        Wide.parent != EntityId(id), { $0.parent.targetId.map { $0.value != id } ?? false }
      )
    default: return (Wide.parent.isNotNil(), { $0.parent.targetId != nil })
    }
  }

  static func element(_ random: inout SplitMix) -> Leaf {
    let long = random.pick(integers(Int64.self))
    let float = random.pick(floats)
    func any(_ test: @escaping (Int64) -> Bool) -> Test {
      { $0.longs?.contains(where: test) ?? false }
    }
    func some(_ test: @escaping (Float) -> Bool) -> Test {
      { $0.floats?.contains(where: test) ?? false }
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return (Wide.longs.isEqual(to: long), any { $0 == long })
    case 1: return (Wide.longs.isLessThan(long), any { $0 < long })
    case 2: return (Wide.longs.isGreaterThan(long), any { $0 > long })
    case 3: return (Wide.longs.isGreaterOrEqual(long), any { $0 >= long })
    case 4: return (Wide.longs.isLessOrEqual(long), any { $0 <= long })
    case 5: return (Wide.floats.isLessThan(float), some { $0 < float })
    case 6: return (Wide.floats.isGreaterThan(float), some { $0 > float })
    case 7: return (Wide.floats.isGreaterOrEqual(float), some { $0 >= float })
    default: return (Wide.floats.isLessOrEqual(float), some { $0 <= float })
    }
  }

  static func leaf(last: Id, _ random: inout SplitMix) -> Leaf {
    switch Int.random(in: 0..<21, using: &random) {
    case 0: integer(Wide.int8, { $0.int8 }, &random)
    case 1: integer(Wide.uint8, { $0.uint8 }, &random)
    case 2: integer(Wide.int16, { $0.int16 }, &random)
    case 3: integer(Wide.uint16, { $0.uint16 }, &random)
    case 4: integer(Wide.int32, { $0.int32 }, &random)
    case 5: integer(Wide.uint32, { $0.uint32 }, &random)
    case 6: integer(Wide.int64, { $0.int64 }, &random)
    case 7: integer(Wide.uint64, { $0.uint64 }, &random)
    case 8: number(Wide.float, floats, { $0.float }, &random)
    case 9: number(Wide.double, doubles, { $0.double }, &random)
    case 10: operand(Wide.date, dates, { $0.date }, { $0 }, order, &random)
    case 11: operand(Wide.nano, dates, { $0.nano }, { $0 }, order, &random)
    case 12: operand(Wide.data, datas, { $0.data }, { [UInt8]($0) }, order, &random)
    case 13: operand(Wide.decimal, decimals, { $0.decimal }, { $0 }, order, &random)
    case 14, 15: text(Wide.text, { $0.text }, &random)
    case 16, 17: text(Wide.folded, { $0.folded }, &random)
    case 18: flag(&random)
    case 19: id(last, &random)
    default: element(&random)
    }
  }
}
