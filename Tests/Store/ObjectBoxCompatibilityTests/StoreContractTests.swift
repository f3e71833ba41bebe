import Foundation
import ObjectBox
import Testing

struct StoreContractTests {
  private let stores: ContractStore
  private var store: Store { stores.store }

  init() throws {
    stores = try ContractStore()
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `a store makes its directory, and has its description`() throws {
    #expect(FileManager.default.fileExists(atPath: stores.path))
    #expect(store.directoryPath == stores.path)
    #expect("\(store)" == "<ObjectBox.Store \"\(stores.path)\">")
    #expect(store.debugDescription == "\(store)")
    #expect(Store.inMemoryPrefix == "memory:")
  }

  @Test func `directories can be searched where their files can be read or written`() throws {
    let path = ContractStore.freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = try Store(model: try ContractStore.model(), directory: path, fileMode: 0o640)
    #expect(try mode(path) == 0o750)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      #expect(try mode(path + "/" + name) == 0o640, "\(name)")
    }
    store.close()
  }

  @Test func `boxes are inferred from where they go, and are the same each time`() throws {
    let box: Box<Contact> = store.box()
    #expect(box === store.box(for: Contact.self))
    #expect(store.box() as Box<Contact> === box)
    #expect("\(box)" == "<ObjectBox.Box Contact>")
    #expect(box.async === box.async)
  }

  @Test func `a store is open as long as one of its instances is`() throws {
    #expect(try Store.isOpen(directory: stores.path))
    let clone = try store.clone()
    let attached = try Store.attachTo(directory: stores.path)
    #expect(clone !== store && attached !== clone)
    #expect(clone.directoryPath == stores.path)
    store.close()
    store.close()
    try attached.box(for: Contact.self).put(Contact(name: "x"))
    attached.close()
    #expect(try clone.box(for: Contact.self).count() == 1)
    #expect(try Store.isOpen(directory: stores.path))
    #expect(kindThrown { _ = try store.clone() } == "illegalState")
    clone.close()
    #expect(try !Store.isOpen(directory: stores.path))
    #expect(
      kindThrown { _ = try Store.attachTo(directory: stores.path) } == "cannotAttachToStore"
    )
  }

  @Test func `an instance that is let go is closed`() throws {
    let path = ContractStore.freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      let other = try Store(model: try ContractStore.model(), directory: path)
      #expect(try Store.isOpen(directory: other.directoryPath))
    }
    #expect(try !Store.isOpen(directory: path))
  }

  @Test func `a second store on the directory is refused`() throws {
    #expect(
      kindThrown {
        _ = try Store(model: try ContractStore.model(), directory: stores.path)
      } == "illegalState"
    )
  }

  @Test func `files are removed once and twice, and after closing`() throws {
    try store.closeAndDeleteAllFiles()
    #expect(!FileManager.default.fileExists(atPath: stores.path))
    try store.closeAndDeleteAllFiles()
    let other = try ContractStore()
    other.store.close()
    try other.store.closeAndDeleteAllFiles()
    #expect(!FileManager.default.fileExists(atPath: other.path))
  }

  @Test func `waiting for asynchronous writes answers false on a closed store`() throws {
    #expect(store.awaitAsyncSubmitted())
    #expect(store.awaitAsyncCompleted())
    store.awaitAsyncSubmitted()
    store.awaitAsyncCompleted()
    store.close()
    #expect(!store.awaitAsyncSubmitted())
    #expect(!store.awaitAsyncCompleted())
  }

  @Test func `an observer outlives its store`() throws {
    let observer = stores.contacts.subscribe(dispatchQueue: .global()) {}
    store.close()
    observer.unsubscribe()
    observer.unsubscribe()
  }

  @Test func `stores in memory share a name and nothing in the file system`() throws {
    let name = Store.inMemoryPrefix + UUID().uuidString
    let first = try Store(model: try ContractStore.model(), directory: name)
    let box: Box<Contact> = first.box()
    try box.put(Contact(name: "here"))
    let second = try Store.attachTo(directory: name)
    let third = try first.clone()
    #expect(try second.box(for: Contact.self).count() == 1)
    #expect(try third.box(for: Contact.self).count() == 1)
    #expect("\(first)" == "<ObjectBox.Store \"\(name)\">")
    #expect(!FileManager.default.fileExists(atPath: name))
    second.close()
    third.close()
    try first.closeAndDeleteAllFiles()
    let again = try Store(model: try ContractStore.model(), directory: name)
    #expect(try again.box(for: Contact.self).isEmpty())
  }

  @Test func `a read-only store refuses an empty transaction, and a put`() throws {
    try stores.contacts.put(Contact(name: "x"))
    try stores.reopen(readOnly: true)
    #expect(throws: ObjectBoxError.self) { try store.runInTransaction({}) }
    #expect(throws: ObjectBoxError.self) { try stores.contacts.put(Contact(name: "y")) }
    #expect(throws: ObjectBoxError.self) { try stores.contacts.removeAll() }
    #expect(try stores.contacts.count() == 1)
    #expect(try store.runInReadOnlyTransaction { try stores.contacts.isEmpty() } == false)
  }

  @Test func `a store of 20 KB is full when it is opened, or soon after`() throws {
    let path = ContractStore.freshPath()
    let kind = kindThrown {
      let store = try Store(
        model: try ContractStore.model(),
        directory: path,
        maxDbSizeInKByte: 20
      )
      let box: Box<Contact> = store.box()
      for number in 0..<10_000 { try box.put(Contact(name: "person \(number)")) }
    }
    #expect(kind == "dbFull")
    #expect(FileManager.default.fileExists(atPath: path))
    try FileManager.default.removeItem(atPath: path)
  }

  @Test func `500 KB hold what tests put there`() throws {
    let texts = (0..<20).map { "string number \($0)" }
    try stores.readings.put(
      (0..<50).map { number in
        Reading {
          $0.strings = texts
          $0.aLong = Int64(number)
        }
      }
    )
    try stores.contacts.put(Contact(name: String(repeating: "abcdefghijkl", count: 1000)))
    try stores.markers.put((0..<15).map { Marker(vector: [Float($0), 1]) })
    try stores.tickets.put((0..<50).map { Ticket("\($0)") })
    #expect(try stores.readings.all().allSatisfy { $0.strings == texts })
    #expect(try stores.contacts.all().first?.name?.count == 12_000)
  }

  @Test func `a thousand long unique texts go into 200 MB, and their files away twice`() throws {
    let big = try ContractStore(maxDbSizeInKByte: 200 * 1024)
    let stars = (0..<1000).map { Ticket("\($0) " + String(repeating: "*", count: $0 / 2)) }
    try big.tickets.put(stars)
    #expect(try big.tickets.count() == 1000)
    #expect(kindThrown { try big.tickets.put(Ticket(stars[999].name)) } == "uniqueViolation")
    try big.store.closeAndDeleteAllFiles()
    try big.store.closeAndDeleteAllFiles()
  }

  @Test func `versions make a text, and the first of them can be set`() throws {
    let version = Store.version
    #expect(version == "5.3.0")
    #expect(Store.versionFullInfo == "ObjectBox Swift " + Store.versionAll)
    #expect(
      Store.versionAll == "\(version) (lib: \(Store.versionLib), core: \(Store.versionCore))"
    )
    Store.version = version
  }

  @Test func `objects are attached under a key`() {
    final class Cache {}
    let cache = store.lazyAttachedObject(key: "cache") { Cache() }
    #expect(store.lazyAttachedObject(key: "cache", creationBlock: { Cache() }) === cache)
  }

  @Test func `nothing is printed, neither in success nor in failure`() async {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent]
    ) {
      let stores = try ContractStore()
      try stores.tickets.put(Ticket("a"))
      _ = try? stores.tickets.put(Ticket("a"))
      _ = try? stores.tickets.remove(99 as Id)
      _ = try? stores.store.runInReadOnlyTransaction { try stores.tickets.put(Ticket("b")) }
      _ = try? Store(model: try ContractStore.model(), directory: stores.path)
      try stores.tickets.async.put(Ticket("a"))
      stores.store.awaitAsyncCompleted()
      try stores.markers.put(Marker(vector: [1, 2]))
      _ = try? stores.markers.put(Marker(vector: [1]))
      try stores.store.closeAndDeleteAllFiles()
    }
    #expect(result?.standardOutputContent.isEmpty == true)
  }
}
