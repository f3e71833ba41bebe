import Foundation
import ObjectBox
import ObjectBoxSyncConnection
import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import ObjectBoxTestSupport
import ObjectBoxWebSockets
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct SyncServerTests {
  /// Items whose owner has the number that the user's name is.
  private static let owned: @Sendable (SyncUser) -> Condition? = { user in
    .property(
      PropertyCondition(
        propertyID: 2,
        comparison: .equal,
        operand: .integers([Int64(user.id) ?? -1])
      )
    )
  }

  private static let anyone = SyncAuthentication.password { name, _ in SyncUser(id: name) }

  @Test func `a write of one device reaches another one, through another server`() async throws {
    let test = try await TestServerLog()
    let first = try await test.serve()
    let second = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: first.port)
    var b = try await SocketDevice(TestDevice(2, test), port: second.port)
    try await b.synchronize { _ in true }
    try a.own.insert(TestServerLog.item, 7, [(TestServerLog.owner, .integer(3))])
    try await a.synchronize { !$0.decisions.isEmpty }
    #expect(a.own.decisions == [.accepted])
    try await b.synchronize { $0.row(TestServerLog.item, 7) != nil }
    #expect(b.own.row(TestServerLog.item, 7) == a.own.row(TestServerLog.item, 7))
    await first.stop()
    await second.stop()
  }

  @Test func `a page of a web browser is refused, whatever site it comes from`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    func upgrade(_ origin: String?) async throws {
      let headers = ["Sec-WebSocket-Protocol": SyncConnection.subprotocol, "Origin": origin]
      try await RawSocket(port: server.port).upgrade(headers: headers.compactMapValues(\.self))
    }
    for origin in ["https://example.com", "http://localhost", "null"] {
      let error = await #expect(throws: RawSocketError.self) { try await upgrade(origin) }
      #expect(error?.reason.contains("403") == true, "\(error?.reason ?? "")")
    }
    try await upgrade(nil)
    await server.stop()
  }

  @Test func `plain SQL reaches a waiting device`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    try await a.synchronize { _ in true }
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (3, 5)"#)
    try await a.synchronize { $0.row(TestServerLog.item, 3) != nil }
    await server.stop()
  }

  /// The server reads a part before the device asks for it, so it may be older than such a write.
  @Test func `writes between the parts of a first fill reach the device`() async throws {
    let test = try await TestServerLog()
    try await test.sql(
      #"INSERT INTO @"Label" (id, name) SELECT g, repeat('x', 100000) FROM generate_series(1, 60) AS g"#
    )
    let server = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    var parts = 0
    repeat {
      try await a.send(.deltaRequest(a.own.device.deltaRequest()))
      guard case .delta(let delta) = try await a.next() else {
        Issue.record("no delta")
        break
      }
      _ = try a.own.device.receive(delta) { DeviceIdentity(Identifier128(high: 2, low: 0)) }
      parts += 1
      try await test.sql("UPDATE @\"Label\" SET name = '\(parts)' WHERE id IN (1, 30, 60)")
      try await test.sql("DELETE FROM @\"Label\" WHERE id IN (\(parts + 1), \(60 - parts))")
    } while !a.own.device.store.state.scopes.isComplete
    #expect(parts > 3)
    let last = PropertyValue.bytes(Array("\(parts)".utf8))
    try await a.synchronize { device in
      [1, 30, 60].allSatisfy {
        device.row(TestServerLog.label, $0)?.values[PropertyUID(2002)] == last
      }
        && (1...parts).allSatisfy { part in
          let gone = [UInt64(part + 1), UInt64(60 - part)]
          return gone.allSatisfy { device.row(TestServerLog.label, $0) == nil }
        }
    }
    await server.stop()
  }

  @Test func `a user sees what the rules say, and what leaves them leaves the device`()
    async throws
  {
    let test = try await TestServerLog()
    let rules = [SyncRule(access: .see, entity: "Item", condition: Self.owned)]
    let server = try await test.serve(rules, authenticate: Self.anyone)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1), (2, 2)"#)
    var a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      credentials: .user(name: "1", password: "")
    )
    try await a.synchronize { $0.row(TestServerLog.item, 1) != nil }
    #expect(a.own.row(TestServerLog.item, 2) == nil)
    try await test.sql(#"UPDATE @"Item" SET owner = 3 - owner"#)
    try await a.synchronize { $0.row(TestServerLog.item, 2) != nil }
    #expect(a.own.row(TestServerLog.item, 1) == nil)
    await server.stop()
  }

  @Test func `a rule of several properties shows and permits what passes all`() async throws {
    let test = try await TestServerLog()
    let both: @Sendable (SyncUser) -> Condition? = { user in
      .all(
        [(2, Int64(user.id) ?? -1), (3, 1)].map { id, value in
          .property(
            PropertyCondition(propertyID: id, comparison: .equal, operand: .integers([value]))
          )
        }
      )
    }
    let rules = [SyncRule.Access.see, .write].map {
      SyncRule(access: $0, entity: "Item", condition: both)
    }
    let server = try await test.serve(rules, authenticate: Self.anyone)
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner, value) VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1)"#
    )
    var a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      credentials: .user(name: "1", password: "")
    )
    try a.own.insert(TestServerLog.item, 4, [(TestServerLog.owner, .integer(1))])
    try a.own.insert(
      TestServerLog.item,
      5,
      [(TestServerLog.owner, .integer(1)), (TestServerLog.value, .integer(1))]
    )
    try await a.synchronize { $0.decisions.count == 2 && $0.row(TestServerLog.item, 1) != nil }
    let refused = Rejection(entity: TestServerLog.item, property: nil, reason: .permission)
    #expect(a.own.decisions == [.rejected(refused), .accepted])
    #expect((1...4).filter { a.own.row(TestServerLog.item, $0) != nil } == [1])
    try await test.sql(#"UPDATE @"Item" SET value = 3 - value WHERE id < 3"#)
    try await a.synchronize { $0.row(TestServerLog.item, 2) != nil }
    #expect(a.own.row(TestServerLog.item, 1) == nil)
    await server.stop()
  }

  @Test func `a user for whom a rule has no values sees nothing, and others see their objects`()
    async throws
  {
    let test = try await TestServerLog()
    // The server learns the compared properties from a user without a name.
    let rule = SyncRule(access: .see, entity: "Item") { user in
      .property(
        PropertyCondition(
          propertyID: 2,
          comparison: .isIn,
          operand: .integers([Int64(user.id)].compactMap { $0 })
        )
      )
    }
    let server = try await test.serve([rule], authenticate: Self.anyone)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#)
    var a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      credentials: .user(name: "1", password: "")
    )
    try await a.synchronize { $0.row(TestServerLog.item, 1) != nil }
    var nobody = try await SocketDevice(
      TestDevice(2, test),
      port: server.port,
      credentials: .user(name: "nobody", password: "")
    )
    try nobody.own.insert(TestServerLog.item, 5, [])
    try await nobody.synchronize { $0.decisions.count == 1 }
    #expect(nobody.own.row(TestServerLog.item, 1) == nil)
    await server.stop()
  }

  @Test func `a write without the right is rejected, and the device undoes it`() async throws {
    let test = try await TestServerLog()
    let rules = [
      SyncRule(access: .see, entity: "Item") { _ in nil },
      SyncRule(access: .write, entity: "Item", condition: Self.owned),
    ]
    let server = try await test.serve(rules, authenticate: Self.anyone)
    var a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      credentials: .user(name: "1", password: "")
    )
    try a.own.insert(TestServerLog.item, 1, [(TestServerLog.owner, .integer(1))])
    try a.own.insert(TestServerLog.item, 2, [(TestServerLog.owner, .integer(2))])
    try a.own.insert(TestServerLog.label, 3, [])
    try await a.synchronize { $0.decisions.count == 3 }
    let refused = { Decision.rejected(Rejection(entity: $0, property: nil, reason: .permission)) }
    #expect(
      a.own.decisions == [.accepted, refused(TestServerLog.item), refused(TestServerLog.label)]
    )
    #expect(a.own.row(TestServerLog.item, 2) == nil)
    await server.stop()
  }

  @Test func `a lost cursor compares digests, and keeps what waits`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    try await test.sql(#"INSERT INTO @"Item" (id) SELECT generate_series(1, 1000)"#)
    try await a.synchronize { $0.row(TestServerLog.item, 1000) != nil }
    a.close()
    // The log ends behind the device's cursor.
    try await test.sql(#"DELETE FROM @"Item" WHERE id = 5"#)
    try await test.sql("UPDATE @objectbox_epoch SET swept = pg_current_xact_id()")
    var again = try await SocketDevice(a.own, port: server.port)
    try again.own.insert(TestServerLog.item, 2_000, [])
    try await again.synchronize { $0.row(TestServerLog.item, 5) == nil && $0.decisions.count == 1 }
    #expect(again.own.decisions == [.accepted])
    #expect(again.own.row(TestServerLog.item, 2_000) != nil)
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["1000"]])
    await server.stop()
  }

  @Test func `a device with an older model gets what it knows, and leaves the rest`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    try await test.sql(#"INSERT INTO @"Item" (id, owner, title) VALUES (1, 5, 'kept')"#)
    var a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      without: TestServerLog.title
    )
    #expect(a.welcome?.model.first { $0.entity == TestServerLog.item }?.properties.count == 3)
    try await a.synchronize { $0.row(TestServerLog.item, 1) != nil }
    #expect(a.own.row(TestServerLog.item, 1)?.values[TestServerLog.title] == nil)
    try a.own.write { device, _ in
      [
        .update(
          try device.reference(TestServerLog.item, 1),
          PropertyList([(TestServerLog.owner, .integer(6))])
        )
      ]
    }
    try await a.synchronize { !$0.decisions.isEmpty }
    #expect(
      try await test.sql(#"SELECT owner::text, title FROM @"Item""#) == [["6", "kept"]]
    )
    await server.stop()
  }

  @Test func `bytes that are no message end the connection with what was found`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    var settings = WebSocketClient.Configuration()
    settings.subprotocol = SyncConnection.subprotocol
    let client = try await WebSocketClient.start(settings)
    let login = WireMessage.deltaRequest(try TestDevice(1, test).device.deltaRequest()).encoded()
    for (bytes, found) in [
      ([0, 99], "99 is no kind of a message"), ([7], "a frame must begin with 0 or 1"),
      ([0] + login, "must be its login"),
    ] as [([UInt8], String)] {
      let connection = try await client.connect(to: "ws://127.0.0.1:\(server.port)/")
      try await connection.send(bytes)
      let answer = try #require(try await connection.receive())
      guard case .refused(let refused) = try WireMessage(decoding: Array(answer.dropFirst())) else {
        Issue.record("not refused")
        continue
      }
      #expect(refused.code == .message)
      #expect(refused.text.contains(found))
      #expect(try await connection.receive() == nil)
    }
    await server.stop()
  }

  @Test func `a user has no more connections than the limit`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve(authenticate: Self.anyone) { $0.connectionsByUser = 1 }
    let credentials = Credentials.user(name: "1", password: "")
    let a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      credentials: credentials
    )
    let refused = await #expect(throws: Refused.self) {
      try await SocketDevice(TestDevice(2, test), port: server.port, credentials: credentials)
    }
    #expect(refused?.code == .rate)
    a.close()
    await server.stop()
  }

  @Test func `deltas arrive while an upload is decided`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    try await a.synchronize { _ in true }
    // Lets readers pass, but no writer of items.
    let other = try await TestServer.connect()
    try await test.sql("BEGIN", on: other)
    try await test.sql(#"LOCK TABLE @"Item" IN SHARE MODE"#, on: other)
    try a.own.insert(TestServerLog.item, 7, [])
    try await test.sql(#"INSERT INTO @"Label" (id, name) VALUES (3, 'red')"#)
    try await a.synchronize { $0.row(TestServerLog.label, 3) != nil }
    #expect(a.own.decisions.isEmpty)
    try await test.sql("COMMIT", on: other)
    try await a.synchronize { $0.decisions == [.accepted] }
    await server.stop()
  }

  @Test func `a device that uploads without waiting for answers is refused`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    let other = try await TestServer.connect()
    try await test.sql("BEGIN", on: other)
    try await test.sql(#"LOCK TABLE @"Item" IN SHARE MODE"#, on: other)
    try a.own.insert(TestServerLog.item, 7, [])
    let upload = try a.own.device.upload(limit: 100)
    for _ in 0...2 * Upload.window { try await a.send(.upload(upload)) }
    let refused = await #expect(throws: Refused.self) { while try await a.next() != nil {} }
    #expect(refused?.code == .rate)
    #expect(refused?.description.contains("more than 8 uploads") == true)
    try await test.sql("COMMIT", on: other)
    await server.stop()
  }

  @Test func `rules that the server cannot follow are told at its start`() async throws {
    let test = try await TestServerLog(syncsNotes: false)
    let unknown = SyncRule(access: .see, entity: "Note") { _ in nil }
    let part = SyncRule(access: .see, entity: "Item") { _ in
      .property(PropertyCondition(propertyID: 4, comparison: .hasPrefix, operand: .texts(["a"])))
    }
    let write = SyncRule(access: .write, entity: "Item") { _ in
      .property(PropertyCondition(propertyID: 2, comparison: .equal, operand: .texts(["a"])))
    }
    let numbers = PropertyCondition(
      propertyID: 2,
      comparison: .isIn,
      operand: .integers(Array(0..<150))
    )
    let many = SyncRule(access: .see, entity: "Item") { _ in
      .all([.property(numbers), .property(numbers)])
    }
    for (rule, found) in [
      (unknown, "'Note'"), (part, "compares 'title' by 'starts with'"),
      (write, "compares 'owner' of type"),
      (many, "more than 20000 combinations"),
    ] {
      let error = await #expect(throws: SyncServerError.self) { try await test.serve([rule]) }
      #expect(error?.description.contains(found) == true)
    }
  }

  @Test func `a certificate without its key is refused, and a key without its certificate`()
    async throws
  {
    let test = try await TestServerLog()
    for (certificate, key, missing) in [
      ("chain.pem", nil, "'key'"), (nil, "key.pem", "'certificate'"),
    ]
      as [(String?, String?, String)]
    {
      let server = SyncServer(
        cluster: test.cluster,
        listen: .init(port: 0, certificate: certificate, key: key),
        authenticate: .none,
        rules: { for rule in TestServerLog.everything { rule } }
      )
      let error = await #expect(throws: SyncServerError.self) { try await server.start() }
      #expect(error?.description.contains(missing) == true)
    }
  }

  @Test func `a server that is stopped tells its devices`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve()
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    try await a.synchronize { _ in true }
    #expect(server.deviceCount == 1)
    await server.stop()
    #expect(server.deviceCount == 0)
  }
}
