import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Held versions leave reader slots to plain reads.
struct ReaderSlotTests {
  private static func store(maxReaders: UInt32) throws -> Store {
    try Store(
      model: try TemporaryStore.model(),
      directory: Store.inMemoryPrefix + UUID().uuidString,
      maxReaders: maxReaders
    )
  }

  /// Holds snapshots of up to `count` versions; the error tells why it stopped earlier.
  private static func hold(_ count: Int, of store: Store) throws -> ([Snapshot], (any Error)?) {
    let people = store.box(for: Person.self)
    var snapshots: [Snapshot] = []
    do {
      for _ in 0..<count {
        try people.put(Person("A"))
        snapshots.append(try store.freeze())
      }
      return (snapshots, nil)
    } catch {
      return (snapshots, error)
    }
  }

  @Test(arguments: [0, 126, 200] as [UInt32])
  func `threads read while as many versions are held as may be`(maxReaders: UInt32) throws {
    let store = try Self.store(maxReaders: maxReaders)
    let (snapshots, error) = try Self.hold(1100, of: store)
    #expect(snapshots.count == 898)
    guard case ObjectBoxError.maxReadersExceeded(let message)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("hold 898") && message.contains("invalidate()"))
    let people = store.box(for: Person.self)
    #expect(throws: ObjectBoxError.self) { try store.freeze() }
    let failures = Guarded<[String]>([])
    let isBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    for _ in 0..<100 {
      group.enter()
      Thread {
        do {
          try store.runInReadOnlyTransaction { () throws in
            isBegun.signal()
            mayEnd.wait()
            if try people.count() != 899 { failures.withLock { $0.append("count") } }
          }
        } catch {
          isBegun.signal()
          failures.withLock { $0.append("\(error)") }
        }
        group.leave()
      }.start()
    }
    for _ in 0..<100 { isBegun.wait() }
    for _ in 0..<100 { mayEnd.signal() }
    group.wait()
    #expect(failures.withLock(\.self) == [])
    #expect(try snapshots[0].count(Person.self) == 1)
    snapshots[0].invalidate()
    #expect(try store.freeze().count(Person.self) == 899)
  }
}
