/// The asynchronous blocks that wait for a transaction, in order.
///
/// Each change takes constant time on average, except `insert(_:behindLast:)`: a program may cancel
/// thousands of blocks.
struct BlockQueue {
  /// The order of the blocks; IDs of removed blocks stay until they outnumber the others.
  private var order: [AsyncTransactionID] = []
  /// The place of the first block in the order.
  private var first = 0
  private var blocks: [AsyncTransactionID: QueuedBlock] = [:]

  var isEmpty: Bool { blocks.isEmpty }

  /// The first block; nil for none.
  var next: QueuedBlock? { order[first...].lazy.compactMap { blocks[$0] }.first }

  mutating func append(_ block: QueuedBlock) {
    blocks[block.id] = block
    order.append(block.id)
  }

  /// Adds a block before all others.
  mutating func prepend(_ block: QueuedBlock) {
    blocks[block.id] = block
    if first == 0 {
      order.insert(block.id, at: 0)
    } else {
      first -= 1
      order[first] = block.id
    }
  }

  /// Adds a block after the last one that meets a condition; before all others if there is none.
  mutating func insert(_ block: QueuedBlock, behindLast condition: (QueuedBlock) -> Bool) {
    let last = order[first...].lastIndex { blocks[$0].map(condition) ?? false }
    guard let last else { return prepend(block) }
    blocks[block.id] = block
    order.insert(block.id, at: last + 1)
  }

  /// Removes the first block and returns it; nil for none.
  mutating func popFirst() -> QueuedBlock? {
    while first < order.count {
      first += 1
      if let block = remove(order[first - 1]) { return block }
    }
    return nil
  }

  /// Removes a block and returns it; nil when it does not wait.
  mutating func remove(_ id: AsyncTransactionID) -> QueuedBlock? {
    guard let block = blocks.removeValue(forKey: id) else { return nil }
    if order.count > 2 * blocks.count + 8 {
      order = order[first...].filter { blocks[$0] != nil }
      first = 0
    }
    return block
  }
}
