internal import CObjectBoxRecords

/// A table of texts with open addressing, which numbers them from 0 on.
final class TextTable {
  /// Seeds that make it hard to choose texts or numbers with equal hashes.
  static let seeds = (
    UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max) | 1
  )

  /// A text up to its bytes.
  private struct Key {
    /// The first and the last 8 bytes, which may overlap; of a shorter text, all its bytes.
    ///
    /// A text of up to 16 bytes is equal to another if these words and the sizes are.
    var first: UInt64
    var last: UInt64
    var size: UInt32
  }

  private struct Entry {
    var size: Int
    var hash: UInt64
    /// Offset of the copy in the bytes.
    var begin: Int
  }

  /// The key and the number of a text; a size that no text has for none.
  private struct Slot {
    var first: UInt64 = 0
    var last: UInt64 = 0
    var size: UInt32 = .max
    var number: UInt32 = 0
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// A power of two, at least four times the number of texts.
  ///
  /// Most texts are then in their first slot; processors cannot predict the steps to the others.
  @exclusivity(unchecked) private var slotCount = 64
  // Not an array: each text would check its bounds.
  @exclusivity(unchecked) private var slots: UnsafeMutablePointer<Slot>

  init() {
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(), count: slotCount)
  }

  deinit {
    slots.deallocate()
  }

  var count: Int { entries.count }

  /// Finds the numbers of texts; gives new ones to new texts.
  func number(
    _ texts: UnsafePointer<obx_bytes>,
    count: Int,
    into numbers: UnsafeMutablePointer<UInt32>
  ) {
    let seeds = Self.seeds
    for index in 0..<count { numbers[index] = number(texts[index].buffer, seeds) }
  }

  /// Returns the number of a text, a new one for a new text.
  func number(_ text: UnsafeRawBufferPointer) -> UInt32 { number(text, Self.seeds) }

  @inline(__always)
  private func number(_ text: UnsafeRawBufferPointer, _ seeds: (UInt64, UInt64)) -> UInt32 {
    let key = Self.key(text)
    let hash = Self.hash(text, key, seeds)
    var place = Int(truncatingIfNeeded: hash) & (slotCount - 1)
    while true {
      let slot = slots + place
      if slot.pointee.first == key.first, slot.pointee.last == key.last,
        slot.pointee.size == key.size
      {
        let number = slot.pointee.number
        if key.size <= 16 || isRestEqual(number, text) { return number }
      } else if slot.pointee.size == .max {
        return insert(text, key, hash, place)
      }
      place = (place + 1) & (slotCount - 1)
    }
  }

  /// Returns a number that no text has.
  func addPlace() -> UInt32 {
    entries.append(Entry(size: 0, hash: 0, begin: bytes.count))
    return UInt32(count - 1)
  }

  @inline(never)
  private func insert(
    _ text: UnsafeRawBufferPointer,
    _ key: Key,
    _ hash: UInt64,
    _ place: Int
  ) -> UInt32 {
    let number = UInt32(count)
    entries.append(Entry(size: text.count, hash: hash, begin: bytes.count))
    bytes.append(contentsOf: text)
    slots[place] = Slot(first: key.first, last: key.last, size: key.size, number: number)
    if count * 4 > slotCount { grow() }
    return number
  }

  private func grow() {
    let old = UnsafeMutableBufferPointer(start: slots, count: slotCount)
    slotCount *= 2
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(), count: slotCount)
    for slot in old where slot.size != .max {
      var place = Int(truncatingIfNeeded: entries[Int(slot.number)].hash) & (slotCount - 1)
      while slots[place].size != .max { place = (place + 1) & (slotCount - 1) }
      slots[place] = slot
    }
    old.deallocate()
  }

  /// Passes the bytes of a text to a body.
  func withText<R>(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let entry = entries[number]
    return try bytes.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[entry.begin..<entry.begin + entry.size]))
    }
  }

  /// Returns whether a text with the key of a known one has the same bytes between the key's words.
  @inline(never)
  private func isRestEqual(_ number: UInt32, _ text: UnsafeRawBufferPointer) -> Bool {
    let begin = entries[Int(number)].begin
    return bytes.withUnsafeBytes { bytes in
      var offset = 8
      // The last 8 bytes are equal.
      while offset + 8 < text.count {
        let word = bytes.loadUnaligned(fromByteOffset: begin + offset, as: UInt64.self)
        if word != text.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
        offset += 8
      }
      return true
    }
  }

  @inline(__always)
  private static func key(_ text: UnsafeRawBufferPointer) -> Key {
    let count = text.count
    // No text of a record has more bytes than 32 bits count.
    let size = UInt32(truncatingIfNeeded: count)
    if count >= 8 {
      return Key(
        first: text.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        last: text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self),
        size: size
      )
    }
    if count >= 4 {
      return Key(
        first: UInt64(text.loadUnaligned(fromByteOffset: 0, as: UInt32.self)),
        last: UInt64(text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)),
        size: size
      )
    }
    if count == 0 { return Key(first: 0, last: 0, size: 0) }
    // The middle byte is the last one of two, the first of one.
    let first = UInt64(text[0]) | UInt64(text[count >> 1]) << 8
    return Key(first: first, last: UInt64(text[count - 1]), size: size)
  }

  @inline(__always)
  private static func hash(
    _ text: UnsafeRawBufferPointer,
    _ key: Key,
    _ seeds: (UInt64, UInt64)
  ) -> UInt64 {
    let hash = mix(key.first ^ seeds.0, key.last ^ seeds.1 ^ UInt64(key.size) << 56)
    return key.size <= 16 ? hash : hashOfRest(text, hash, seeds)
  }

  /// Adds the bytes between the first and the last 8 to a hash.
  @inline(never)
  private static func hashOfRest(
    _ text: UnsafeRawBufferPointer,
    _ hash: UInt64,
    _ seeds: (UInt64, UInt64)
  ) -> UInt64 {
    var hash = hash
    var offset = 8
    while offset + 8 < text.count {
      hash = mix(hash ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self), seeds.1)
      offset += 8
    }
    return hash
  }

  @inline(__always)
  static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = first.multipliedFullWidth(by: second)
    return product.high ^ product.low
  }
}
