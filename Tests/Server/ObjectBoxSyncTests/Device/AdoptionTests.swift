import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxSync

@Suite struct AdoptionTests {
  @Test func `the program writes between two portions of the first opening`() throws {
    let earlier = try EarlierStore(seed: 1)
    let capture = try SyncedStore.capture(of: earlier.store)
    var portions = 0
    var versions: [Int] = []
    try earlier.adopt(capture) {
      portions += 1
      try earlier.store.box(named: "Tag").put(["name": "between \(portions)"])
      versions.append(try earlier.store.version())
    }
    #expect(portions > 6)
    // The store changed with each portion and each write.
    #expect(Set(versions).count == portions)
    try earlier.expectEqualDevice()
  }

  @Test(arguments: 1...TestLength.choose(short: 8, long: 60))
  func `writes and openings between portions leave what the store has`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let earlier = try EarlierStore(seed: seed)
    while true {
      do {
        try earlier.adopt(try SyncedStore.capture(of: earlier.store)) {
          for _ in 0..<Int.random(in: 0..<4, using: &random) { try earlier.change(&random) }
          if Int.random(in: 0..<4, using: &random) == 0 { throw Closed() }
        }
        break
      } catch is Closed {
        try earlier.reopen()
      }
    }
    try earlier.expectEqualDevice()
  }

  @Test func `portions queue what one transaction queues`() throws {
    let earlier = try EarlierStore(seed: 3)
    let other = try earlier.copy()
    try earlier.adopt(try SyncedStore.capture(of: earlier.store)) {}
    let capture = try SyncedStore.capture(of: other.store)
    try SyncedStore.applying(in: other.store, capture) { device in
      var adoption = try #require(try Adoption(device, size: EarlierStore.portionSize))
      repeat {
        if adoption.needsPairs { try adoption.findPairs(in: device) }
      } while try adoption.queueNext(in: device)
    }
    let (one, two) = (try earlier.operations(), try other.operations())
    #expect(one == two)
    #expect(one.count > 6)
  }

  @Test func `a store that is opened again after each portion ends in the same state`() throws {
    let earlier = try EarlierStore(seed: 4)
    let other = try earlier.copy()
    try earlier.adopt(try SyncedStore.capture(of: earlier.store)) {}
    var openings = 0
    while true {
      do {
        try other.adopt(try SyncedStore.capture(of: other.store)) { throw Closed() }
        break
      } catch is Closed {
        openings += 1
        try other.reopen()
      }
    }
    #expect(openings > 6)
    #expect(try earlier.expectEqualDevice() == other.expectEqualDevice())
  }

  /// Ends an adoption between two portions.
  fileprivate struct Closed: Error {}
}

/// A store with objects from before it was synchronized: chains and cycles of parents, and pairs.
private final class EarlierStore {
  static let portionSize = 7
  private let folder: TemporaryDirectory
  private(set) var store: Store

  init(seed: Int) throws {
    folder = try TemporaryDirectory()
    store = try TestDevice.open(folder)
    var random = SplitMix(seed: seed)
    let (notes, tags) = (try store.box(named: "Note"), try store.box(named: "Tag"))
    try store.runInTransaction {
      let tags = try (0..<10).map { try tags.put(["name": "\($0)"]) }
      let ids = try (0..<30).map { try notes.put(["title": "\($0)"]) }
      for id in ids {
        let parent = random.pick(ids).value
        try notes.put(["id": id.value, "title": "\(id)", "parent": parent])
        for _ in 0..<2 { try notes.add([random.pick(tags)], to: "tags", of: id) }
      }
    }
  }

  private init(_ folder: TemporaryDirectory) throws {
    self.folder = folder
    store = try TestDevice.open(folder)
  }

  func copy() throws -> EarlierStore {
    let other = try TemporaryDirectory()
    _ = try store.backup(to: other.path + "/store")
    return try EarlierStore(other)
  }

  func reopen() throws {
    store.close()
    store = try TestDevice.open(folder)
  }

  /// Queues what is left, and calls a function between two portions.
  func adopt(_ capture: CommitCapture, _ between: () throws -> Void) throws {
    let start = try SyncedStore.reading(store, capture) {
      try Adoption($0, size: Self.portionSize)
    }
    guard var adoption = start else { return }
    while true {
      if adoption.needsPairs {
        try SyncedStore.reading(store, capture) { try adoption.findPairs(in: $0) }
      }
      let goesOn = try SyncedStore.applying(in: store, capture) { device in
        try adoption.queueNext(in: device)
      }
      if !goesOn { return }
      try between()
    }
  }

  /// A write of the program, to any object.
  func change(_ random: inout SplitMix) throws {
    let (notes, tags) = (try store.box(named: "Note"), try store.box(named: "Tag"))
    let (noteIDs, tagIDs) = (try notes.all().map(\.id), try tags.all().map(\.id))
    guard noteIDs.count > 5, tagIDs.count > 3 else { return }
    let (note, tag) = (random.pick(noteIDs), random.pick(tagIDs))
    let number = Int.random(in: 0..<1 << 30, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: try notes.put(["title": "new \(number)", "parent": note.value])
    case 1: try notes.put(["id": note.value, "title": "changed \(number)"])
    case 2: try notes.put(["id": note.value, "parent": random.pick(noteIDs).value])
    case 3: _ = try notes.remove(note)
    case 4: _ = try tags.remove(tag)
    case 5: try notes.add([tag], to: "tags", of: note)
    case 6: try notes.remove([tag], from: "tags", of: note)
    case 7:
      let new = try notes.put(["title": "with tags \(number)"])
      try notes.add([tag], to: "tags", of: new)
    default:
      try store.runInTransaction {
        _ = try notes.remove(note)
        try tags.put(["id": tag.value, "name": "changed \(number)"])
        let parent = random.pick(noteIDs.filter { $0 != note })
        try notes.put(["title": "in one write", "parent": parent.value])
      }
    }
  }

  /// The operations that wait, with numbers in place of tokens.
  func operations() throws -> [[Operation]] {
    let transactions = try SyncedStore(store).upload(limit: .max).transactions
    let numbers = Dictionary(
      uniqueKeysWithValues: transactions.enumerated().map { ($1.token, UInt64($0)) }
    )
    return transactions.map { transaction in
      transaction.operations.map { operation in
        operation.mapReferences { reference in
          let maker = reference.maker.flatMap { numbers[$0] }
          return maker.map { number in
            let token = TransactionToken(Identifier128(high: 0, low: number))
            return ObjectReference(reference.key, madeBy: token)
          } ?? reference
        }
      }
    }
  }

  /// Expects that another device gets all objects from the server, and returns them in words.
  @discardableResult func expectEqualDevice() throws -> [String] {
    store.close()
    let server = try SyncModel.server
    let (device, other) = (try TestDevice(folder: folder), try TestDevice())
    let content = try device.content()
    for _ in 0..<3 { try device.sync(with: server) }
    try other.sync(with: server)
    #expect(try device.synced.waitingCount == 0)
    let rejections = try device.synced.rejections
    #expect(rejections.isEmpty, "\(rejections)")
    let after = try device.content()
    #expect(after == content, "\(after.difference(from: content))")
    #expect(try other.content() == content)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(try device.faults() == [])
    return content
  }
}
