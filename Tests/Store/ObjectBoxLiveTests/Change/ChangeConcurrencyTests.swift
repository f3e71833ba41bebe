import Dispatch
import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Run under the thread sanitizer as well.
@Suite(.timeLimit(.minutes(15)))
struct ChangeConcurrencyTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore(indexes: .none)
    store = temporary.store
    people = store.box(for: Person.self)
  }

  /// Runs each body on its own thread, and waits for all.
  private func concurrently(_ bodies: [@Sendable () throws -> Void]) {
    let group = DispatchGroup()
    for body in bodies {
      group.enter()
      Thread {
        #expect(throws: Never.self) { try body() }
        group.leave()
      }.start()
    }
    group.wait()
  }

  @Test(.tags(.slow)) func `silent objects are never told, and all others are`() throws {
    // In memory, so that commits do not wait for a disk.
    let store = try Store(model: try TemporaryStore.model(.none), directory: "memory:silent-writes")
    defer { store.close() }
    let people = store.box(for: Person.self)
    let recorder = ChangeRecorder<CollectionEvent>()
    let token = try people.query().build().observe(recorder)
    let second = ChangeRecorder<CollectionEvent>()
    let other = try people.query { Person.age == 1 }.build().observe(second)
    #expect(recorder.take() == [.initial([])])
    let silent = Guarded<Set<Id>>([])
    let isDone = Guarded(false)
    concurrently([
      {
        var own: [Id] = []
        for _ in 0..<2000 {
          // Keeps few objects, so that queries are fast.
          let old = own.count > 20 ? own.removeFirst() : 0
          own.append(
            try store.write(withoutNotifying: [token]) { transaction in
              try transaction.remove(EntityId<Person>(old))
              return try transaction.put(Person("s", age: 1))
            }
          )
          silent.withLock { [own] in _ = $0.insert(own[own.count - 1]) }
        }
        isDone.withLock { $0 = true }
      },
      {
        while !isDone.withLock(\.self) {
          let id = try store.write { try $0.put(Person("told")) }
          if !id.isMultiple(of: 20) { try store.write { _ = try $0.remove(EntityId<Person>(id)) } }
        }
      },
      {
        while !isDone.withLock(\.self) {
          let query = try store.box(for: Person.self).query { Person.name == "told" }.build()
          if let id = try query.findIds().first {
            try store.write { _ = try $0.modify(id) { $0.age = 2 } }
          }
        }
      },
    ])
    let silentIDs = silent.withLock(\.self)
    var known: Set<Id> = []
    for event in recorder.take() {
      let told = event.insertions.map { event.ids[$0] }
      #expect(silentIDs.isDisjoint(with: told))
      known.formUnion(told)
    }
    // Objects that were removed before the handler ran need not be reported.
    let stored = Set(try people.query { Person.name == "told" }.build().findIds().map(\.value))
    #expect(stored.isSubset(of: known))
    #expect(silentIDs.count == 2000)
    // The second observer is not left out, so it gets each silent write.
    var seen: [Id] = []
    for event in second.take() { seen = event.applied(to: seen) }
    #expect(seen == (try people.query { Person.age == 1 }.build().findIds().map(\.value)))
    #expect(seen.count == 21 && silentIDs.isSuperset(of: seen))
    token.invalidate()
    other.invalidate()
  }

  @Test func `sets follow each other without a gap while several threads write`() throws {
    let recorders = (0..<3).map { _ in ChangeRecorder<CollectionEvent>() }
    let queries = try [
      people.query().build(), people.query().ordered(by: Person.age).build(),
      people.query { Person.age < 50 }.ordered(by: Person.name).build(),
    ]
    let tokens = try zip(queries, recorders).map { try $0.observe($1) }
    let store = store
    concurrently(
      (0..<4).map { thread in
        { @Sendable in
          var random = SplitMix(seed: thread)
          for _ in 0..<200 {
            try store.write { transaction in
              let person = Person(
                "\(random.next() % 10)",
                age: .random(in: 0..<100, using: &random)
              )
              try transaction.put(person)
              let id = EntityId<Person>(.random(in: 1...person.id, using: &random))
              if Bool.random(using: &random) {
                try transaction.remove(id)
              } else {
                try transaction.modify(id) { $0.age = .random(in: 0..<100, using: &random) }
              }
            }
          }
        }
      }
    )
    for (query, recorder) in zip(queries, recorders) {
      var ids: [Id] = []
      var version = 0
      for event in recorder.take() {
        ids = event.applied(to: ids)
        #expect(ids == event.ids)
        #expect(event.version > version)
        version = event.version
      }
      #expect(ids == (try query.findIds().map(\.value)))
    }
    for token in tokens { token.invalidate() }
  }

  @Test func `each modification is told, whoever writes`() throws {
    let count = 8
    try people.put((0..<count).map { Person("\($0)") })
    let recorder = ChangeRecorder<CollectionEvent>()
    let token = try people.query().build().observe(recorder)
    #expect(recorder.take().count == 1)
    let store = store
    let commits = try store.commits()
    concurrently(
      (0..<count).map { thread in
        { @Sendable in
          for round in 1...50 {
            try store.write { transaction in
              _ = try transaction.modify(EntityId<Person>(Id(thread + 1))) { $0.age = Int32(round) }
            }
          }
        }
      }
    )
    var modified: Set<Int> = []
    for event in recorder.take() { modified.formUnion(event.modifications) }
    #expect(modified == Set(0..<count))
    withExtendedLifetime(commits) {}
    token.invalidate()
  }

  @Test func `observations begin and end while others write`() throws {
    let store = store
    let queue = SerialQueue()
    let isDone = Guarded(false)
    concurrently([
      {
        for round in 0..<300 { try store.write { try $0.put(Person("\(round)")) } }
        isDone.withLock { $0 = true }
      },
      {
        while !isDone.withLock(\.self) {
          let seen = Guarded<[Id]>([])
          let token = try store.box(for: Person.self).query().build().observe(on: queue) { change in
            let event = CollectionEvent(change)
            seen.withLock { $0 = event.applied(to: $0) }
            if seen.withLock({ $0 }) != event.ids { Issue.record("a set does not fit") }
          }
          queue.sync {}
          token.invalidate()
        }
      },
      {
        while !isDone.withLock(\.self) {
          let token = try store.observe(on: queue) { _ in }
          queue.sync { token.invalidate() }
        }
      },
    ])
    queue.sync {}
  }

  @Test func `loops follow writers of other tasks`() async throws {
    let (store, people) = (store, people)
    let query = try people.query().ordered(by: Person.name).build()
    let changes = try store.changes(query)
    let commits = try store.commits()
    async let written: Void = withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<3 {
        group.addTask {
          for round in 0..<50 {
            _ = try await store.write { try $0.put(Person("\(task) \(round)")) }
          }
        }
      }
      try await group.waitForAll()
    }
    var ids: [Id] = []
    for await change in changes {
      let event = CollectionEvent(change)
      ids = event.applied(to: ids)
      #expect(ids == event.ids)
      if ids.count == 150 { break }
    }
    try await written
    var inserted: Set<Id> = []
    var version = commits.start
    for await commit in commits {
      #expect(commit.version > version)
      version = commit.version
      inserted.formUnion(commit.changes["Person"]?.inserted ?? [])
      if inserted.count == 150 { break }
    }
    #expect(inserted == Set(ids))
  }
}
