import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// A thread that ends must not release a store.
///
/// Releasing the last reference may release Dispatch queues, and late in a thread's end Dispatch
/// would use memory that it has freed.
struct EndingThreadTests {
  /// The threads that released a witness.
  private let ends = Guarded<[String]>([])

  private final class Witness: Sendable {
    let ends: Guarded<[String]>

    init(_ ends: Guarded<[String]>) { self.ends = ends }

    deinit {
      let thread = "\(pthread_self())"
      ends.withLock { $0.append(thread) }
    }
  }

  /// Runs a body on a new thread, whose ID is not reused before it is joined.
  private func onThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Work: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    pthread_create(
      &thread,
      nil,
      { work in
        let work: UnsafeMutableRawPointer? = work
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      },
      work
    )
    return thread
  }

  @Test func `a store that an ending thread used last is released by another one`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    let user = onThread { [ends] in
      let witness = Witness(ends)
      var configuration = Store.Configuration(directory: path)
      configuration.onUnheardFailure = { _ in withExtendedLifetime(witness) {} }
      #expect(throws: Never.self) {
        let store = try Store(model: TemporaryStore.model(), configuration: configuration)
        #expect(try store.box(for: Person.self).isEmpty())
        store.close()
      }
    }
    // The user leaves its state behind; the next thread that begins to use a store releases it.
    let name = "\(user)"
    for _ in 0..<1_000 where ends.withLock(\.isEmpty) {
      let other = onThread {
        #expect(throws: Never.self) {
          let other = try TemporaryStore()
          #expect(try other.store.box(for: Person.self).isEmpty())
        }
      }
      pthread_join(other, nil)
    }
    #expect(ends.withLock(\.count) == 1)
    #expect(ends.withLock(\.first) != name)
    pthread_join(user, nil)
  }
}
