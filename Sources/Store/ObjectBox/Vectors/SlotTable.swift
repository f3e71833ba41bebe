/// Finds the slot of an object ID: a hash table without removal.
///
/// It uses pointers instead of arrays: a search does thousands of look-ups.
final class SlotTable {
  /// Makes it hard to choose IDs with equal hashes.
  private static let seed = UInt64.random(in: 0 ... .max)

  private let seed = SlotTable.seed
  private var ids: UnsafeMutablePointer<UInt64>
  private var slots: UnsafeMutablePointer<UInt32>
  private var mask: Int
  private var count = 0

  init() {
    mask = (1 << 11) - 1
    ids = .allocate(capacity: mask + 1)
    ids.initialize(repeating: 0, count: mask + 1)
    slots = .allocate(capacity: mask + 1)
  }

  deinit {
    ids.deallocate()
    slots.deallocate()
  }

  /// The size of its memory in bytes.
  var byteCount: Int { (mask + 1) * 12 }

  /// Returns the slot of an ID; assigns slot `next` to a new ID.
  func slot(of id: UInt64, orAdd next: UInt32) -> UInt32 {
    var index = find(id)
    if ids[index] == id { return slots[index] }
    if count * 2 > mask {
      grow()
      index = find(id)
    }
    ids[index] = id
    slots[index] = next
    count += 1
    return next
  }

  /// The index of an ID, or a free index for it; free entries contain 0, which is not an ID.
  private func find(_ id: UInt64) -> Int {
    let product = (id ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    var index = Int(truncatingIfNeeded: product.high ^ product.low) & mask
    while ids[index] != 0 && ids[index] != id { index = (index &+ 1) & mask }
    return index
  }

  private func grow() {
    let (oldIDs, oldSlots, oldMask) = (ids, slots, mask)
    mask = mask * 2 + 1
    ids = .allocate(capacity: mask + 1)
    ids.initialize(repeating: 0, count: mask + 1)
    slots = .allocate(capacity: mask + 1)
    for old in 0...oldMask where oldIDs[old] != 0 {
      let index = find(oldIDs[old])
      ids[index] = oldIDs[old]
      slots[index] = oldSlots[old]
    }
    oldIDs.deallocate()
    oldSlots.deallocate()
  }
}
