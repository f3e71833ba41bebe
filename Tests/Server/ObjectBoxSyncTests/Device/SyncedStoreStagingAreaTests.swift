import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import ObjectBoxTestSupport
import Testing

/// Resets whose objects exceed a part, over stores.
struct SyncedStoreStagingAreaTests {
  private static func note(_ number: Int) -> [String: Any?] {
    ["rank": number, "code": "c\(number)"]
  }

  /// A server in parts of about 200 bytes, a device that has written to it meanwhile, and one whose cursor
  /// it has lost.
  private struct Devices {
    let server: MemoryServerLog
    let one: TestDevice
    let two: TestDevice
    let notes: [Id]

    init() throws {
      server = try SyncModel.server
      server.limits.directCount = 0
      server.limits.partSize = 200
      (one, two) = (try TestDevice(), try TestDevice())
      notes = try one.notes.put((1...40).map(SyncedStoreStagingAreaTests.note))
      let tags = try one.tags.put(["a", "b"].map { ["name": $0] })
      try one.notes.add([tags[0]], to: "tags", of: notes[30])
      try one.sync(with: server)
      try two.sync(with: server)
      // Unique values move between objects of different parts, in two steps, as the server demands.
      try one.notes.put(["id": notes[2].value, "rank": -3, "code": "other"])
      try one.notes.put(["id": notes[35].value, "rank": -36, "code": "c3"])
      try one.notes.put(["id": notes[2].value, "rank": -3, "code": "c36"])
      for place in stride(from: 5, to: 30, by: 3) {
        try one.notes.put(["id": notes[place].value, "rank": -place, "parent": notes[38].value])
      }
      _ = try one.notes.remove(notes[20...21].map(\.self))
      try one.notes.add([tags[1]], to: "tags", of: notes[30])
      try one.notes.put(["rank": 41, "code": "new"])
      try one.sync(with: server)
      server.beginHistory()
    }

    /// The digests that answer the device's reset.
    func firstDigests() throws -> Digests {
      guard case .reset(let reset) = server.receive(try two.synced.deltaRequest()) else {
        throw MemoryServerLog.Unexpected()
      }
      return try #require(try two.synced.receive(reset, size: TestDevice.digestSize))
    }

    /// Answers digests until the delta comes; calls a body after each staged part.
    func compare(_ first: Digests, afterPart: (Int) throws -> Bool) throws -> Delta? {
      var digests = first
      var parts = 0
      while true {
        switch try server.receive(digests) {
        case .delta(let delta): return delta
        case .refine(let refine):
          digests = try #require(try two.synced.receive(refine))
          guard refine.part != nil else { continue }
          parts += 1
          guard try afterPart(parts) else { return nil }
        case .reset, .reply: throw MemoryServerLog.Unexpected()
        }
      }
    }
  }

  @Test func `objects stay in view until the last part, and one commit shows all parts`() throws {
    let devices = try Devices()
    let (one, two) = (devices.one, devices.two)
    let drafts = try two.store.box(named: "Draft")
    let draft = try drafts.put(["text": "mine", "note": devices.notes[5].value])
    try two.notes.put(["id": devices.notes[8].value, "title": "waits"])
    let before = try two.content()
    let (commits, token) = Commits.of(two.store)
    var count = 0
    let delta = try devices.compare(try devices.firstDigests()) { parts in
      count = parts
      let (content, faults) = (try two.content(), try two.faults())
      #expect(content == before)
      #expect(faults == [])
      return true
    }
    #expect(count >= 4)
    #expect(commits.heard.copy.allSatisfy { $0.changes.values.allSatisfy(\.objects.isEmpty) })
    let quiet = commits.heard.copy.count
    #expect(try two.synced.receive(try #require(delta)) == .taken)
    let heard = commits.heard.copy.dropFirst(quiet)
    #expect(heard.count == 1)
    #expect(heard.contains { $0.changes.values.contains { !$0.objects.isEmpty } })
    #expect(try two.faults() == [])
    #expect(try two.notes.get(devices.notes[8])?["title"] as? String == "waits")
    #expect(try drafts.targets("note", of: draft) == [devices.notes[5]])
    try two.sync(with: devices.server)
    try one.sync(with: devices.server)
    #expect(try two.content() == one.content())
    withExtendedLifetime(token) {}
  }

  @Test func `a store that was closed between two parts goes on with the next one`() throws {
    let devices = try Devices()
    let (one, two) = (devices.one, devices.two)
    let interrupted = try devices.compare(try devices.firstDigests()) { $0 < 3 }
    #expect(interrupted == nil)
    try two.reopen()
    try two.notes.put(["rank": 1_000])
    let digests = try devices.firstDigests()
    #expect(digests.stagingArea != 0 && digests.base != nil)
    // The server's later writes are in the delta, also for objects of staged parts.
    try one.take(from: devices.server)
    try one.notes.put(["id": devices.notes[2].value, "title": "later"])
    try one.send(to: devices.server)
    let delta = try devices.compare(digests) { _ in true }
    #expect(try two.synced.receive(try #require(delta)) == .taken)
    #expect(try two.notes.get(devices.notes[2])?["title"] as? String == "later")
    try two.sync(with: devices.server)
    try one.sync(with: devices.server)
    #expect(try two.content() == one.content())
    #expect(try two.faults() == [])
  }

  @Test func `a comparison that the server cannot continue begins anew`() throws {
    let devices = try Devices()
    let two = devices.two
    _ = try devices.compare(try devices.firstDigests()) { $0 < 3 }
    let before = try two.content()
    // Neither the base nor what the parts are from is of this history.
    devices.server.beginHistory(system: 3)
    let digests = try devices.firstDigests()
    guard case .reset(let reset) = try devices.server.receive(digests) else {
      Issue.record("the comparison goes on")
      return
    }
    let anew = try #require(try two.synced.receive(reset, size: TestDevice.digestSize))
    #expect(anew.base == nil && anew.stagingArea == 0)
    #expect(try two.content() == before)
    let delta = try devices.compare(anew) { _ in true }
    #expect(try two.synced.receive(try #require(delta)) == .taken)
    #expect(try two.digests(devices.server) == devices.server.digests(size: TestDevice.digestSize))
    #expect(try two.faults() == [])
  }

  // More objects than a delta keeps in memory, with and without waiting transactions, which keep objects
  // with unique values there.
  @Test(.tags(.slow), arguments: [false, true])
  func `a delta over many staged objects shows each of them`(isWaiting: Bool) throws {
    let server = try SyncModel.server
    server.limits.partSize = 200_000
    let (one, two) = (try TestDevice(), try TestDevice())
    // With as many tags, more than `StoredDevice` holds. The server searches all rows for each unique
    // value.
    let count = 6_000
    let tag = try one.tags.put(["name": "a"])
    let codes = 80
    let notes = try one.notes.put(
      (1...count).map { ["rank": $0, "code": $0 > codes ? nil : "c\($0)"] }
    )
    let tags = try one.tags.put((1...count).map { ["name": "\($0)"] })
    try one.sync(with: server)
    try two.sync(with: server)
    // Each unique value moves to the object before, which the server takes in two steps.
    try one.notes.put(notes[..<codes].map { ["id": $0.value, "code": nil] })
    try one.sync(with: server)
    let changed = (1...count).map { (place: Int) -> [String: Any?] in
      let code: String? = place > codes ? nil : "c\(place % codes + 1)"
      return [
        "id": notes[place - 1].value, "rank": -place, "code": code,
        "parent": notes[count - place].value,
      ]
    }
    try one.notes.put(changed)
    try one.tags.put(tags.map { ["id": $0.value, "name": "new"] })
    for place in stride(from: 0, to: count, by: 1_000) {
      try one.notes.add([tag, tags[place]], to: "tags", of: notes[place])
    }
    _ = try one.notes.remove([notes[77]])
    try one.sync(with: server)
    if isWaiting { try two.notes.put(["id": notes[500].value, "title": "waits"]) }
    server.beginHistory()
    try two.take(from: server)
    try two.sync(with: server)
    try one.sync(with: server)
    #expect(try two.faults() == [])
    #expect(try two.content() == one.content())
    let title = try two.notes.get(notes[500])?["title"] as? String
    #expect(title == (isWaiting ? "waits" : nil))
  }
}
