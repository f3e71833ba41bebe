/// Lists of numbers by hashed keys.
///
/// An open-addressed table without counted references: a lookup takes a few nanoseconds, most of them for absent keys.
/// A dictionary would hash the key again, and count references to the list.
struct HashedNumbers: Sendable {
  private struct Node: Sendable {
    var number: Int32
    /// The index of the next node of the list; -1 at the end.
    var next: Int32
  }

  /// The keys by place, 0 for free places; the search for a key begins at the place of its lowest bits.
  private var keys: [UInt64] = Array(repeating: 0, count: 16)
  /// The first nodes of the keys' lists.
  private var heads: [Int32] = Array(repeating: -1, count: 16)
  private var nodes: [Node] = []
  /// The first unused node.
  private var free: Int32 = -1
  private var count = 0

  /// True if there is no key.
  var isEmpty: Bool { count == 0 }

  /// Adds a number to the list of a key.
  mutating func add(_ number: Int32, at hash: UInt64) {
    if count * 2 >= keys.count { grow() }
    let key = Self.key(hash)
    let place = place(of: key)
    if keys[place] == 0 {
      keys[place] = key
      count += 1
    }
    let node = Node(number: number, next: heads[place])
    if free >= 0 {
      heads[place] = free
      free = nodes[Int(free)].next
      nodes[Int(heads[place])] = node
    } else {
      heads[place] = Int32(nodes.count)
      nodes.append(node)
    }
  }

  /// Removes all occurrences of a number from the list of a key.
  mutating func remove(_ number: Int32, at hash: UInt64) {
    let place = place(of: Self.key(hash))
    guard keys[place] != 0 else { return }
    var kept: Int32 = -1
    var index = heads[place]
    while index >= 0 {
      let next = nodes[Int(index)].next
      if nodes[Int(index)].number == number {
        nodes[Int(index)].next = free
        free = index
      } else {
        nodes[Int(index)].next = kept
        kept = index
      }
      index = next
    }
    heads[place] = kept
    if kept < 0 { removeKey(at: place) }
  }

  /// Passes the numbers of a key to a body.
  @inline(__always)
  func forEach(at hash: UInt64, _ body: (Int32) -> Void) {
    let place = place(of: Self.key(hash))
    var index = heads[place]
    while index >= 0 {
      body(nodes[Int(index)].number)
      index = nodes[Int(index)].next
    }
  }

  private static func key(_ hash: UInt64) -> UInt64 { hash == 0 ? 1 : hash }

  /// The place of a key, or the free place for it.
  private func place(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var place = Int(truncatingIfNeeded: key) & mask
    while keys[place] != 0, keys[place] != key { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = (keys: keys, heads: heads)
    keys = Array(repeating: 0, count: old.keys.count * 2)
    heads = Array(repeating: -1, count: old.keys.count * 2)
    for (key, head) in zip(old.keys, old.heads) where key != 0 {
      let place = place(of: key)
      keys[place] = key
      heads[place] = head
    }
  }

  /// Removes a key, and moves later keys whose searches would end at the free place.
  private mutating func removeKey(at place: Int) {
    let mask = keys.count - 1
    var free = place
    var next = (place + 1) & mask
    while keys[next] != 0 {
      let home = Int(truncatingIfNeeded: keys[next]) & mask
      if (next - home) & mask >= (next - free) & mask {
        keys[free] = keys[next]
        heads[free] = heads[next]
        free = next
      }
      next = (next + 1) & mask
    }
    keys[free] = 0
    heads[free] = -1
    count -= 1
  }
}
