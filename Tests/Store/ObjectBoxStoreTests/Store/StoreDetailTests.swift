import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct StoreDetailTests {
  @Test func `the versions are put together`() {
    #expect(Store.version == "5.3.0")
    #expect(Store.versionCore.hasPrefix("LMDB 0.9."))
    #expect(
      Store.versionAll
        == "\(Store.version) (lib: \(Store.versionLib), core: \(Store.versionCore))"
    )
    #expect(Store.versionFullInfo == "ObjectBox Swift " + Store.versionAll)
  }

  @Test func `an attached object is made once a key and store instance`() throws {
    final class Thing {}
    let temporary = try TemporaryStore()
    var made = 0
    func thing(_ key: String, _ store: Store) -> Thing {
      store.lazyAttachedObject(key: key) {
        made += 1
        return Thing()
      }
    }
    let first = thing("a", temporary.store)
    #expect(thing("a", temporary.store) === first)
    #expect(thing("b", temporary.store) !== first)
    #expect(made == 2)
    let clone = try temporary.store.clone()
    #expect(thing("a", clone) !== first)
    let outer: Thing = temporary.store.lazyAttachedObject(key: "outer") {
      thing("a", temporary.store)
    }
    #expect(outer === first)
    clone.close()
  }

  @Test func `a store without synchronised entities gets no client, and the error says why`()
    throws
  {
    let temporary = try TemporaryStore()
    #expect(temporary.store.syncClient == nil)
    let configuration = Sync.Configuration(store: temporary.store, url: "ws://127.0.0.1:9999")
    let error = #expect(throws: ObjectBoxError.self) {
      try Sync.makeClient(configuration: configuration)
    }
    #expect(isRefusal(error))
  }

  @Test func `a program without the module for synchronization is told how to get it`() throws {
    let folder = try TemporaryDirectory()
    let lines = try ChildProcess(folder.path + "/store", "sync").lines()
    #expect(lines.first == "false")
    #expect(lines.dropFirst().first?.contains("'ObjectBoxSync'") == true, "\(lines)")
    #expect(lines.last == "done")
  }

  @available(*, deprecated, message: "Tests what is deprecated.")
  @Test func `the older way to a sync client says the same`() throws {
    let temporary = try TemporaryStore()
    let error = #expect(throws: ObjectBoxError.self) {
      try Sync.makeClient(
        store: temporary.store,
        urlString: "ws://127.0.0.1:9999",
        credentials: SyncCredentials.makeNone()
      )
    }
    #expect(isRefusal(error))
  }

  /// Other tests of the same program may link ObjectBoxSync.
  private func isRefusal(_ error: ObjectBoxError?) -> Bool {
    switch error {
    case .illegalState(let message): Sync.isAvailable() && message.contains("objectbox: sync")
    case .sync(let message): !Sync.isAvailable() && message.contains("ObjectBoxSync")
    default: false
    }
  }
}
