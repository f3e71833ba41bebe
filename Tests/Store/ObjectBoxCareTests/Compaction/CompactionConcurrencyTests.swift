import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Threads that read and write during repeated compactions.
@Suite(.serialized)
struct CompactionConcurrencyTests {
  @Test func `threads of a process read and write on during compactions`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let box = store.box(for: Person.self)
    try box.put((0..<200).map { Person("\($0)", email: "first \($0)") })
    let faults = Guarded<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 5) { thread in
      do {
        switch thread {
        case 0: for _ in 0..<25 { try store.compact() }
        case 1, 2:
          for step in 0..<150 {
            // Each write keeps the count.
            try store.write { transaction in
              let id = EntityId<Person>(
                try transaction.put(Person("\(thread)", email: "\(thread) \(step)"))
              )
              try transaction.remove(id)
            }
          }
        case 3:
          for _ in 0..<150 where try box.all().count != 200 {
            faults.withLock { $0.append("objects are missing") }
          }
        default:
          for _ in 0..<60 {
            let snapshot = try store.freeze()
            let first = try snapshot.query(Person.self).find().map(\.name)
            let second = try snapshot.query(Person.self).find().map(\.name)
            if first != second || first.count != 200 {
              faults.withLock { $0.append("a snapshot changed") }
            }
          }
        }
      } catch { faults.withLock { $0.append("\(error)") } }
    }
    #expect(faults.withLock { $0 } == [])
    #expect(try box.count() == 200)
    #expect(try store.verify().faults == [])
  }

  @Test func `asynchronous writers and live views go on during compactions`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let (writers, writes) = (3, 40)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<20 {
          try store.compact()
          await Task.yield()
        }
      }
      for writer in 0..<writers {
        group.addTask {
          for write in 0..<writes {
            let email = "\(writer) \(write)"
            _ = try await store.write { try $0.put(Person("\(writer)", email: email)) }
          }
        }
      }
      group.addTask {
        let people = store.box(for: Person.self)
        for write in 0..<writes {
          _ = try people.async.put(Person("queued", email: "queued \(write)"))
        }
      }
      group.addTask {
        let live = try store.live()
        let people = try live.query(Person.self)
        var count = 0
        for _ in 0..<writes {
          try live.refresh()
          // Counts never fall: nothing is removed, and a refreshed view shows one version.
          #expect(people.count >= count)
          count = people.count
          #expect(try live.query(Person.self).count == count)
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    let box = store.box(for: Person.self)
    #expect(store.awaitAsyncCompleted())
    #expect(try box.count() == (writers + 1) * writes)
    #expect(Set(try box.all().compactMap(\.email)).count == (writers + 1) * writes)
    #expect(try store.verify().faults == [])
  }
}
