import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@Suite struct SyncedStoreConvergenceTests {
  @Test(arguments: 1...TestLength.choose(short: 8, long: 16))
  func `stores with random writes become equal`(seed: Int) throws {
    let clock = SyncModel.model(flags: 2, rank: 131_080)
    let models = [SyncModel.json, clock, SyncModel.merging]
    var trial = try Trial(seed: seed, models[seed % models.count])
    for _ in 0..<150 { try trial.step() }
    try trial.finish()
  }
}

/// Three devices with random writes, exchanges, reopenings and copies.
private struct Trial {
  private let server: MemoryServerLog
  private var devices: [TestDevice]
  private var random: SplitMix
  private let model: String

  init(seed: Int, _ model: String) throws {
    self.model = model
    server = try SyncModel.server(model)
    devices = try (0..<3).map { [model] _ in try TestDevice(model: model) }
    random = SplitMix(seed: seed)
  }

  mutating func step() throws {
    let number = Int.random(in: devices.indices, using: &random)
    let device = devices[number]
    switch Int.random(in: 0..<100, using: &random) {
    case ..<60: try write(device)
    case ..<70:
      // A unique value that is taken rolls all of it back.
      do {
        try device.store.runInTransaction {
          for _ in 0..<4 { try write(device) }
        }
      } catch ObjectBoxError.illegalState {}
    case ..<74: try putTogether(device)
    case ..<80: try device.send(to: server)
    case ..<94:
      server.chunk = random.pick([1, 3, .max])
      _ = try device.take(from: server)
      server.chunk = .max
    case ..<97: try device.reopen()
    case ..<99: try devices[number] = device.copy()
    default: _ = try device.tags.removeAll()
    }
  }

  private mutating func write(_ device: TestDevice) throws {
    let notes = try device.notes.all().map(\.id)
    let tags = try device.tags.all().map(\.id)
    let kind = Int.random(in: 0..<9, using: &random)
    if notes.isEmpty || kind < 2 { return try put(device, notes) }
    let note = random.pick(notes)
    switch kind {
    case 2, 3:
      try putting {
        try device.notes.put(["id": note.value, "rank": Int.random(in: 0..<9, using: &random)])
      }
    case 4:
      try putting { try device.notes.put(["id": note.value, "code": code()]) }
    case 5:
      try device.notes.put(["id": note.value, "parent": random.pick(notes).value])
    case 6: _ = try device.notes.remove(note)
    case 7 where !tags.isEmpty:
      let tag = random.pick(tags)
      if try device.notes.targets("tags", of: note).contains(tag) {
        try device.notes.remove([tag], from: "tags", of: note)
      } else {
        try device.notes.add([tag], to: "tags", of: note)
      }
    case 8 where !tags.isEmpty: _ = try device.tags.remove(random.pick(tags))
    default: try device.tags.put(["name": "\(code())"])
    }
  }

  private mutating func put(_ device: TestDevice, _ notes: [Id]) throws {
    try putting {
      var values: [String: Any?] = ["title": "t\(Int.random(in: 0..<99, using: &random))"]
      if Bool.random(using: &random) { values["code"] = code() }
      if !notes.isEmpty, Bool.random(using: &random) { values["parent"] = random.pick(notes).value }
      try device.notes.put(values)
    }
  }

  /// Inserts objects in one transaction; a unique value that is taken rolls it back.
  private mutating func putTogether(_ device: TestDevice) throws {
    let notes = try device.notes.all().map(\.id)
    do {
      try device.store.runInTransaction {
        for _ in 0..<Int.random(in: 2...6, using: &random) {
          try put(device, notes)
          try device.tags.put(["name": "\(code())"])
        }
      }
    } catch ObjectBoxError.illegalState {}
  }

  private mutating func code() -> String { "c\(Int.random(in: 0..<12, using: &random))" }

  /// Runs a put whose unique value may be taken.
  private func putting(_ body: () throws -> Void) throws {
    do { try body() } catch ObjectBoxError.uniqueViolation {}
  }

  mutating func finish() throws {
    for _ in 0..<6 { for device in devices { try device.sync(with: server) } }
    let content = try devices[0].content()
    for device in devices {
      #expect(try device.synced.waitingCount == 0)
      let difference = try device.content().difference(from: content)
      #expect(difference.isEmpty)
      #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
      #expect(try device.faults() == [])
    }
    #expect(!content.isEmpty)
  }
}
