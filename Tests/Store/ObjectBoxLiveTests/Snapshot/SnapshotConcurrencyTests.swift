import Dispatch
import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Run under the thread sanitizer as well.
struct SnapshotConcurrencyTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    try people.put([Person("A", age: 1), Person("B", age: 2), Person("C", age: 3)])
  }

  /// Runs a body on several threads at once, and waits for all.
  private static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }.start()
    }
    group.wait()
  }

  @Test func `eight threads read one snapshot at once, while others write`() throws {
    let snapshot = try store.freeze()
    let results = try snapshot.query(Person.self) { Person.age >= 1 }
    let first = try #require(try snapshot.object(Person.self, 1))
    try people.removeAll()
    let failures = Guarded<[String]>([])
    let people = people
    Self.onThreads(9) { number in
      do {
        for round in 0..<50 {
          if number == 8 {
            try people.put(Person("new \(round)"))
            continue
          }
          let names = try results.find().map(\.name)
          let ages = results.map { $0.age }
          let sum = try snapshot.query(Person.self).values(of: Person.age).reduce(0, +)
          if names != ["A", "B", "C"] || ages != [1, 2, 3] || sum != 6 || first.name != "A" {
            failures.withLock { $0.append("\(names) \(ages) \(sum)") }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock(\.self) == [])
    #expect(try people.count() == 50)
  }

  @Test func `snapshots are made, shared and let go on all threads`() throws {
    let failures = Guarded<[String]>([])
    let store = store
    Self.onThreads(8) { number in
      do {
        for _ in 0..<50 {
          if number < 2 { try store.write { _ = try $0.put([Person("x"), Person("y")]) } }
          let snapshot = try store.freeze()
          let again = try store.freeze()
          let isOdd = try snapshot.count(Person.self) % 2 == 0
          let isOlder = try again.version() < snapshot.version()
          if isOdd || isOlder { failures.withLock { $0.append("torn or backwards") } }
          if number == 7 { snapshot.invalidate() }
        }
      } catch ObjectBoxError.invalidated {
        // Another thread has the same snapshot, and invalidated it.
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock(\.self) == [])
    #expect(store.activeVersions.isEmpty)
  }

  @Test func `threads read a snapshot right until another one ends it`() throws {
    let (store, people) = (store, people)
    let failures = Guarded<[String]>([])
    for _ in 0..<50 {
      let snapshot = try store.freeze()
      Self.onThreads(4) { number in
        do {
          if number == 3 {
            for round in 0..<10 { try people.put(Person("new \(round)")) }
            snapshot.invalidate()
            // Overwrites the pages of the ended version.
            for round in 0..<10 { try people.put(Person("newer \(round)")) }
            return
          }
          let first = try snapshot.count(Person.self)
          while true {
            let age = try snapshot.object(Person.self, 2)?[Person.age]
            let count = try snapshot.query(Person.self).find().count
            if age != 2 || count != first {
              return failures.withLock { $0.append("\(age as Any) \(count)") }
            }
          }
        } catch ObjectBoxError.invalidated {
          // The fourth thread invalidated it.
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(store.activeVersions.isEmpty)
    }
    #expect(failures.withLock(\.self) == [])
  }

  @Test func `of threads that resolve one reference, one gets it`() throws {
    let object = try #require(try store.freeze().object(Person.self, 1))
    let store = store
    for _ in 0..<10 {
      let reference = try ThreadSafeReference(to: object)
      let count = Guarded(0)
      Self.onThreads(4) { _ in
        let found: Person? = try? store.read { try $0.resolve(reference) }
        if found?.name == "A" { count.withLock { $0 += 1 } }
      }
      #expect(count.withLock(\.self) == 1)
    }
  }

  @Test func `a hundred tasks use one variable`() async throws {
    @ThreadSafe var person: FrozenObject<Person>? = try store.freeze().object(Person.self, 1)
    let store = store
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask { [$person] in
          if number % 2 == 0 { return $person.wrappedValue?.name == "A" }
          return try await store.write { transaction in
            try transaction.modify($person) { $0.age += 1 } != nil
          }
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(person?.age == 51)
  }
}
