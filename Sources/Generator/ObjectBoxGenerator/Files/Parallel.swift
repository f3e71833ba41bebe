internal import Foundation
internal import Synchronization

/// Runs independent work on all processors.
enum Parallel {
  /// Returns the results in the order of the items.
  static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item],
    _ transform: @escaping @Sendable (Item) -> Result
  ) -> [Result] {
    let helpers = min(ProcessInfo.processInfo.activeProcessorCount, items.count) - 1
    guard helpers > 0 else { return items.map(transform) }
    let work = Work(items, transform)
    let group = DispatchGroup()
    for _ in 0..<helpers {
      group.enter()
      let thread = Thread {
        work.run()
        group.leave()
      }
      // As large as the main thread's stack, since syntax trees are walked recursively. Threads of
      // dispatch queues have an eighth of that or less on some systems.
      thread.stackSize = 8 << 20
      thread.start()
    }
    work.run()
    group.wait()
    return work.results
  }

  /// The items and results, shared by several threads.
  private final class Work<Item: Sendable, Result: Sendable>: Sendable {
    private let items: [Item]
    private let transform: @Sendable (Item) -> Result
    private let next = Atomic(0)
    private let finished: Mutex<[Result?]>

    init(_ items: [Item], _ transform: @escaping @Sendable (Item) -> Result) {
      self.items = items
      self.transform = transform
      finished = Mutex(Array(repeating: nil, count: items.count))
    }

    var results: [Result] { finished.withLock { $0.compactMap(\.self) } }

    /// Transforms items until none are left.
    func run() {
      while true {
        let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard place < items.count else { return }
        let result = transform(items[place])
        finished.withLock { $0[place] = result }
      }
    }
  }
}
