import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Backups and checks during writes.
struct BackupConcurrencyTests {
  @Test func `backups and checks beside a writer are whole and sound`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let isDone = NSLock()
    nonisolated(unsafe) var done = false
    let writer = Thread {
      var generator = SplitMix(seed: 3)
      let box = store.box(for: Person.self)
      while !isDone.withLock({ done }) {
        // Each commit adds one person of each age.
        try? store.runInTransaction {
          try box.put((0..<10).map { Person("\($0)", age: Int32($0)) })
          if generator.next() % 3 == 0 { try box.removeAll() }
        }
      }
    }
    writer.start()
    for number in 0..<15 {
      let path = temporary.folder.path + "/backup\(number)"
      let version = try store.backup(to: path)
      #expect(version != nil)
      let copy = try Store(model: try TemporaryStore.model(), directory: path)
      let ages = try copy.box(for: Person.self).all().map(\.age)
      #expect(
        Dictionary(grouping: ages) { $0 }.mapValues(\.count).values.allSatisfy {
          $0 * 10 == ages.count
        }
      )
      copy.close()
      let faults = try store.verify().faults
      #expect(faults.isEmpty, "\(faults)")
    }
    isDone.withLock { done = true }
    while !writer.isFinished { await Task.yield() }
  }
}
