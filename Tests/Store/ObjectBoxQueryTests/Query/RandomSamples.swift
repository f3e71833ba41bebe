import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport

/// Random conditions and orders of samples, each with its equivalent in Swift.
enum RandomSamples {
  typealias Test = (Sample) -> Bool

  static let numbers: [Int32] = [.min, -5, -1, 0, 1, 2, 3, 7, .max]
  static let sizes: [UInt32] = [0, 1, 2, 100, 1 << 31, .max - 1, .max]
  static let dates = [-86400, 0, 0.001, 1, 5, 86400].map(Date.init(timeIntervalSince1970:))
  static let weights = [-Double.infinity, -1.5, -0.0, 0, 0.5, 2, .infinity]
  /// Contain zero bytes, which keys of several properties escape.
  static let keys = [(0, 0), (0, 1), (1, 0), (127, 255), (128, 0), (255, 255)].map { first, last in
    UUID(uuid: (first, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, last))
  }
  /// Longer than index keys; all texts that begin with it have the same key.
  private static let long = String(repeating: "long", count: 125)
  static let texts = [
    "", "a", "A", "ab", "abc", "Ab", "b", "é", "É", "日本", long, long + "1", "z\u{0}",
  ]

  // MARK: Conditions

  static func leaf(_ random: inout SplitMix) -> (QueryCondition<Sample>, Test) {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return number(&random)
    case 1: return size(&random)
    case 2: return text(&random)
    case 3: return date(&random)
    case 4: return weight(&random)
    case 5: return key(&random)
    default: return element(&random)
    }
  }

  private static func number(_ random: inout SplitMix) -> (QueryCondition<Sample>, Test) {
    let (a, b) = (random.pick(numbers), random.pick(numbers))
    func test(_ test: @escaping (Int32) -> Bool) -> Test { { $0.number.map(test) ?? false } }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return (Sample.number == a, test { $0 == a })
    case 1: return (Sample.number != a, test { $0 != a })
    case 2: return (Sample.number < a, test { $0 < a })
    case 3: return (Sample.number >= a, test { $0 >= a })
    case 4: return (Sample.number ∈ [a, b], test { $0 == a || $0 == b })
    case 5: return (Sample.number ∉ [a, b], test { $0 != a && $0 != b })
    case 6: return (Sample.number.isNil(), { $0.number == nil })
    case 7: return (Sample.number.isNotNil(), { $0.number != nil })
    case 8:
      return (Sample.number ∈ min(a, b)..<max(a, b), test { min(a, b) <= $0 && $0 < max(a, b) })
    default:
      return (Sample.number ∈ min(a, b)...max(a, b), test { min(a, b) <= $0 && $0 <= max(a, b) })
    }
  }

  private static func size(_ random: inout SplitMix) -> (QueryCondition<Sample>, Test) {
    let (a, b) = (random.pick(sizes), random.pick(sizes))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return (Sample.size == a, { $0.size == a })
    case 1: return (Sample.size > a, { $0.size > a })
    case 2: return (Sample.size <= a, { $0.size <= a })
    case 3:
      return (Sample.size ∈ min(a, b)..<max(a, b), { min(a, b) <= $0.size && $0.size < max(a, b) })
    default:
      return (
        Sample.size.isBetween(a, and: b), { min(a, b) <= $0.size && $0.size <= max(a, b) }
      )
    }
  }

  private static func text(_ random: inout SplitMix) -> (QueryCondition<Sample>, Test) {
    let (a, b) = (random.pick(texts), random.pick(texts))
    let isSensitive = Bool.random(using: &random)
    func bytes(_ text: String) -> [UInt8] { Array((isSensitive ? text : text.lowercased()).utf8) }
    let (left, right) = (bytes(a), bytes(b))
    func test(_ test: @escaping ([UInt8]) -> Bool) -> Test {
      { $0.text.map { test(bytes($0)) } ?? false }
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return (Sample.text.isEqual(to: a, caseSensitive: isSensitive), test { $0 == left })
    case 1: return (Sample.text.isNotEqual(to: a, caseSensitive: isSensitive), test { $0 != left })
    case 2:
      return (
        Sample.text.isLessThan(a, caseSensitive: isSensitive),
        test { $0.lexicographicallyPrecedes(left) }
      )
    case 3:
      return (
        Sample.text.isGreaterThan(a, caseSensitive: isSensitive),
        test { left.lexicographicallyPrecedes($0) }
      )
    case 4:
      return (
        Sample.text.isIn([a, b], caseSensitive: isSensitive), test { $0 == left || $0 == right }
      )
    case 5:
      return (Sample.text.hasPrefix(a, caseSensitive: isSensitive), test { $0.starts(with: left) })
    case 6:
      return (
        Sample.text.hasSuffix(a, caseSensitive: isSensitive),
        test { $0.reversed().starts(with: left.reversed()) }
      )
    case 7:
      return (
        Sample.text.contains(a, caseSensitive: isSensitive),
        test { text in left.isEmpty || text.firstRange(of: left) != nil }
      )
    default: return (Sample.text.isNil(), { $0.text == nil })
    }
  }

  private static func date(_ random: inout SplitMix) -> (QueryCondition<Sample>, Test) {
    let (a, b) = (random.pick(dates), random.pick(dates))
    func test(_ test: @escaping (Date) -> Bool) -> Test { { $0.date.map(test) ?? false } }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return (Sample.date == a, test { $0 == a })
    case 1: return (Sample.date < a, test { $0 < a })
    case 2: return (Sample.date > a, test { $0 > a })
    case 3: return (Sample.date ∈ [a, b], test { $0 == a || $0 == b })
    case 4:
      return (Sample.date ∈ min(a, b)..<max(a, b), test { min(a, b) <= $0 && $0 < max(a, b) })
    default:
      return (Sample.date ∈ min(a, b)...max(a, b), test { min(a, b) <= $0 && $0 <= max(a, b) })
    }
  }

  private static func weight(_ random: inout SplitMix) -> (QueryCondition<Sample>, Test) {
    let a = random.pick(weights)
    func test(_ test: @escaping (Double) -> Bool) -> Test { { $0.weight.map(test) ?? false } }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return (Sample.weight < a, test { $0 < a })
    case 1: return (Sample.weight <= a, test { $0 <= a })
    case 2: return (Sample.weight > a, test { $0 > a })
    case 3: return (Sample.weight >= a, test { $0 >= a })
    default: return (Sample.weight.isNil(), { $0.weight == nil })
    }
  }

  private static func key(_ random: inout SplitMix) -> (QueryCondition<Sample>, Test) {
    let (a, b) = (random.pick(keys), random.pick(keys))
    func test(_ test: @escaping (UUID) -> Bool) -> Test { { $0.key.map(test) ?? false } }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return (Sample.key == a, test { $0 == a })
    case 1: return (Sample.key != a, test { $0 != a })
    case 2: return (Sample.key ∈ [a, b], test { $0 == a || $0 == b })
    case 3: return (Sample.key ∉ [a, b], test { $0 != a && $0 != b })
    case 4: return (Sample.key.isNil(), { $0.key == nil })
    default: return (Sample.key.isNotNil(), { $0.key != nil })
    }
  }

  /// A condition that some element of a vector must meet.
  private static func element(_ random: inout SplitMix) -> (QueryCondition<Sample>, Test) {
    let number = random.pick(numbers)
    let text = random.pick(texts)
    func test(_ test: @escaping (Int32) -> Bool) -> Test {
      { $0.marks?.contains(where: test) ?? false }
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return (Sample.marks.isEqual(to: number), test { $0 == number })
    case 1: return (Sample.marks.isLessThan(number), test { $0 < number })
    case 2: return (Sample.marks.isGreaterOrEqual(number), test { $0 >= number })
    case 3:
      let bytes = Array(text.utf8)
      return (
        Sample.words.containsElement(element: text, caseSensitive: true),
        { $0.words?.contains { Array($0.utf8) == bytes } ?? false }
      )
    default:
      let bytes = Array(text.lowercased().utf8)
      return (
        Sample.words.containsElement(element: text, caseSensitive: false),
        { $0.words?.contains { Array($0.lowercased().utf8) == bytes } ?? false }
      )
    }
  }

  // MARK: Orders

  struct Order {
    let apply: (QueryBuilder<Sample>) -> QueryBuilder<Sample>
    /// Negative when the first sorts before the second, 0 when they are equal.
    let compare: (Sample, Sample) -> Int
  }

  static func order(_ random: inout SplitMix) -> Order {
    var flags: [OrderFlags] = []
    if Bool.random(using: &random) { flags.append(.descending) }
    if Int.random(in: 0..<3, using: &random) == 0 { flags.append(.nullsLast) }
    if Int.random(in: 0..<6, using: &random) == 0 { flags.append(.nullsZero) }
    switch Int.random(in: 0..<8, using: &random) {
    case 6:
      let isDescending = flags.contains(.descending)
      return Order(apply: { $0.ordered(by: Sample.id, flags: flags) }) { a, b in
        a.id == b.id ? 0 : (a.id < b.id) == isDescending ? 1 : -1
      }
    case 0:
      let isUnsigned = Int.random(in: 0..<4, using: &random) == 0
      if isUnsigned { flags.append(.unsigned) }
      return order(
        Sample.number,
        flags,
        { $0.number.map { isUnsigned ? Int64(UInt32(bitPattern: $0)) : Int64($0) } },
        zero: 0,
        <
      )
    case 1: return order(Sample.size, flags, { $0.size }, zero: 0, <)
    case 2:
      return order(Sample.date, flags, { $0.date }, zero: Date(timeIntervalSince1970: 0), <)
    case 3:
      // NaN sorts above all numbers.
      return order(Sample.weight, flags, { $0.weight }, zero: 0) {
        $0.isNaN ? false : $1.isNaN ? true : $0 < $1
      }
    case 4:
      return order(
        Sample.key,
        flags,
        { $0.key.map { withUnsafeBytes(of: $0.uuid, Array.init) } },
        zero: [],
        { $0.lexicographicallyPrecedes($1) }
      )
    default:
      let isSensitive = Int.random(in: 0..<3, using: &random) > 0
      if isSensitive { flags.append(.caseSensitive) }
      return order(
        Sample.text,
        flags,
        { $0.text.map { Array((isSensitive ? $0 : $0.lowercased()).utf8) } },
        zero: [],
        { $0.lexicographicallyPrecedes($1) }
      )
    }
  }

  private static func order<V, T>(
    _ property: Property<Sample, V, Void>,
    _ flags: [OrderFlags],
    _ value: @escaping (Sample) -> T?,
    zero: T,
    _ precedes: @escaping (T, T) -> Bool
  ) -> Order {
    // Cached: a sort compares each sample many times.
    var values: [Id: T?] = [:]
    func known(_ sample: Sample) -> T? {
      if let known = values[sample.id] { return known }
      let found = value(sample)
      values[sample.id] = .some(found)
      return found
    }
    return Order(apply: { $0.ordered(by: property, flags: flags) }) { a, b in
      let null = flags.contains(.nullsZero) ? zero : nil
      let nullPlace = flags.contains(.nullsLast) ? 1 : -1
      switch (known(a) ?? null, known(b) ?? null) {
      case (nil, nil): return 0
      case (nil, _): return nullPlace
      case (_, nil): return -nullPlace
      case (let a?, let b?):
        let result = precedes(a, b) ? -1 : precedes(b, a) ? 1 : 0
        return flags.contains(.descending) ? -result : result
      }
    }
  }
}
