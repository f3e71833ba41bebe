import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxSyncServer

/// Functions that resolve conflicts, with entity types and over PostgreSQL.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct ResolutionTests {
  private struct Locked: Error, CustomStringConvertible {
    let description = "the errand is locked"
  }

  @SyncRulesBuilder private static var rules: [SyncRule] {
    rule(Errand.self)
    write(Errand.self) { user, errand in errand.owner != "nobody" }
    resolve(Errand.self) { base, mine, theirs in
      if theirs.owner == "locked" { throw Locked() }
      theirs.members = Array(Set(theirs.members).union(mine.members)).sorted()
      theirs.priority = max(mine.priority, theirs.priority)
      theirs.isDone = mine.isDone == base.isDone ? theirs.isDone : mine.isDone
      theirs.likes = 1_000
      return theirs
    }
  }

  private static func serving(
    _ body: (Cluster, RunningSyncServer) async throws -> Void
  ) async throws {
    let rules = rules
    try await ErrandDevice.serving({ for rule in rules { rule } }, body)
  }

  /// Changes an object on a device.
  private static func change(
    _ id: Id,
    on device: ErrandDevice,
    _ change: (Errand) -> Void
  ) throws {
    let errand = try #require(try device.errands.get(id))
    change(errand)
    try device.errands.put(errand)
  }

  /// Makes an object on a device, changes it on two that do not hear of each other, and passes both
  /// to a body when they have the result.
  private static func meeting(
    _ errand: Errand,
    _ server: RunningSyncServer,
    first: (Errand) -> Void,
    second: (Errand) -> Void,
    _ body: (ErrandDevice, ErrandDevice, Id) async throws -> Void
  ) async throws {
    let (a, b) = (try ErrandDevice("a", server), try ErrandDevice("b", server))
    let id = try a.errands.put(errand)
    await a.waitForDecisions()
    try await b.wait { try b.errands.contains(id) }
    try b.client.stop()
    try change(id, on: a, first)
    await a.waitForDecisions()
    try change(id, on: b, second)
    try b.client.start()
    await b.waitForDecisions()
    try await body(a, b, id)
  }

  @Test func `two devices and the database get the function's result`() async throws {
    try await Self.serving { cluster, server in
      try await Self.meeting(
        Errand(owner: "ada", members: ["a"], priority: 1),
        server,
        first: {
          $0.members = ["a", "b"]
          $0.priority = 9
          $0.likes = 2
        },
        second: {
          $0.members = ["a", "c"]
          $0.priority = 5
          $0.isDone = true
          $0.likes = 3
        }
      ) { a, b, id in
        try await a.wait { try a.errands.get(id)?.isDone == true }
        let stored = try await cluster.box(for: Errand.self).get(id)
        for errand in [stored, try a.errands.get(id), try b.errands.get(id)] {
          #expect(errand?.members == ["a", "b", "c"])
          #expect(errand?.priority == 9)
          #expect(errand?.isDone == true)
          #expect(errand?.likes == 5)
        }
        let rejections = try b.client.rejections()
        #expect(rejections.map(\.isWhole) == [false])
        let parts = try #require(rejections.first).parts
        #expect(parts.map(\.property) == ["members", "priority"])
        #expect(parts.map(\.reason) == [.resolved, .resolved])
        #expect(try a.client.rejections().isEmpty)
      }
    }
  }

  @Test func `an error of the function rejects the transaction, and those behind it go on`()
    async throws
  {
    try await Self.serving { _, server in
      try await Self.meeting(
        Errand(owner: "ada"),
        server,
        first: { $0.owner = "locked" },
        second: { $0.owner = "bob" }
      ) { _, b, id in
        let part = try #require(try b.client.rejections().first?.parts.first)
        #expect(part.reason == .resolution)
        #expect(part.entity == "Errand")
        #expect(part.message == "the errand is locked")
        #expect(try b.errands.get(id)?.owner == "locked")
        #expect(try await b.isAccepted(Errand(owner: "bob")))
        #expect(server.figures().rejections == ["resolution": 1])
      }
    }
  }

  @Test func `the function is called after plain SQL, and not for waiting writes of the device`()
    async throws
  {
    try await Self.serving { cluster, server in
      let device = try ErrandDevice("a", server)
      let id = try device.errands.put(Errand(owner: "ada", priority: 5))
      await device.waitForDecisions()
      try device.client.stop()
      // Each has another priority than the function would give it.
      for priority in [4, 3, 2] { try Self.change(id, on: device) { $0.priority = priority } }
      try device.client.start()
      await device.waitForDecisions()
      #expect(try await cluster.box(for: Errand.self).get(id)?.priority == 2)
      #expect(try device.client.rejections().isEmpty)
      try device.client.stop()
      let errand = try #require(try await cluster.box(for: Errand.self).get(id))
      errand.priority = 8
      try await cluster.box(for: Errand.self).put(errand)
      try Self.change(id, on: device) { $0.priority = 7 }
      try device.client.start()
      await device.waitForDecisions()
      #expect(try device.errands.get(id)?.priority == 8)
    }
  }

  @Test func `the result needs the right to write`() async throws {
    try await Self.serving { cluster, server in
      try await Self.meeting(
        Errand(owner: "ada"),
        server,
        first: { $0.priority = 1 },
        second: { $0.isDone = true }
      ) { _, b, id in
        #expect(try b.client.rejections().isEmpty)
        try b.client.stop()
        let errand = try #require(try await cluster.box(for: Errand.self).get(id))
        errand.owner = "nobody"
        try await cluster.box(for: Errand.self).put(errand)
        try Self.change(id, on: b) { $0.priority = 3 }
        try b.client.start()
        await b.waitForDecisions()
        #expect(try b.client.rejections().first?.parts.first?.reason == .permission)
      }
    }
  }

  @Test func `without a function the last received write wins by property`() async throws {
    try await ErrandDevice.serving {
      rule(Errand.self)
      write(Errand.self)
    } _: { _, server in
      try await Self.meeting(
        Errand(owner: "ada", priority: 1),
        server,
        first: {
          $0.owner = "bob"
          $0.priority = 9
        },
        second: { $0.priority = 5 }
      ) { a, b, id in
        try await a.wait { try a.errands.get(id)?.priority == 5 }
        #expect(try b.errands.get(id)?.owner == "bob")
        #expect(try b.client.rejections().isEmpty)
      }
    }
  }

  @Test func `a function that would never be called, and a second one, are told at the start`()
    async throws
  {
    let test = try await TestServerLog()
    let useless = SyncRule(entity: "Item", resolution: { $0.conflict.mine })
    let error = await #expect(throws: SyncServerError.self) { try await test.serve([useless]) }
    #expect(error?.description.contains("of 'Item'") == true)
    #expect(error?.description.contains("sync = { \"resolve\": true }") == true)
    let configuration = TestServer.configuration(in: "resolve \(UUID().uuidString)")
    let cluster = try await Cluster(configuration: configuration)
    let twice = SyncServer(cluster: cluster, listen: .init(port: 0), authenticate: .none) {
      resolve(Errand.self) { _, mine, _ in mine }
      resolve(Errand.self) { _, _, theirs in theirs }
    }
    let second = await #expect(throws: SyncServerError.self) { try await twice.start() }
    #expect(second?.description.contains("two functions") == true)
    await cluster.close()
  }

  @Test(arguments: [1, Hello.currentVersion + 1])
  func `a device of another version is refused with both versions`(version: UInt32) async throws {
    let test = try await TestServerLog()
    let server = try await test.serve(TestServerLog.everything)
    let refused = await #expect(throws: Refused.self) {
      try await SocketDevice(TestDevice(2, test), port: server.port, version: version)
    }
    #expect(refused?.code == .version)
    #expect(refused?.description.contains("the server \(Hello.currentVersion)") == true)
    await server.stop()
  }
}
