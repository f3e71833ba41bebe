internal import ObjectBox

/// The state of an aggregate for each group.
protocol Accumulator: AnyObject {
  /// Adds a batch, whose records belong to the given groups; groups below `groupCount` exist.
  func add(_ batch: RecordBatch, _ groups: UnsafePointer<UInt32>, groupCount: Int)

  /// Adds the groups of another accumulator of the same type; `groups` has their numbers here.
  func add(_ other: Self, _ groups: [UInt32], groupCount: Int)

  /// Adds a result of a database to a group; groups below `groupCount` exist.
  func add(_ state: GroupPart.State, _ group: Int, groupCount: Int)

  /// Returns the value of a group.
  func content(_ group: Int) throws -> GroupCell.Content
}

/// Counts the values that are not null.
final class ValueCounter: Accumulator {
  private let column: Int
  private(set) var counts: [Int] = []

  init(column: Int) { self.column = column }

  func add(_ batch: RecordBatch, _ groups: UnsafePointer<UInt32>, groupCount: Int) {
    counts.extend(to: groupCount, with: 0)
    let values = batch.values(column)
    counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<batch.count { counts[Int(groups[index])] += Int(values.presence[index]) }
    }
  }

  func add(_ other: ValueCounter, _ groups: [UInt32], groupCount: Int) {
    counts.extend(to: groupCount, with: 0)
    for (group, count) in zip(groups, other.counts) { counts[Int(group)] += count }
  }

  func add(_ state: GroupPart.State, _ group: Int, groupCount: Int) {
    counts.extend(to: groupCount, with: 0)
    if case .count(let count) = state { counts[group] += count }
  }

  func content(_ group: Int) -> GroupCell.Content { .integer(Int64(counts[group])) }
}

/// The sums of integers.
///
/// A group takes 8 bytes, and 8 more for a mean, so that more groups fit into the processor's cache.
final class IntegerSums: Accumulator {
  private let column: Int
  private let mask: UInt64
  private let isUnsigned: Bool
  private let isMean: Bool
  /// The sums modulo 2⁶⁴; with `isWide` unsigned, else signed.
  private var sums: [Int64] = []
  /// The multiples of 2⁶⁴ that the sums lack; empty until a sum has overflowed.
  private var carries: [Int64] = []
  /// The numbers of values; empty except for means.
  private var counts: [Int] = []

  /// True for values of all 64 bits without a sign.
  private var isWide: Bool { isUnsigned && mask == .max }

  /// - Parameters:
  ///   - column: The column of the batches.
  ///   - order: The property's; says whether values are unsigned.
  ///   - isMean: True for the mean of the values.
  init(column: Int, _ order: IntegerOrder, isMean: Bool) {
    self.column = column
    self.isMean = isMean
    isUnsigned = order.flip == 0
    mask = order.mask
  }

  func add(_ batch: RecordBatch, _ groups: UnsafePointer<UInt32>, groupCount: Int) {
    extend(to: groupCount)
    let values = batch.values(column)
    // Null is stored as 0 in the batch. All bits of a signed value count.
    let mask = isUnsigned ? Int64(bitPattern: mask) : -1
    let isWide = isWide
    sums.withUnsafeMutableBufferPointer { sums in
      for index in 0..<batch.count {
        let value = values.numbers[index] & mask
        let group = Int(groups[index])
        let (sum, overflow) = Self.sum(sums[group], value, isWide)
        sums[group] = sum
        if overflow { carry(value, group, groupCount) }
      }
    }
    if !isMean { return }
    counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<batch.count { counts[Int(groups[index])] += Int(values.presence[index]) }
    }
  }

  @inline(__always)
  private static func sum(_ sum: Int64, _ value: Int64, _ isWide: Bool) -> (Int64, Bool) {
    if !isWide { return sum.addingReportingOverflow(value) }
    let (bits, overflow) = UInt64(bitPattern: sum)
      .addingReportingOverflow(UInt64(bitPattern: value))
    return (Int64(bitPattern: bits), overflow)
  }

  @inline(never)
  private func carry(_ value: Int64, _ group: Int, _ groupCount: Int) {
    carries.extend(to: groupCount, with: 0)
    carries[group] += isWide || value > 0 ? 1 : -1
  }

  private func extend(to groupCount: Int) {
    sums.extend(to: groupCount, with: 0)
    if isMean { counts.extend(to: groupCount, with: 0) }
    if !carries.isEmpty { carries.extend(to: groupCount, with: 0) }
  }

  private func sum(_ group: Int) -> Int128 {
    let low = isWide ? Int128(UInt64(bitPattern: sums[group])) : Int128(sums[group])
    return carries.isEmpty ? low : low + Int128(carries[group]) << 64
  }

  private func add(_ sum: Int128, _ count: Int, _ group: Int) {
    let total = self.sum(group) + sum
    let low = Int64(truncatingIfNeeded: total)
    sums[group] = low
    let carry = (total - (isWide ? Int128(UInt64(bitPattern: low)) : Int128(low))) >> 64
    if carry != 0 || !carries.isEmpty {
      carries.extend(to: sums.count, with: 0)
      carries[group] = Int64(carry)
    }
    if isMean { counts[group] += count }
  }

  func add(_ other: IntegerSums, _ groups: [UInt32], groupCount: Int) {
    extend(to: groupCount)
    for group in other.sums.indices {
      add(other.sum(group), isMean ? other.counts[group] : 0, Int(groups[group]))
    }
  }

  func add(_ state: GroupPart.State, _ group: Int, groupCount: Int) {
    extend(to: groupCount)
    if case .integers(let sum, let count) = state { add(sum, count, group) }
  }

  func content(_ group: Int) throws -> GroupCell.Content {
    let sum = sum(group)
    if isMean {
      return counts[group] == 0 ? .null : .double(sum.mean(of: counts[group]))
    }
    guard let number = Int64(exactly: sum) else {
      throw ObjectBoxError.sumOverflow("the sum \(sum) of a group does not fit into 64 bits")
    }
    return .integer(number)
  }
}

/// The sums of floating point numbers, with twice their precision.
final class DoubleSums: Accumulator {
  private struct Sum {
    var sum = DoubleSum()
    var count = 0
  }

  private let column: Int
  private let isMean: Bool
  private var sums: [Sum] = []

  init(column: Int, isMean: Bool) {
    self.column = column
    self.isMean = isMean
  }

  func add(_ batch: RecordBatch, _ groups: UnsafePointer<UInt32>, groupCount: Int) {
    sums.extend(to: groupCount, with: Sum())
    let values = batch.values(column)
    sums.withUnsafeMutableBufferPointer { sums in
      for index in 0..<batch.count where values.presence[index] != 0 {
        let number = Double(bitPattern: UInt64(bitPattern: values.numbers[index]))
        sums[Int(groups[index])].sum.add(number)
        sums[Int(groups[index])].count += 1
      }
    }
  }

  func add(_ other: DoubleSums, _ groups: [UInt32], groupCount: Int) {
    sums.extend(to: groupCount, with: Sum())
    for (group, sum) in zip(groups, other.sums) {
      sums[Int(group)].sum.add(sum.sum)
      sums[Int(group)].count += sum.count
    }
  }

  func add(_ state: GroupPart.State, _ group: Int, groupCount: Int) {
    sums.extend(to: groupCount, with: Sum())
    if case .doubles(let first, let second, let count) = state {
      sums[group].sum.add(first)
      sums[group].sum.add(second)
      sums[group].count += count
    }
  }

  func content(_ group: Int) -> GroupCell.Content {
    let sum = sums[group]
    if isMean { return sum.count == 0 ? .null : .double(sum.sum.value / Double(sum.count)) }
    return .double(sum.sum.value)
  }
}

/// The least or greatest numbers; NaN is none of them.
final class NumberExtremes: Accumulator {
  private let column: Int
  private let isMax: Bool
  /// Maps a value to an integer that sorts the same way.
  private let rank: NumberRank
  private let makeContent: @Sendable (Int64) -> GroupCell.Content
  /// The least or greatest ranks; `worst` for none.
  private var best: [UInt64] = []
  /// For groups whose best rank is `worst`: true if a value has it.
  private var hasWorst: [Bool] = []

  /// The worst possible rank.
  private var worst: UInt64 { isMax ? 0 : .max }

  init(
    column: Int,
    isMax: Bool,
    _ rank: NumberRank,
    content: @escaping @Sendable (Int64) -> GroupCell.Content
  ) {
    self.column = column
    self.isMax = isMax
    self.rank = rank
    makeContent = content
  }

  func add(_ batch: RecordBatch, _ groups: UnsafePointer<UInt32>, groupCount: Int) {
    extend(to: groupCount)
    // A loop for each form of numbers.
    switch rank {
    case .integer(let order): add(batch, groups, { order.key($0) & order.mask }, { _ in true })
    case .double: add(batch, groups, NumberRank.double.rank) { !NumberRank.isNaN($0) }
    }
  }

  @inline(__always)
  private func add(
    _ batch: RecordBatch,
    _ groups: UnsafePointer<UInt32>,
    _ rank: (Int64) -> UInt64,
    _ counts: (Int64) -> Bool
  ) {
    let values = batch.values(column)
    // Complements of ranks, so that the greatest becomes the least.
    let flip: UInt64 = isMax ? .max : 0
    best.withUnsafeMutableBufferPointer { best in
      for index in 0..<batch.count where !values.hasNull || values.presence[index] != 0 {
        guard counts(values.numbers[index]) else { continue }
        let (rank, group) = (rank(values.numbers[index]) ^ flip, Int(groups[index]))
        best[group] = min(best[group] ^ flip, rank) ^ flip
        if rank == .max { hasWorst[group] = true }
      }
    }
  }

  private func extend(to groupCount: Int) {
    best.extend(to: groupCount, with: worst)
    hasWorst.extend(to: groupCount, with: false)
  }

  private func isThere(_ group: Int) -> Bool { best[group] != worst || hasWorst[group] }

  private func add(_ rank: UInt64, _ group: Int) {
    best[group] = isMax ? max(best[group], rank) : min(best[group], rank)
    if rank == worst { hasWorst[group] = true }
  }

  func add(_ other: NumberExtremes, _ groups: [UInt32], groupCount: Int) {
    extend(to: groupCount)
    for group in other.best.indices where other.isThere(group) {
      add(other.best[group], Int(groups[group]))
    }
  }

  func add(_ state: GroupPart.State, _ group: Int, groupCount: Int) {
    extend(to: groupCount)
    if case .extreme(.number(let number)?) = state { add(rank.rank(number), group) }
  }

  func content(_ group: Int) -> GroupCell.Content {
    isThere(group) ? makeContent(rank.value(best[group])) : .null
  }
}

/// Numbers in a form that sorts like unsigned integers.
enum NumberRank {
  case integer(IntegerOrder)
  /// NaN is above all numbers.
  case double

  @inline(__always)
  static func isNaN(_ bits: Int64) -> Bool { Double(bitPattern: UInt64(bitPattern: bits)).isNaN }

  @inline(__always)
  func rank(_ bits: Int64) -> UInt64 {
    switch self {
    case .integer(let order): return order.key(bits) & order.mask
    case .double:
      let number = Double(bitPattern: UInt64(bitPattern: bits))
      // All zeros are one value, and all NaNs.
      let pattern = (number == 0 ? 0 : number.isNaN ? Double.nan : number).bitPattern
      return pattern >> 63 == 0 ? pattern | 1 << 63 : ~pattern
    }
  }

  func value(_ rank: UInt64) -> Int64 {
    switch self {
    case .integer(let order): return Int64(bitPattern: rank ^ order.flip)
    case .double: return Int64(bitPattern: rank >> 63 == 0 ? ~rank : rank ^ 1 << 63)
    }
  }
}

/// The least or greatest texts, by their bytes.
final class TextExtremes: Accumulator {
  private let column: Int
  private let isMax: Bool
  private var best: [TextKey?] = []

  init(column: Int, isMax: Bool) {
    self.column = column
    self.isMax = isMax
  }

  func add(_ batch: RecordBatch, _ groups: UnsafePointer<UInt32>, groupCount: Int) {
    best.extend(to: groupCount, with: nil)
    let values = batch.values(column)
    for index in 0..<batch.count where values.presence[index] != 0 {
      add(values.texts[index].buffer, Int(groups[index]))
    }
  }

  private func add(_ text: some Sequence<UInt8>, _ group: Int) {
    if let known = best[group],
      isMax
        ? !known.bytes.lexicographicallyPrecedes(text)
        : !text.lexicographicallyPrecedes(known.bytes)
    {
      return
    }
    best[group] = TextKey(Array(text))
  }

  func add(_ other: TextExtremes, _ groups: [UInt32], groupCount: Int) {
    best.extend(to: groupCount, with: nil)
    for (group, text) in zip(groups, other.best) { if let text { add(text.bytes, Int(group)) } }
  }

  func add(_ state: GroupPart.State, _ group: Int, groupCount: Int) {
    best.extend(to: groupCount, with: nil)
    if case .extreme(.text(let text)?) = state { add(text, group) }
  }

  func content(_ group: Int) -> GroupCell.Content {
    best[group].map { .text(String(decoding: $0.bytes, as: UTF8.self)) } ?? .null
  }
}

extension Array {
  /// Appends a value until there are `count`.
  fileprivate mutating func extend(to count: Int, with value: Element) {
    if self.count < count { append(contentsOf: repeatElement(value, count: count - self.count)) }
  }
}
