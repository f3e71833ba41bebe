/// A table of texts with open addressing, which numbers them from 0 on.
struct TextTable {
  /// Makes it hard to choose texts with equal hashes.
  private static let seed = UInt64.random(in: 0 ... .max)

  private var bytes: [UInt8] = []
  /// The end of each text in the bytes.
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  private var slots = [UInt32](repeating: .max, count: 64)

  var count: Int { ends.count }

  /// Returns the number of a text, a new one for a new text.
  mutating func number(_ text: UnsafeRawBufferPointer) -> UInt32 {
    let hash = Self.hash(text)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while true {
      let number = slots[slot]
      if number == .max {
        slots[slot] = UInt32(count)
        return insert(text, hash)
      }
      if hashes[Int(number)] == hash, withText(Int(number), { Self.areEqual($0, text) }) {
        return number
      }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  /// Returns a number that no text has.
  mutating func addPlace() -> UInt32 {
    ends.append(bytes.count)
    hashes.append(0)
    return UInt32(count - 1)
  }

  private mutating func insert(_ text: UnsafeRawBufferPointer, _ hash: UInt64) -> UInt32 {
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    hashes.append(hash)
    let number = UInt32(count - 1)
    if count * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt32](repeating: .max, count: old.count * 2)
    for number in old where number != .max {
      var slot = Int(truncatingIfNeeded: hashes[Int(number)]) & (slots.count - 1)
      while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = number
    }
  }

  /// Passes the bytes of a text to a body.
  func withText<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let begin = number == 0 ? 0 : ends[number - 1]
    return try bytes.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[begin..<ends[number]]))
    }
  }

  @inline(__always)
  private static func areEqual(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer
  ) -> Bool {
    guard first.count == second.count else { return false }
    var offset = 0
    while offset + 8 <= first.count {
      let word = first.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != second.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset += 8
    }
    while offset < first.count {
      if first[offset] != second[offset] { return false }
      offset += 1
    }
    return true
  }

  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(text.count)
    var offset = 0
    func add(_ word: UInt64) {
      let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low
    }
    while offset + 8 <= text.count {
      add(text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < text.count {
      rest = rest << 8 | UInt64(text[offset])
      offset += 1
    }
    add(rest)
    return hash
  }
}
