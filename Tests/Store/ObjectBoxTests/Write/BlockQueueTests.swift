import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// The queue of asynchronous blocks, compared with a plain list.
struct BlockQueueTests {
  private static func block(_ number: UInt64) -> QueuedBlock {
    QueuedBlock(
      id: AsyncTransactionID(number: number),
      .task(isolation: nil, TaskSignal()),
      isSilent: number.isMultiple(of: 5)
    )
  }

  @Test(arguments: 0..<TestLength.choose(short: 20, long: 200))
  func `a queue has the blocks of a list in its order`(seed: Int) {
    var random = SplitMix(seed: seed)
    var queue = BlockQueue()
    var list: [QueuedBlock] = []
    for number in 0..<UInt64(400) {
      let block = Self.block(number)
      switch Int.random(in: 0..<(seed % 2 == 0 ? 6 : 12), using: &random) {
      case 0:
        queue.prepend(block)
        list.insert(block, at: 0)
      case 1:
        queue.insert(block) { $0.isSilent }
        list.insert(block, at: list.lastIndex { $0.isSilent }.map { $0 + 1 } ?? 0)
      case 2:
        // A block that was offered a transaction in vain returns to the front.
        guard let first = queue.popFirst() else { break }
        #expect(first === list.first)
        queue.prepend(first)
      case 3:
        let first = queue.popFirst()
        #expect(first === (list.isEmpty ? nil : list.removeFirst()))
      case 4, 5:
        guard !list.isEmpty else { break }
        let removed = list.remove(at: Int.random(in: list.indices, using: &random))
        #expect(queue.remove(removed.id) === removed)
        #expect(queue.remove(removed.id) == nil)
      default:
        queue.append(block)
        list.append(block)
      }
      #expect(queue.next === list.first)
      #expect(queue.isEmpty == list.isEmpty)
    }
    for block in list { #expect(queue.popFirst() === block) }
    #expect(queue.popFirst() == nil)
  }

  @Test func `a queue does not keep a removed block`() {
    var queue = BlockQueue()
    weak var removed: QueuedBlock?
    do {
      let block = Self.block(1)
      removed = block
      queue.append(block)
      queue.append(Self.block(2))
      _ = queue.remove(block.id)
    }
    #expect(removed == nil)
    #expect(!queue.isEmpty)
  }
}
