/// The slots of the nodes with which a node is linked on one level.
struct LinkList {
  var slots: UnsafeMutablePointer<UInt32>
  var count: Int
  var capacity: Int

  func contains(_ slot: UInt32) -> Bool {
    var index = 0
    while index < count {
      if slots[index] == slot { return true }
      index &+= 1
    }
    return false
  }

  mutating func append(_ slot: UInt32, in arena: MemoryArena) {
    if count == capacity {
      let old = slots
      capacity = max(4, capacity * 2)
      slots = LinkList.room(capacity, in: arena)
      slots.update(from: old, count: count)
    }
    slots[count] = slot
    count += 1
  }

  mutating func remove(_ slot: UInt32) {
    var index = 0
    while index < count && slots[index] != slot { index &+= 1 }
    guard index < count else { return }
    count -= 1
    slots[index] = slots[count]
  }

  static func empty(capacity: Int, in arena: MemoryArena) -> LinkList {
    LinkList(slots: room(capacity, in: arena), count: 0, capacity: capacity)
  }

  private static func room(_ capacity: Int, in arena: MemoryArena) -> UnsafeMutablePointer<UInt32> {
    arena.allocate(byteCount: capacity * 4).bindMemory(to: UInt32.self, capacity: capacity)
  }
}

/// A node in the cache of a transaction; its slot is its index among the nodes.
struct VectorNode {
  let id: UInt64
  /// The vector; nil until it is read.
  ///
  /// In read transactions it points into the record.
  var vector: UnsafeRawPointer?
  /// The links of the levels from 0 on; nil until they are read, and if the node is not in the
  /// graph.
  var lists: UnsafeMutablePointer<LinkList>?
  var scale: Float = 1
  // A byte: two nodes must fit into a cache line.
  private var levels: UInt8 = 0
  /// True if the links differ from the stored links.
  var isChanged = false

  init(id: UInt64) {
    self.id = id
  }

  var levelCount: Int {
    get { Int(levels) }
    set { levels = UInt8(newValue) }
  }
}
