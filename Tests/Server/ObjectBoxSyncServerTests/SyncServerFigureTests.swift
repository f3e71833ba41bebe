import Foundation
import ObjectBox
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// The figures of a server.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct SyncServerFigureTests {
  private static let anyone = SyncAuthentication.password { name, password in
    password == "wrong" ? nil : SyncUser(id: name)
  }

  /// Everybody sees all; users may write items of the owner whose number is their name.
  private static let rules = [
    SyncRule(access: .see, entity: "Item") { _ in nil },
    SyncRule(access: .write, entity: "Item") { user in
      .property(
        PropertyCondition(
          propertyID: 2,
          comparison: .equal,
          operand: .integers([Int64(user.id) ?? -1])
        )
      )
    },
  ]

  /// Waits until figures fulfil a condition: sessions end, and logs are read, in their own tasks.
  private func figures(
    of server: RunningSyncServer,
    _ isDone: (SyncServerFigures) -> Bool
  ) async throws -> SyncServerFigures {
    while true {
      let figures = server.figures()
      if isDone(figures) { return figures }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test func `devices, decisions and bytes are counted, also of devices that are gone`()
    async throws
  {
    let test = try await TestServerLog()
    let server = try await test.serve(
      Self.rules,
      authenticate: Self.anyone
    )
    var a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      credentials: .user(name: "1", password: "")
    )
    let before = server.figures()
    #expect(before.devices.map(\.state) == [.starting])
    #expect(before.devices.map(\.user) == ["1"])
    #expect(before.devices.map(\.lastDelta) == [nil])
    #expect(before.devices.first?.identity.count == 8)
    try a.own.insert(TestServerLog.item, 1, [(TestServerLog.owner, .integer(1))])
    try a.own.insert(TestServerLog.item, 2, [(TestServerLog.owner, .integer(2))])
    try await a.synchronize { $0.decisions.count == 2 }
    let present = try await figures(of: server) { $0.decisions.rejected == 1 }
    let device = try #require(present.devices.first)
    #expect(device.decisions.accepted == 1)
    #expect(device.decisions.rejected == 1)
    #expect(device.state == .following)
    #expect(device.sentBytes > 0 && device.receivedBytes > 0)
    #expect(present.rejections == ["permission": 1])
    #expect(present.logins == 1)
    a.close()
    let after = try await figures(of: server) { $0.devices.isEmpty }
    #expect(after.decisions == present.decisions)
    #expect(after.rejections == ["permission": 1])
    #expect(after.sentBytes >= present.sentBytes)
    #expect(after.receivedBytes >= present.receivedBytes)
    await server.stop()
  }

  @Test func `rules have their devices and the changes of their entities`() async throws {
    let test = try await TestServerLog()
    let rules = Self.rules + [SyncRule(access: .see, entity: "Label") { _ in nil }]
    let server = try await test.serve(rules, authenticate: Self.anyone)
    var a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      credentials: .user(name: "1", password: "")
    )
    try await a.synchronize { _ in true }
    // The server's first reading of the log only finds its end.
    var id = 2
    while server.figures().rules[0].changes == 0 {
      id += 1
      try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (\#(id), 5)"#)
      try await Task.sleep(for: .milliseconds(5))
    }
    let present = server.figures()
    #expect(present.rules.map(\.entity) == ["Item", "Item", "Label"])
    #expect(present.rules.map(\.access) == [.see, .write, .see])
    #expect(present.rules.map(\.properties) == [[], ["owner"], []])
    #expect(present.rules.map(\.devices) == [1, 1, 1])
    #expect(present.rules[0].changes > 0)
    #expect(present.rules[1].changes == present.rules[0].changes)
    #expect(present.rules[2].changes == 0)
    await server.stop()
  }

  @Test func `a device that does not ask is behind, until it was sent the change`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve(authenticate: .none)
    var a = try await SocketDevice(TestDevice(1, test), port: server.port)
    try await a.synchronize { _ in true }
    _ = try await figures(of: server) { $0.devices.first?.lastDelta != nil }
    #expect(server.figures().devices.first?.behind == nil)
    // The server's first reading of the log only finds its end.
    var id: UInt64 = 2
    var late = server.figures()
    while late.devices.first?.behind == nil {
      id += 1
      try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (\#(id), 5)"#)
      try await Task.sleep(for: .milliseconds(5))
      late = server.figures()
    }
    #expect(!late.prometheusText.contains("objectbox_sync_behind_seconds 0.0\n"))
    try await a.synchronize { $0.row(TestServerLog.item, id) != nil }
    _ = try await figures(of: server) { $0.devices.first?.behind == nil }
    await server.stop()
  }

  @Test func `refused logins and reported errors are told, the newest error first`() async throws {
    let test = try await TestServerLog()
    let server = try await test.serve(
      authenticate: SyncAuthentication.password { name, password in
        if name == "down" { throw CocoaError(.fileNoSuchFile) }
        return password == "wrong" ? nil : SyncUser(id: name)
      },
      report: { _ in }
    )
    for name in ["a", "a", "down"] {
      await #expect(throws: Refused.self) {
        try await SocketDevice(
          TestDevice(1, test),
          port: server.port,
          credentials: .user(name: name, password: "wrong")
        )
      }
    }
    let present = try await figures(of: server) { $0.refusals.values.reduce(0, +) == 3 }
    #expect(present.refusals == ["credentials": 2, "unavailable": 1])
    #expect(present.errorCount == 1)
    #expect(present.errors.count == 1)
    #expect(present.logins == 0)
    await server.stop()
  }

  @Test func `the text form of Prometheus has each metric with its help and its type`() async throws
  {
    let test = try await TestServerLog()
    let server = try await test.serve(
      Self.rules,
      authenticate: Self.anyone
    )
    var a = try await SocketDevice(
      TestDevice(1, test),
      port: server.port,
      credentials: .user(name: "1", password: "")
    )
    try a.own.insert(TestServerLog.item, 2, [(TestServerLog.owner, .integer(2))])
    try await a.synchronize { $0.decisions.count == 1 }
    let text = try await figures(of: server) { $0.decisions.rejected == 1 }.prometheusText
    var described: Set<Substring> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# TYPE ") {
        described.insert(line.split(separator: " ")[2])
      } else if !line.hasPrefix("# HELP ") {
        #expect(
          line.wholeMatch(
            of: /objectbox_sync_[a-z_]+({[a-z]+="[^"]*"(,[a-z]+="[^"]*")*})? [0-9.e+-]+/
          ) != nil,
          "\(line)"
        )
        #expect(described.contains(line.prefix { $0 != " " && $0 != "{" }), "\(line)")
      }
    }
    for line in [
      "objectbox_sync_devices{state=\"following\"} 1",
      "objectbox_sync_transactions_total{outcome=\"rejected\"} 1",
      "objectbox_sync_rejections_total{reason=\"permission\"} 1",
      "objectbox_sync_rule_devices{access=\"see\",entity=\"Item\",rule=\"1\"} 1",
      "objectbox_sync_logins_total 1",
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
    // No series for each user and device.
    #expect(!text.contains("127.0.0.1"))
    await server.stop()
  }
}
