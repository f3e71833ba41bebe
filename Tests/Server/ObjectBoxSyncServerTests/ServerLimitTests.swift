import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncConnection
import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Limits that devices meet when they take too much.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct ServerLimitTests {
  @Test func `a device that sends too many messages is told the limit, and still served`()
    async throws
  {
    let test = try await TestServerLog()
    let server = try await test.serve { $0.messagesPerSecond = 1 }
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    // Two may come at once.
    for _ in 0..<8 { try await a.send(.deltaRequest(a.own.device.deltaRequest())) }
    var (notices, deltas) = (0, 0)
    while notices == 0 || deltas == 0, let message = try await a.next() {
      if case .delta = message { deltas += 1 }
      guard case .notice(let notice) = message else { continue }
      #expect(notice.code == .rate)
      #expect(notice.text.contains("more than 1 messages a second"))
      notices += 1
    }
    #expect(notices == 1)
    await server.stop(within: .zero)
  }

  @Test func `an upload with too many operations is refused as a whole`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve { $0.uploadOperations = 2 }
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    #expect(a.welcome?.uploadOperations == 2)
    for id in 1...3 { try a.own.insert(TestServerLog.item, UInt64(id), []) }
    try await a.send(.upload(a.own.device.upload(limit: 100)))
    let refused = await #expect(throws: Refused.self) { while try await a.next() != nil {} }
    #expect(refused?.code == .rate)
    #expect(refused?.text.contains("3 operations, and the server takes 2") == true)
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["0"]])
    await server.stop()
  }

  @Test(arguments: [(40, 2_000), (300, 10)])
  func `a transaction above the limits of uploads is uploaded alone, and decided as one`(
    count: Int,
    length: Int
  ) async throws {
    let test = try await TestServerLog()
    let server = try await test.serve {
      $0.messageSize = 1 << 16
      $0.uploadOperations = 50
    }
    // Others go on beside them.
    let (a, b) = (
      try SyncClientTests.Device([server.port]), try SyncClientTests.Device([server.port])
    )
    let title = String(repeating: "x", count: length)
    for device in [a, b] {
      try device.items.put(["owner": 1, "title": "before"])
      try device.store.runInTransaction {
        for number in 1...count { try device.items.put(["owner": number, "title": title]) }
      }
      try device.items.put(["owner": 1, "title": "after"])
      try device.client.start()
    }
    await a.waitForDecisions()
    await b.waitForDecisions()
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["\(2 * (count + 2))"]])
    let transactions = try await test.sql(
      #"SELECT count(DISTINCT objectbox_birth)::text FROM @"Item""#
    )
    #expect(transactions == [["6"]])
    try await a.wait { try a.items.count() == 2 * (count + 2) }
    #expect(try a.client.rejections().isEmpty && b.client.rejections().isEmpty)
    #expect(a.client.lastError == nil && b.client.lastError == nil)
    await server.stop()
  }

  @Test
  func
    `one large transaction is received at a time, and one that does not end gives the place back`()
    async throws
  {
    let places = UserTurns(width: 1)
    let (ends, end) = AsyncStream.makeStream(of: Refused.self)
    func use(_ name: String, _ limit: Duration = .seconds(600)) -> LargeUpload {
      LargeUpload(places, holder: name, limit: limit) { end.yield($0) }
    }
    let (first, second, third) = (use("a", .milliseconds(1)), use("b"), use("c"))
    try await first.begin()
    try await first.begin()
    let waiting = Task { try await second.begin() }
    let cancelled = Task { try await third.begin() }
    while places.waitingCount < 2 { await Task.yield() }
    // The session ends by this.
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next()?.code == .rate)
    third.end()
    first.end()
    try await waiting.value
    second.finish()
    try await cancelled.value
    // The place is free again.
    try await use("d").begin()
  }

  @Test func `an upload of nulls is refused before they are in memory`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve {
      $0.uploadOperations = 1_000
      $0.transactionOperations = 1_000
    }
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    let nulls = PropertyList<PropertyValue>((1...800_000).map { (PropertyUID($0), .null) })
    try await a.send(
      .upload(a.upload([.insert(ObjectKey(entity: TestServerLog.item, id: 1), nulls, .assigned)]))
    )
    let refused = await #expect(throws: Refused.self) { while try await a.next() != nil {} }
    #expect(refused?.code == .rate)
    #expect(refused?.text.contains("'limits.transactionOperations'") == true)
    await server.stop()
  }

  @Test func `an operation with more values than its entity has properties is refused`()
    async throws
  {
    let test = try await TestServerLog()
    let server = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    let nulls = PropertyList<PropertyValue>((1...100).map { (PropertyUID($0), .null) })
    try await a.send(
      .upload(a.upload([.insert(ObjectKey(entity: TestServerLog.item, id: 1), nulls, .assigned)]))
    )
    let refused = await #expect(throws: Refused.self) { while try await a.next() != nil {} }
    #expect(refused?.code == .message)
    #expect(refused?.text.contains("has 100 values") == true)
    await server.stop()
  }

  @Test func `no message is received behind a large upload before its decision`() async throws {
    let test = try await TestServerLog()
    // Holds up the decision of the first upload.
    let other = try await TestServer.connect()
    let server = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    try await test.sql("BEGIN", on: other)
    try await test.sql(#"LOCK TABLE @"Item" IN ACCESS EXCLUSIVE MODE"#, on: other)
    let size = 3 << 20
    for id in 1...6 as ClosedRange<UInt64> {
      let title = PropertyValue.bytes(Array(repeating: 120, count: size))
      try a.own.insert(TestServerLog.item, id, [(TestServerLog.title, title)])
    }
    let whole = try a.own.device.upload(limit: 6)
    let sending = Task { [send = a.sender] in
      for transaction in whole.transactions {
        let one = Upload(device: whole.device, seen: whole.seen, transactions: [transaction])
        try await send(.upload(one))
      }
    }
    let waiting = #"""
      SELECT count(*)::text FROM pg_locks WHERE NOT granted AND relation = '@"Item"'::regclass
      """#
    while try await test.sql(waiting) == [["0"]] {}
    let received = try #require(server.figures().devices.first?.receivedBytes)
    #expect(received < 2 * size)
    try await test.sql("COMMIT", on: other)
    try await sending.value
    var last: UInt64 = 0
    while last < 6, let message = try await a.next() {
      if case .reply(.acknowledged(_, let number)) = message { last = number }
    }
    await server.stop()
  }

  @Test func `a client splits its uploads, and tells a transaction that is too large`()
    async throws
  {
    let test = try await TestServerLog()
    let server = try await test.serve {
      $0.uploadOperations = 3
      $0.transactionOperations = 3
    }
    let a = try SyncClientTests.Device([server.port])
    for number in 1...10 { try a.items.put(["owner": number]) }
    try a.client.start()
    await a.waitForDecisions()
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["10"]])
    try a.store.runInTransaction { for number in 1...4 { try a.items.put(["owner": number]) } }
    while a.client.lastError == nil { await Task.yield() }
    let text = "\(try #require(a.client.lastError))"
    #expect(text.contains("4 changes waits, and the server takes 3"))
    // The connection goes on, and the transaction waits.
    try await test.sql(#"INSERT INTO @"Item" (id, title) VALUES (1000000, 'news')"#)
    try await a.wait { try a.items.contains(1_000_000) }
    #expect(a.client.getState() == .loggedIn)
    #expect(try a.client.waitingCount() == 1)
    await server.stop()
  }

  @Test func `a limit that slows a client down is its last error`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve { limits in
      limits.leasedIDs = 100
      limits.leasedIDsPerHour = 100
    }
    // Each entity without IDs asks for some.
    let a = try SyncClientTests.Device([server.port])
    try a.client.start()
    while a.client.lastError == nil { await Task.yield() }
    let refused = try #require(a.client.lastError as? Refused)
    #expect(refused.text.contains("100 IDs an hour"))
    let id = try a.items.put(["owner": 1])
    _ = try a.codes.put(["text": "a"])
    await a.waitForDecisions()
    #expect(a.client.getState() == .loggedIn)
    #expect(try await test.sql(#"SELECT id::text FROM @"Item""#) == [["\(id.value)"]])
    await server.stop()
  }

  @Test func `IDs are reserved for entities that the user may write`() async throws {
    let test = try await TestServerLog()
    let rules = [
      SyncRule(access: .see, entity: "Label") { _ in nil },
      SyncRule(access: .write, entity: "Item") { _ in nil },
    ]
    let server = try await test.serve(rules)
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    let device = a.own.device.store.state.device
    for _ in 1...2 {
      for entity in [TestServerLog.label, TestServerLog.item, EntityUID(4_711)] {
        try await a.send(.lend(Lend(device: device, entity: entity)))
      }
      guard case .lease(let lease) = try await a.next() else {
        Issue.record("no lease")
        break
      }
      #expect(lease.block.entity == TestServerLog.item)
    }
    await server.stop()
  }

  @Test func `nothing is read for a device before it has taken the delta before`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    // More than all buffers between the two hold.
    try await test.sql(#"INSERT INTO @"Item" (id, title) VALUES (1, repeat('x', 16000000))"#)
    // Holds up the reading of the first delta, and the server's reading of the log.
    let other = try await TestServer.connect()
    try await test.sql("BEGIN", on: other)
    try await test.sql(#"LOCK TABLE @"Item" IN ACCESS EXCLUSIVE MODE"#, on: other)
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    let deltaRequest = try a.own.device.deltaRequest()
    try await a.send(.deltaRequest(deltaRequest))
    let waiting = #"""
      SELECT count(*)::text FROM pg_locks WHERE NOT granted AND relation = '@"Item"'::regclass
      """#
    while try await test.sql(waiting) != [["2"]] {}
    let next = DeltaRequest(
      state: StateKey(device: deltaRequest.state.device, edition: 7),
      cursor: deltaRequest.cursor,
      scopes: deltaRequest.scopes,
      confirmed: 0
    )
    try await a.send(.deltaRequest(next))
    try a.own.insert(TestServerLog.code, 1, [])
    try await a.send(.upload(a.own.device.upload(limit: 1)))
    // The server has received the second request before the upload.
    while try await test.sql(#"SELECT count(*)::text FROM @"Code""#) != [["1"]] {}
    try await test.sql("COMMIT", on: other)
    // The first frame of the delta, which is larger than the answer to the upload.
    while a.unreadBytes < 100_000 { await Task.yield() }
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (5)"#)
    var deltas: [Delta] = []
    while deltas.last?.state.edition != 7, let message = try await a.next() {
      if case .delta(let delta) = message { deltas.append(delta) }
    }
    let label = ObjectKey(entity: TestServerLog.label, id: 5)
    #expect(deltas.map { $0.rows.contains { $0.key == label } } == [false, true])
    await server.stop()
  }

  @Test func `credentials whose check takes too long are refused, and the check still counts`()
    async throws
  {
    let test = try await TestServerLog()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let (errors, error) = AsyncStream.makeStream(of: String.self)
    // Ignores its cancellation.
    let authentication = SyncAuthentication { _, _ in
      await Task.detached { for await _ in ends { return } }.value
      return .init(user: .anonymous)
    }
    let server = try await test.serve(
      authenticate: authentication,
      { limits in
        limits.authenticationTime = .milliseconds(20)
        limits.loginsByAddress = 1
      },
      report: { error.yield("\($0)") }
    )
    var refusals: [Refused?] = []
    for _ in 1...2 {
      refusals.append(
        await #expect(throws: Refused.self) {
          try await SocketDevice(TestDevice(1, test), port: server.port)
        }
      )
    }
    #expect(refusals.map { $0?.code } == [.unavailable, .rate])
    #expect(refusals[0]?.text.contains("could not check") == true)
    for await text in errors {
      #expect(text.contains("'limits.authenticationTime'"))
      break
    }
    end.finish()
    await server.stop()
  }
}
