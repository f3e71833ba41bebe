import Dispatch
import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// The last reference to a store may be released on a thread of the library, which closing waits
/// for.
///
/// Run under the thread sanitizer as well.
@Suite(.timeLimit(.minutes(15)))
struct LastReferenceConcurrencyTests {
  private struct Stop: Error {}

  /// Reopens a store once it is closed; nil when it does not close in time.
  private static func reopen(_ path: String) throws -> Store? {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      do {
        return try Store(model: try TemporaryStore.model(), directory: path)
      } catch ObjectBoxError.illegalState {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
      }
    }
    return nil
  }

  @Test(arguments: [false, true])
  func `a store that nobody holds but an asynchronous write closes after it`(fails: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    let queue = SerialQueue(label: "writes")
    for round in 0..<40 {
      let store = try #require(try Self.reopen(path), "it did not close in round \(round)")
      if !fails { #expect(try store.box(for: Person.self).count() == round) }
      store.writeAsync(on: queue) { transaction in
        try transaction.put(Person("A"))
        if fails { throw Stop() }
      }
    }
    let store = try #require(try Self.reopen(path))
    #expect(try store.box(for: Person.self).count() == (fails ? 0 : 40))
  }

  @Test func `a store that nobody holds but its observers' handler closes`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    let queue = SerialQueue(label: "handlers")
    for round in 0..<40 {
      let store = try #require(try Self.reopen(path), "it did not close in round \(round)")
      let people = store.box(for: Person.self)
      let isTold = DispatchSemaphore(value: 0)
      let token = try people.query().build().observe(on: queue) { _ in
        _ = try? people.count()
        isTold.signal()
      }
      try people.put(Person("A"))
      isTold.wait()
      token.invalidate()
    }
    #expect(try Self.reopen(path)?.box(for: Person.self).count() == 40)
  }
}
