import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import ObjectBoxTestSupport
import Testing

/// A store with a model file, synchronized with a server in memory.
final class TestDevice {
  /// The number of objects in a range of the first digests.
  static let digestSize = 16

  let folder: TemporaryDirectory
  private(set) var store: Store
  private(set) var synced: SyncedStore
  private(set) var notes: DynamicBox
  private(set) var tags: DynamicBox
  private var model: String

  init(
    model: String = SyncModel.json,
    folder: TemporaryDirectory? = nil,
    refusesDanglingRelations: Bool = false
  ) throws {
    self.folder = try folder ?? TemporaryDirectory()
    self.model = model
    store = try Self.open(self.folder, model, refusesDanglingRelations: refusesDanglingRelations)
    synced = try SyncedStore(store)
    notes = try store.box(named: "Note")
    tags = try store.box(named: "Tag")
  }

  static func open(
    _ folder: TemporaryDirectory,
    _ model: String = SyncModel.json,
    refusesDanglingRelations: Bool = false
  ) throws -> Store {
    let file = try folder.write(model, to: "model.json")
    var configuration = Store.Configuration(directory: folder.path + "/store")
    configuration.refusesDanglingRelations = refusesDanglingRelations
    return try Store(configuration: configuration, modelJSON: URL(fileURLWithPath: file))
  }

  /// Closes the store and opens it again, perhaps with another model.
  func reopen(model other: String? = nil) throws {
    store.close()
    if let other { model = other }
    store = try Self.open(folder, model)
    synced = try SyncedStore(store)
    notes = try store.box(named: "Note")
    tags = try store.box(named: "Tag")
  }

  /// Returns a device with a copy of this store, which has the same identity.
  func copy() throws -> TestDevice {
    let other = try TemporaryDirectory()
    _ = try store.backup(to: other.path + "/store")
    return try TestDevice(model: model, folder: other)
  }

  /// Uploads all that waits.
  func send(to server: MemoryServerLog) throws {
    try synced.receive(try server.receive(try synced.upload(limit: 100)))
  }

  /// Asks for a delta, and takes it.
  @discardableResult func take(from server: MemoryServerLog) throws -> DeltaResult? {
    switch server.receive(try synced.deltaRequest()) {
    case .delta(let delta): return try synced.receive(delta)
    case .reply(let reply):
      try synced.receive(reply)
      return nil
    case .reset(let reset):
      return try compare(try synced.receive(reset, size: Self.digestSize), with: server)
    case .refine: throw MemoryServerLog.Unexpected()
    }
  }

  /// Compares digests with the server until it answers with a delta, and takes that.
  private func compare(_ digests: Digests?, with server: MemoryServerLog) throws -> DeltaResult? {
    var digests = digests
    while let sent = digests {
      switch try server.receive(sent) {
      case .delta(let delta): return try synced.receive(delta)
      case .refine(let refine): digests = try synced.receive(refine)
      case .reset(let reset): digests = try synced.receive(reset, size: Self.digestSize)
      case .reply: throw MemoryServerLog.Unexpected()
      }
    }
    throw MemoryServerLog.Unexpected()
  }

  /// Uploads, and takes the result.
  func sync(with server: MemoryServerLog) throws {
    try send(to: server)
    try take(from: server)
  }

  /// Hashes of the server's rows on the device.
  func digests(_ server: MemoryServerLog) throws -> RangeDigests {
    let reset = Reset(state: try synced.deltaRequest().state, epoch: server.cursor.epoch)
    return try #require(try synced.receive(reset, size: Self.digestSize)).ranges
  }

  /// The objects with their relations, in words.
  func content() throws -> [String] {
    let names = ["title", "code", "rank", "price", "done", "scores", "words", "parent"]
    var lines: [String] = []
    for note in try notes.all() {
      let values = names.map { name in "\(name): \(note[name].map { "\($0)" } ?? "nil")" }
      let tags = try notes.targets("tags", of: note.id)
      lines.append("note \(note.id.value) \(values.joined(separator: ", ")) \(tags.map(\.value))")
    }
    for tag in try tags.all() {
      lines.append("tag \(tag.id.value) \(tag["name"].map { "\($0)" } ?? "nil")")
    }
    return lines
  }

  /// The faults of the store's file.
  func faults() throws -> [String] { try store.verify().faults.map { "\($0)" } }
}

/// The model of the tests.
enum SyncModel {
  static let note = EntityUID(1000)
  static let tag = EntityUID(2000)

  static var server: MemoryServerLog { get throws { try server(json) } }

  /// Returns a server for a model.
  static func server(
    _ model: String,
    resolutions: [EntityUID: Conflict.Resolution] = [:]
  ) throws -> MemoryServerLog {
    let folder = try TemporaryDirectory()
    let store = try TestDevice.open(folder, model)
    defer { store.close() }
    return MemoryServerLog(
      rules: SyncRules(store.schema, resolutions: resolutions),
      toOnes: [PropertyUID(1009)]
    )
  }

  static let json = model(flags: 2)

  /// The model whose notes have a counter `rank`, clocks of properties, and codes that are merged.
  static let merging = model(flags: 1_073_741_826, rank: 1_073_741_832, code: 536_872_992)

  /// The model whose conflicts a function of the server may resolve.
  static let resolved = model(flags: 536_870_914)

  /// The model with the given flags of the synchronized entities and of two properties of `Note`.
  static func model(
    flags: Int,
    rank: Int = 8,
    code: Int = 2080,
    choosesTagIDs: Bool = false,
    hasPrice: Bool = true,
    hasAllTypes: Bool = false
  ) -> String {
    let price = hasPrice ? #"{ "id": "5:1005", "name": "price", "type": 7 },"# : ""
    let types = [
      ("small", 2), ("short", 3), ("letter", 4), ("large", 6), ("exact", 8), ("date", 10),
      ("data", 23), ("numbers", 27), ("floats", 28),
    ]
    let typed =
      hasAllTypes
      ? types.enumerated().map { number, property in
        let (name, type) = property
        return
          #"{ "id": "\#(10 + number):\#(1010 + number)", "name": "\#(name)", "type": \#(type) },"#
      }.joined(separator: "\n") : ""
    return """
      {
        "entities": [
          {
            "id": "1:1000", "lastPropertyId": "\(hasAllTypes ? "18:1018" : "9:1009")", "name": "Note", "flags": \(flags),
            "properties": [
              { "id": "1:1001", "name": "id", "type": 6, "flags": 1 },
              { "id": "2:1002", "name": "title", "type": 9 },
              { "id": "3:1003", "name": "code", "type": 9, "flags": \(code), "indexId": "1:1100" },
              { "id": "4:1004", "name": "rank", "type": \(rank == 8 ? 5 : 6), "flags": \(rank), "indexId": "2:1101" },
              \(price)
              \(typed)
              { "id": "6:1006", "name": "done", "type": 1 },
              { "id": "7:1007", "name": "scores", "type": 26 },
              { "id": "8:1008", "name": "words", "type": 30 },
              { "id": "9:1009", "name": "parent", "type": 11, "flags": 520, "indexId": "3:1102",
                "relationTarget": "Note" }
            ],
            "relations": [ { "id": "1:1200", "name": "tags", "targetId": "2:2000" } ]
          },
          {
            "id": "2:2000", "lastPropertyId": "2:2002", "name": "Tag", "flags": \(flags),
            "properties": [
              { "id": "1:2001", "name": "id", "type": 6, "flags": \(choosesTagIDs ? 129 : 1) },
              { "id": "2:2002", "name": "name", "type": 9 }
            ],
            "relations": []
          },
          {
            "id": "3:3000", "lastPropertyId": "3:3003", "name": "Draft",
            "properties": [
              { "id": "1:3001", "name": "id", "type": 6, "flags": 1 },
              { "id": "2:3002", "name": "text", "type": 9 },
              { "id": "3:3003", "name": "note", "type": 11, "flags": 520, "indexId": "4:1103",
                "relationTarget": "Note" }
            ],
            "relations": []
          }
        ],
        "lastEntityId": "3:3000",
        "lastIndexId": "4:1103",
        "lastRelationId": "1:1200",
        "lastSequenceId": "0:0",
        "modelVersion": 5,
        "modelVersionParserMinimum": 4,
        "retiredEntityUids": [],
        "retiredIndexUids": [],
        "retiredPropertyUids": [],
        "retiredRelationUids": [],
        "version": 1
      }
      """
  }
}
