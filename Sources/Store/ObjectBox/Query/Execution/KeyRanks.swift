/// The ranks of keys of one order, from 1 on.
enum KeyRanks {
  /// The place of a key in the list, and its beginning as a number: a smaller number is of a smaller key.
  private struct Entry {
    let beginning: UInt64
    let place: Int
  }

  /// Ranks the keys of an ascending order.
  ///
  /// Numbers are sorted as integers. Texts are sorted as integers by the eight bytes after the prefix that all
  /// of them share; only texts with equal bytes there are compared in full.
  ///
  /// - Parameter keys: The keys, all numbers or all bytes, or null.
  /// - Returns: The rank of each key; 0 for null. Equal keys have equal ranks.
  static func ranks(of keys: [ResultOrder.Key]) -> [UInt32] {
    let shared = sharedLength(keys)
    var entries: [Entry] = []
    entries.reserveCapacity(keys.count)
    for (place, key) in keys.enumerated() {
      if let beginning = beginning(of: key, after: shared) {
        entries.append(Entry(beginning: beginning, place: place))
      }
    }
    entries.sort { $0.beginning < $1.beginning }
    var ranks = [UInt32](repeating: 0, count: keys.count)
    var rank: UInt32 = 0
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].beginning == entries[start].beginning { end += 1 }
      if end - start > 1, case .bytes = keys[entries[start].place] {
        entries[start..<end].sort { compare(keys[$0.place], keys[$1.place]) < 0 }
      }
      for index in start..<end {
        let isNew =
          index == start || compare(keys[entries[index - 1].place], keys[entries[index].place]) != 0
        if isNew { rank += 1 }
        ranks[entries[index].place] = rank
      }
      start = end
    }
    return ranks
  }

  /// Returns the number of bytes at the beginning that all texts have.
  private static func sharedLength(_ keys: [ResultOrder.Key]) -> Int {
    var first: [UInt8]?
    var length = 0
    for case .bytes(let bytes) in keys {
      guard let first else {
        (first, length) = (bytes, bytes.count)
        continue
      }
      length = min(length, bytes.count)
      var index = 0
      while index < length, bytes[index] == first[index] { index += 1 }
      length = index
      if length == 0 { break }
    }
    return length
  }

  private static func beginning(of key: ResultOrder.Key, after shared: Int) -> UInt64? {
    switch key {
    case .null: return nil
    case .integer(let value): return value
    case .double(let value):
      // NaN is above all numbers, and there is one zero.
      if value.isNaN { return .max }
      let bits = (value == 0 ? 0 : value).bitPattern
      return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    case .bytes(let bytes):
      var number: UInt64 = 0
      for index in shared..<shared + 8 {
        number = number << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
      }
      return number
    }
  }

  /// Compares two keys with the same beginning; only texts can differ.
  private static func compare(_ a: ResultOrder.Key, _ b: ResultOrder.Key) -> Int {
    guard case .bytes(let a) = a, case .bytes(let b) = b else { return 0 }
    return a.withUnsafeBytes { a in
      b.withUnsafeBytes { ByteComparison.compare(a, $0, foldsCase: false) }
    }
  }
}
