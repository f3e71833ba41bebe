import Dispatch
import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Blocks that read a version in place may run any code: no lock is held meanwhile.
///
/// Run under the thread sanitizer as well.
struct ReadingBodyConcurrencyTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    try people.put([Person("A", age: 1), Person("B", age: 2), Person("C", age: 3)])
  }

  /// Runs each body on its own thread at once, and returns their errors; nil when one hangs.
  private static func failures(of bodies: [@Sendable () throws -> Void]) -> [String]? {
    let found = Guarded<[String]>([])
    let group = DispatchGroup()
    for body in bodies {
      group.enter()
      Thread {
        do { try body() } catch { found.withLock { $0.append("\(error)") } }
        group.leave()
      }.start()
    }
    guard group.wait(timeout: .now() + 60) == .success else { return nil }
    return found.withLock(\.self)
  }

  private static func run(_ body: @escaping @Sendable () throws -> Void) -> [String]? {
    failures(of: [body])
  }

  private static func text(_ bytes: RawSpan) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: One thread

  @Test func `a live view answers, freezes, moves and ends inside of withBytes`() {
    let (store, people) = (store, people)
    let failures = Self.run {
      let live = try store.live()
      let object = try #require(try live.object(Person.self, 1))
      let text = try object.withBytes(of: Person.name) { bytes in
        let version = try live.version()
        #expect(try live.freeze().version() == version)
        // These commits overwrite pages that no version pins.
        let written = Self.run {
          try people.remove(1)
          for number in 0..<100 { try people.put(Person("more \(number)", age: 9)) }
        }
        #expect(written == [])
        #expect(try live.refresh())
        #expect(try live.version() > version)
        #expect(try live.query(Person.self).count == 102)
        live.invalidate()
        let replaced = Self.run {
          try people.removeAll()
          for _ in 0..<100 { try people.put(Person("again")) }
        }
        #expect(replaced == [])
        return Self.text(bytes)
      }
      #expect(text == "A")
      #expect(try live.query(Person.self).count == 100)
    }
    #expect(failures == [])
    #expect(store.activeVersions.isEmpty)
  }

  @Test func `a live view that moves in its own block holds the old version until the block ends`()
  {
    let (store, people) = (store, people)
    let failures = Self.run {
      let live = try store.live()
      let object = try #require(try live.object(Person.self, 1))
      try object.withBytes(of: Person.name) { _ in
        #expect(Self.run { try people.put(Person("D")) } == [])
        try live.refresh()
        #expect(store.activeVersions.count == 2)
      }
      #expect(store.activeVersions.count == 1)
      // No block reads the view now, so it moves in place.
      try people.put(Person("E"))
      try live.refresh()
      #expect(store.activeVersions.count == 1)
      #expect(try live.query(Person.self).count == 5)
    }
    #expect(failures == [])
  }

  @Test func `two snapshots nest in one another, and the first one in the second`() {
    let (store, people) = (store, people)
    let failures = Self.run {
      let first = try store.freeze()
      try people.put(Person("D"))
      let second = try store.freeze()
      let outer = try #require(try first.object(Person.self, 1))
      let inner = try #require(try second.object(Person.self, 2))
      let text = try outer.withBytes(of: Person.name) { a in
        try inner.withBytes(of: Person.name) { b in
          let third = try first.query(Person.self).find().map(\.name).joined()
          #expect(try second.count(Person.self) == 4)
          #expect(try people.count() == 4)
          return Self.text(a) + Self.text(b) + third
        }
      }
      #expect(text == "ABABC")
    }
    #expect(failures == [])
  }

  @Test func `a snapshot that ends in its own block is read to the end of the block`() {
    let (store, people) = (store, people)
    let failures = Self.run {
      let snapshot = try store.freeze()
      let object = try #require(try snapshot.object(Person.self, 1))
      let text = try object.withBytes(of: Person.name) { bytes in
        snapshot.invalidate()
        #expect(Self.run { try people.removeAll() } == [])
        #expect(Self.run { for _ in 0..<100 { try people.put(Person("more")) } } == [])
        #expect(throws: ObjectBoxError.self) { try snapshot.count(Person.self) }
        return Self.text(bytes)
      }
      #expect(text == "A")
    }
    #expect(failures == [])
    #expect(store.activeVersions.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a store that closes in a block of a version is read to the end of the block`(
    isLive: Bool
  ) throws {
    let temporary = try TemporaryStore()
    let directory = temporary.store.directoryPath
    try temporary.store.box(for: Person.self).put(Person("A"))
    let store = temporary.store
    let failures = Self.run {
      if isLive {
        let live = try store.live()
        let object = try #require(try live.object(Person.self, 1))
        let text = try object.withBytes(of: Person.name) { bytes in
          store.close()
          #expect(throws: ObjectBoxError.self) { try live.version() }
          return Self.text(bytes)
        }
        #expect(text == "A")
      } else {
        let snapshot = try store.freeze()
        let object = try #require(try snapshot.object(Person.self, 1))
        let text = try object.withBytes(of: Person.name) { bytes in
          store.close()
          return try Self.text(bytes) + object.value().name
        }
        #expect(text == "AA")
        #expect(object.name == "A")
      }
    }
    #expect(failures == [])
    #expect(try !Store.isOpen(directory: directory))
  }

  @Test func `a write is refused in a block of a version, and the block goes on`() throws {
    let snapshot = try store.freeze()
    let object = try #require(try snapshot.object(Person.self, 1))
    let text = try object.withBytes(of: Person.name) { bytes in
      #expect(throws: ObjectBoxError.self) { try people.put(Person("D")) }
      return Self.text(bytes)
    }
    #expect(text == "A")
    try people.put(Person("D"))
    #expect(try people.count() == 4)
  }

  @Test func `the bytes in a block of a write stay when the block writes`() throws {
    let text = String(repeating: "before ", count: 100)
    try store.write { transaction in
      let id = try transaction.put(Person(text))
      let seen = try transaction.withBytes(of: Person.name, EntityId<Person>(id)) { bytes in
        for _ in 0..<100 { try transaction.put(Person(String(repeating: "after ", count: 100))) }
        try transaction.modify(EntityId<Person>(id)) { $0.name = "other" }
        return Self.text(bytes)
      }
      #expect(seen == text)
    }
  }

  // MARK: Several threads

  @Test func `two threads nest two snapshots in opposite orders`() throws {
    let first = try store.freeze()
    try people.put(Person("D"))
    let second = try store.freeze()
    let (arrivals, isMet) = (Guarded(0), DispatchSemaphore(value: 0))
    let cross = { @Sendable (outer: Snapshot, inner: Snapshot) throws in
      let object = try #require(try outer.object(Person.self, 1))
      for round in 0..<100 {
        try object.withBytes(of: Person.name) { _ in
          // Both threads are inside their outer block before either enters the inner one.
          if round == 0 {
            let isLast = arrivals.withLock { count in
              count += 1
              return count == 2
            }
            if isLast { isMet.signal() } else { isMet.wait() }
          }
          let names = try inner.query(Person.self).find().map(\.name)
          #expect(names.prefix(3) == ["A", "B", "C"])
        }
      }
    }
    let failures = Self.failures(of: [
      { try cross(first, second) },
      { try cross(second, first) },
    ])
    #expect(failures == [])
  }

  @Test func `a thread reads a snapshot while another one stands in a block of it`() throws {
    let snapshot = try store.freeze()
    let object = try #require(try snapshot.object(Person.self, 1))
    let count = try object.withBytes(of: Person.name) { _ in
      let count = Guarded(0)
      let failures = Self.run { try count.withLock { $0 = try snapshot.count(Person.self) } }
      #expect(failures == [])
      return count.withLock(\.self)
    }
    #expect(count == 3)
  }

  @Test func `threads search, scan and look up in one snapshot at a time, while others write`()
    throws
  {
    let many = (0..<500).map { Person("name \($0)", age: Int32($0 % 7)) }
    try people.put(many)
    let snapshot = try store.freeze()
    let expected = try snapshot.query(Person.self).find().map(\.name)
    let people = people
    let reader = { @Sendable () throws in
      for _ in 0..<10 {
        let all = try snapshot.query(Person.self)
        #expect(try all.find().map(\.name) == expected)
        let found = try snapshot.query(Person.self) { Person.age == 3 && Person.name.contains("1") }
        #expect(try found.find().allSatisfy { $0.age == 3 })
        for id in stride(from: Id(4), to: 504, by: 37) {
          let object = try #require(try snapshot.object(Person.self, id))
          let text = try object.withBytes(of: Person.name) { bytes in
            try Self.text(bytes) + "\(object[Person.age])"
          }
          #expect(text == "name \(id - 4)\((id - 4) % 7)")
        }
      }
    }
    let writer = { @Sendable () throws in
      for round in 0..<50 {
        try people.put(Person("new \(round)"))
        try people.remove(Id(4 + round))
      }
    }
    #expect(Self.failures(of: [reader, reader, reader, reader, writer]) == [])
  }
}
