import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct StoreLimitTests {
  @Test
  func `a put beyond the limit is refused whole and tells the limit, the size and the way out`()
    throws
  {
    let full = try FullStore(.none, kilobytes: 500)
    guard case .dbFull(let message) = try full.fill() else {
      Issue.record("the store was not full")
      return
    }
    for part in [
      full.temporary.path, "greatest size of 500 KiB", "the file has", "are free", "maximumSize",
      "maxDbSizeInKByte", "remove",
    ] {
      #expect(message.contains(part), "\(message)")
    }
    #expect(!message.contains("wait for"))
    #expect(try full.people.count() % 10 == 0)
    #expect(try full.pages() <= full.limit() + 2)
    try full.expectSound()
  }

  @Test func `a store that is full takes puts again once its limit is raised`() throws {
    let full = try FullStore()
    try full.fill()
    let before = try full.people.count()
    #expect(full.store.maximumSize == 800 * 1024)
    full.store.maximumSize *= 2
    #expect(full.store.maximumSize == 1600 * 1024)
    let attached = try full.store.clone()
    #expect(attached.maximumSize == 1600 * 1024)
    try full.fill(from: 100_000)
    #expect(try full.people.count() > before + before / 2)
    #expect(try full.pages() <= full.limit() + 2)
    try full.expectSound()
  }

  @Test(.disabled(if: Sanitizer.isPresent, "a sanitizer takes addresses of its own"))
  func `a write transaction that runs takes the room of a limit that another thread raises`()
    throws
  {
    let full = try FullStore()
    try full.store.write { transaction in
      try transaction.put((0..<100).map { FullStore.person($0) })
      let isRaised = DispatchSemaphore(value: 0)
      Thread { [store = full.store] in
        store.maximumSize = 100 << 20
        isRaised.signal()
      }.start()
      isRaised.wait()
      try transaction.put((100..<4000).map { FullStore.person($0) })
    }
    #expect(try full.people.count() == 4000)
  }

  @Test func `a writer that waits has the limit that was raised meanwhile`() throws {
    let full = try FullStore()
    try full.fill()
    let (hasBegun, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try full.store.write { [store = full.store] _ in
      Thread {
        hasBegun.signal()
        let box = store.box(for: Person.self)
        #expect(throws: Never.self) { try box.put(FullStore.person(7_000_000, size: 100_000)) }
        isDone.signal()
      }.start()
      hasBegun.wait()
      store.maximumSize = 2 << 20
    }
    isDone.wait()
    #expect(try full.people.query { Person.email == "7000000@example.org" }.build().count() == 1)
  }

  @Test(.disabled(if: Sanitizer.isPresent, "a sanitizer takes addresses of its own"))
  func `a limit below the size of the file admits what does not make it larger`() throws {
    let full = try FullStore(kilobytes: 3000)
    try full.people.put((0..<2000).map { FullStore.person($0) })
    let pages = try full.pages()
    full.store.maximumSize = 1
    #expect(full.store.maximumSize == 16 * 1024)
    // Removals free pages; a put and an update then use some of them.
    try full.people.query { Person.age < 50 }.build().remove(inBatchesOf: 20)
    #expect(try full.people.count() == 1000)
    let size = try full.pages()
    #expect(size <= pages + 64 + 8)
    try full.people.put((0..<100).map { FullStore.person(5000 + $0) })
    let first = try #require(try full.people.query().build().findFirst())
    first.name = "changed"
    try full.people.put(first)
    #expect(try full.pages() <= size + 2)
    #expect(
      fullMessage { try full.people.put(FullStore.person(9000, size: 10_000_000)) }?
        .contains("16 KiB") ?? false
    )
    try full.expectSound()
  }

  @Test func `a put that is refused leaves the rest of its transaction to be stored`() throws {
    let full = try FullStore()
    try full.store.write { transaction in
      try transaction.put(FullStore.person(1))
      #expect(
        fullMessage { try transaction.put((2..<5000).map { FullStore.person($0) }) } != nil
      )
      try transaction.put(FullStore.person(5000))
    }
    #expect(try full.people.all().map(\.email) == ["1@example.org", "5000@example.org"])
    try full.expectSound()
  }

  @Test func `a store in memory has the limit as well`() throws {
    var configuration = Store.Configuration(directory: "memory:growth-\(UUID())")
    configuration.maxDbSizeInKByte = 500
    let store = try Store(model: try TemporaryStore.model(), configuration: configuration)
    defer { store.close() }
    let people = store.box(for: Person.self)
    #expect(fullMessage { try people.put(FullStore.person(1, size: 1_000_000)) } != nil)
    store.maximumSize = 5 << 20
    try people.put(FullStore.person(1, size: 1_000_000))
    #expect(try people.count() == 1)
  }
}
