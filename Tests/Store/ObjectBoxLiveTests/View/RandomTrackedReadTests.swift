import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Observation
import Synchronization
import Testing

/// Tracked reads of a live view against their values before and after each move.
struct RandomTrackedReadTests {
  /// A read with its value, and whether a change of it was told.
  private final class Tracked {
    let value: String
    private let read: () -> String
    private let isTold: Told

    private final class Told: Sendable {
      let state = Mutex(false)
    }

    init(_ read: @escaping () -> String) {
      let told = Told()
      value = withObservationTracking {
        read()
      } onChange: {
        told.state.withLock { $0 = true }
      }
      self.read = read
      isTold = told
    }

    var isChanged: Bool { read() != value }
    var wasTold: Bool { isTold.state.withLock { $0 } }
  }

  /// Reads of one thing each, and reads of several things that a value combines.
  private static func reads(_ live: LiveStore) throws -> (
    single: [() -> String], combined: [() -> String]
  ) {
    let people = try live.query(Person.self) { Person.age > 4 }.ordered(by: Person.age)
    let all = try live.query(Person.self)
    var single: [() -> String] = [
      { "\(people.count)" }, { "\(people.map(\.id.value))" }, { "\(all.count)" },
    ]
    var combined: [() -> String] = [
      { "\(people.first?.age ?? -1) \(all.isEmpty)" }, { "\(people.reversed().map(\.name))" },
    ]
    for person in all.prefix(4) {
      single += [{ person.name }, { "\(person.age)" }, { "\(person.isInvalidated)" }]
      combined.append { "\(person.email ?? "none") \(person.name)" }
    }
    return (single, combined)
  }

  private static func commit(_ store: Store, _ random: inout SplitMix) throws {
    let box = store.box(for: Person.self)
    try store.runInTransaction {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let person = try box.all().randomElement(using: &random)
        switch (person, Int.random(in: 0..<5, using: &random)) {
        case (let person?, 0): try box.remove(person)
        case (let person?, 1): person.name = random.pick(["a", "b"]); try box.put(person)
        case (let person?, 2):
          person.email = random.pick(["\(person.id)@home", nil]); try box.put(person)
        case (let person?, 3):
          person.age = Int32.random(in: 0...9, using: &random); try box.put(person)
        default: try box.put(Person("a", age: Int32.random(in: 0...9, using: &random)))
        }
      }
    }
  }

  @Test(arguments: 0..<60)
  func `a move tells exactly the reads whose values it changes`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    for _ in 0..<3 { try Self.commit(store, &random) }
    let live = try store.live()
    for _ in 0..<8 {
      let reads = try Self.reads(live)
      let (single, combined) = (reads.single.map(Tracked.init), reads.combined.map(Tracked.init))
      for _ in 0..<Int.random(in: 0...2, using: &random) { try Self.commit(store, &random) }
      try live.refresh()
      for read in single { #expect(read.wasTold == read.isChanged, "\(read.value)") }
      for read in combined { #expect(read.wasTold || !read.isChanged, "\(read.value)") }
    }
  }
}
