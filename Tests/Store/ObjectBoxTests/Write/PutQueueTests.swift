import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// The queue of puts, and its marks.
struct PutQueueTests {
  private final class Object {}

  /// Notes its number when it is stored.
  private struct NumberedPut: QueuedPut {
    let number: Int
    let note: (Int) -> Void
    func store() { note(number) }
    func finish() {}
  }

  /// A queue, and its expected content.
  private final class Run {
    let queue = PutQueue()
    let objects = (0..<12).map { _ in Object() }
    var random: SplitMix
    var known: [Int: UInt64] = [:]
    var waiting: [Int] = []
    private var stored: [Int] = []
    private var last = 0

    init(seed: Int) { random = SplitMix(seed: seed) }

    func step(depth: Int) throws {
      let place = Int.random(in: objects.indices, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2:
        last += 1
        let (id, isKnown) = queue.id(of: objects[place], given: 0, isOfClass: true) { UInt64(last) }
        #expect(isKnown == (known[place] != nil))
        #expect(id == known[place] ?? UInt64(last))
        known[place] = id
      case 3:
        queue.forget(objects[place])
        known[place] = nil
      case 4, 5:
        last += 1
        queue.add(NumberedPut(number: last) { self.stored.append($0) })
        waiting.append(last)
      case 6:
        try queue.run()
        #expect(stored == waiting)
        (stored, waiting) = ([], [])
      case 7 where depth > 2:
        queue.clear()
        (known, waiting) = ([:], [])
      default:
        guard depth < 5 else { return }
        let (mark, before) = (queue.mark, (known, waiting))
        for _ in 0..<Int.random(in: 1...12, using: &random) { try step(depth: depth + 1) }
        if Bool.random(using: &random) {
          queue.restore(mark)
          (known, waiting) = before
        }
      }
      #expect(queue.isWaiting == !waiting.isEmpty)
      for (place, object) in objects.enumerated() {
        #expect(queue.id(of: object) == known[place])
      }
    }
  }

  @Test(arguments: 0..<6)
  func `a restored queue has the content of its mark, whatever came since`(seed: Int) throws {
    let run = Run(seed: seed)
    for _ in 0..<100 { try run.step(depth: 0) }
  }
}
