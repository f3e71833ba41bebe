/// A table of 64-bit keys, which numbers them from 0 on.
///
/// Small keys are indexes of an array; others have open addressing.
final class KeyTable {
  /// The end of the keys that are indexes, a power of two.
  private static let smallEnd: UInt64 = 1 << 16

  private(set) var keys: [UInt64] = []
  // Not arrays: each key would check their bounds.
  /// The numbers of the keys below `smallCount`; `.max` for none.
  private var small: UnsafeMutablePointer<UInt32>
  private var smallCount = 256
  private var slots: UnsafeMutablePointer<UInt32>
  /// A power of two, at least twice the number of keys.
  private var slotCount = 64
  private var shift: UInt64 = 58
  private let seeds = TextTable.seeds

  init() {
    small = .allocate(capacity: smallCount)
    small.initialize(repeating: .max, count: smallCount)
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: .max, count: slotCount)
  }

  deinit {
    small.deallocate()
    slots.deallocate()
  }

  /// Finds the numbers of keys; gives new ones to new keys.
  func number(
    _ keys: UnsafePointer<Int64>,
    count: Int,
    into numbers: UnsafeMutablePointer<UInt32>
  ) {
    for index in 0..<count { numbers[index] = number(UInt64(bitPattern: keys[index])) }
  }

  /// Returns the number of a key, a new one for a new key.
  @inline(__always)
  func number(_ key: UInt64) -> UInt32 {
    if key < UInt64(truncatingIfNeeded: smallCount) {
      let number = small[Int(truncatingIfNeeded: key)]
      if number != .max { return number }
    }
    return numberElsewhere(key)
  }

  @inline(never)
  private func numberElsewhere(_ key: UInt64) -> UInt32 {
    if key < Self.smallEnd {
      if key >= UInt64(smallCount) { growSmall(to: key) }
      // A smaller key may have grown the array after this one came.
      if small[Int(key)] == .max { small[Int(key)] = add(key) }
      return small[Int(key)]
    }
    var slot = place(of: key)
    while slots[slot] != .max {
      if keys[Int(slots[slot])] == key { return slots[slot] }
      slot = (slot + 1) & (slotCount - 1)
    }
    let number = add(key)
    slots[slot] = number
    if keys.count * 2 > slotCount { grow() }
    return number
  }

  private func add(_ key: UInt64) -> UInt32 {
    keys.append(key)
    return UInt32(keys.count - 1)
  }

  private func place(of key: UInt64) -> Int {
    // A fixed factor would let stored numbers be chosen that all get the same slot.
    Int(truncatingIfNeeded: TextTable.mix(key ^ seeds.0, seeds.1) >> shift)
  }

  private func growSmall(to key: UInt64) {
    let old = (small, smallCount)
    while smallCount <= Int(key) { smallCount *= 2 }
    small = .allocate(capacity: smallCount)
    small.initialize(from: old.0, count: old.1)
    (small + old.1).initialize(repeating: .max, count: smallCount - old.1)
    old.0.deallocate()
  }

  private func grow() {
    slots.deallocate()
    shift -= 1
    slotCount *= 2
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: .max, count: slotCount)
    for (number, key) in keys.enumerated() where key >= Self.smallEnd {
      var slot = place(of: key)
      while slots[slot] != .max { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = UInt32(number)
    }
  }
}

/// A table of pairs of numbers, which numbers them from 0 on.
///
/// Pairs of few numbers are places of a matrix; others are keys of a table.
final class PairTable {
  /// The greatest number of places of the matrix.
  private static let matrixLimit = 1 << 16

  /// The first numbers in the higher half, the second ones in the lower half.
  var pairs: [UInt64] { table?.keys ?? placed }
  private var placed: [UInt64] = []
  private var matrix: UnsafeMutablePointer<UInt32>
  private var rowCount = 16
  /// The binary logarithm of the number of columns.
  private var columnBits = 4
  /// The table that has replaced the matrix.
  private var table: KeyTable?

  init() {
    matrix = .allocate(capacity: rowCount << columnBits)
    matrix.initialize(repeating: .max, count: rowCount << columnBits)
  }

  deinit {
    matrix.deallocate()
  }

  var count: Int { table?.keys.count ?? placed.count }

  /// Replaces the first numbers of pairs by the numbers of the pairs; new pairs get new ones.
  ///
  /// - Parameters:
  ///   - firsts: The first numbers.
  ///   - seconds: The second numbers.
  ///   - count: Number of pairs.
  ///   - ends: The ends of the first and of the second numbers.
  func number(
    _ firsts: UnsafeMutablePointer<UInt32>,
    _ seconds: UnsafePointer<UInt32>,
    count: Int,
    ends: (Int, Int)
  ) {
    makeRoom(ends)
    if let table {
      for index in 0..<count { firsts[index] = table.number(pair(firsts[index], seconds[index])) }
      return
    }
    for index in 0..<count {
      let place = Int(firsts[index]) << columnBits | Int(seconds[index])
      var number = matrix[place]
      if number == .max {
        number = UInt32(placed.count)
        placed.append(pair(firsts[index], seconds[index]))
        matrix[place] = number
      }
      firsts[index] = number
    }
  }

  @inline(__always)
  private func pair(_ first: UInt32, _ second: UInt32) -> UInt64 {
    UInt64(first) << 32 | UInt64(second)
  }

  /// Makes the matrix large enough, or replaces it by a table.
  private func makeRoom(_ ends: (Int, Int)) {
    if table != nil || ends.0 <= rowCount && ends.1 <= 1 << columnBits { return }
    while rowCount < ends.0 { rowCount *= 2 }
    while 1 << columnBits < ends.1 { columnBits += 1 }
    matrix.deallocate()
    guard rowCount << columnBits <= Self.matrixLimit else {
      matrix = .allocate(capacity: 1)
      let table = KeyTable()
      // In the same order, so that each pair keeps its number.
      for pair in placed { _ = table.number(pair) }
      placed = []
      self.table = table
      return
    }
    matrix = .allocate(capacity: rowCount << columnBits)
    matrix.initialize(repeating: .max, count: rowCount << columnBits)
    for (number, pair) in placed.enumerated() {
      matrix[Int(pair >> 32) << columnBits | Int(pair & 0xFFFF_FFFF)] = UInt32(number)
    }
  }
}
