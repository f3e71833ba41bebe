import ObjectBox
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxSyncServer

struct ConnectionCountsTests {
  private func counts(_ change: (inout SyncServer.Limits) -> Void) -> ConnectionCounts {
    var limits = SyncServer.Limits()
    change(&limits)
    return ConnectionCounts(limits)
  }

  @Test func `a user is known by the identity, whatever the claims are`() throws {
    var counts = counts { $0.connectionsByUser = 1 }
    let users = ["1", "2"].map { SyncUser(id: "ada", claims: ["exp": $0]) }
    try counts.begin(users[0])
    let refused = #expect(throws: Refused.self) { try counts.begin(users[1]) }
    #expect(refused?.code == .rate)
    #expect(refused?.text.contains("'ada' has 1 connections") == true)
    counts.end(users[0])
    try counts.begin(users[1])
  }

  @Test func `devices without a user have a limit of their own`() throws {
    var counts = counts { $0.connectionsWithoutUser = 1 }
    try counts.begin(.anonymous)
    let refused = #expect(throws: Refused.self) {
      try counts.begin(SyncUser(id: "", claims: ["a": "b"]))
    }
    #expect(refused?.text.contains("1 connections without a user") == true)
    try counts.begin(SyncUser(id: "ada"))
    counts.end(.anonymous)
    try counts.begin(.anonymous)
  }

  @Test func `an address has a limited number of connections without login`() throws {
    var counts = counts { $0.loginsByAddress = 1 }
    try counts.beginLogin(from: "::1")
    let refused = #expect(throws: Refused.self) { try counts.beginLogin(from: "::1") }
    #expect(refused?.text.contains("have not logged in yet") == true)
    try counts.beginLogin(from: "::2")
    counts.endLogin(from: "::1")
    try counts.beginLogin(from: "::1")
  }

  @Test func `a user's share of IDs comes back with time`() {
    var counts = counts { $0.leasedIDsPerHour = 3_600 }
    let now = ContinuousClock.now
    let ada = SyncUser(id: "ada")
    #expect(counts.take(3_600, of: .leasedIDs, by: ada, "::1", at: now) == nil)
    // Another address of the user shares it, another user does not.
    #expect(counts.take(10, of: .leasedIDs, by: ada, "::2", at: now) == .seconds(10))
    #expect(counts.take(10, of: .leasedIDs, by: SyncUser(id: "bo"), "::2", at: now) == nil)
    counts.forgetIdle(at: now + .seconds(5))
    #expect(counts.take(10, of: .leasedIDs, by: ada, "::1", at: now + .seconds(10)) == .seconds(10))
    counts.forgetIdle(at: now + .seconds(4_000))
    #expect(counts.take(3_600, of: .leasedIDs, by: ada, "::1", at: now + .seconds(4_000)) == nil)
    // Without a user, each address has its own.
    #expect(counts.take(3_600, of: .leasedIDs, by: .anonymous, "::1", at: now) == nil)
    #expect(counts.take(3_600, of: .leasedIDs, by: .anonymous, "::2", at: now) == nil)
  }

  @Test func `users share out the transactions that change nothing`() {
    var limits = SyncServer.Limits()
    limits.idleTransactionsPerDay = 24
    var counts = ConnectionCounts(limits)
    let now = ContinuousClock.now
    let ada = SyncUser(id: "ada")
    #expect(counts.take(24, of: .idleTransactions, by: ada, "::1", at: now) == nil)
    #expect(counts.take(1, of: .idleTransactions, by: ada, "::2", at: now) == .seconds(3_600))
    #expect(counts.take(24, of: .idleTransactions, by: SyncUser(id: "bob"), "::1", at: now) == nil)
    counts.forgetIdle(at: now)
    #expect(counts.take(1, of: .idleTransactions, by: ada, "::2", at: now) == .seconds(7_200))
  }

  @Test func `a bucket holds its capacity, and lends the rest`() {
    let now = ContinuousClock.now
    var pace = Pace(rate: 2, capacity: 10, at: now)
    #expect(pace.take(10, at: now + .seconds(100)) == nil)
    #expect(pace.take(4, at: now + .seconds(100)) == .seconds(2))
    #expect(pace.take(1, at: now + .seconds(103)) == nil)
    // More than the capacity would never be there.
    #expect(pace.take(1_000, at: now + .seconds(103)) == .seconds(4.5))
    // A clock never goes back; nothing is given twice.
    #expect(pace.take(0, at: now) == .seconds(4.5))
  }

  @Test func `a device that is too fast waits, and is told each limit once`() async throws {
    var limits = SyncServer.Limits()
    (limits.messagesPerSecond, limits.operationsPerSecond) = (100, 1_000)
    limits.uploadOperations = 1_000
    let told = Guarded<[String]>([])
    let session = SessionLimits(
      limits,
      takeShare: { _, share in share == .leasedIDs ? .zero : nil }
    ) {
      notice in
      told.withLock { $0.append(notice.text) }
    }
    let operation = Operation.delete(
      ObjectReference(
        ObjectIdentity(key: ObjectKey(entity: EntityUID(1), id: 1), originID: OriginID(0))
      )
    )
    let transaction = SyncTransaction(
      sequence: 1,
      token: TransactionToken(Identifier128(high: 0, low: 1)),
      previous: nil,
      time: .distantPast,
      operations: Array(repeating: operation, count: 1_000)
    )
    let upload = Upload(
      device: DeviceIdentity(Identifier128(high: 0, low: 1)),
      seen: .distantPast,
      transactions: [transaction]
    )
    for _ in 1...250 { try await session.takeFrame() }
    for _ in 1...2 { try await session.take(upload) }
    for _ in 1...2 { try await session.take(leasedIDs: 1) }
    #expect(told.copy.count == 3)
    for (text, limit) in zip(
      told.copy,
      ["messages a second", "operations a second", "IDs an hour"]
    ) {
      #expect(text.contains(limit))
    }
    let larger = Upload(
      device: upload.device,
      seen: upload.seen,
      transactions: [transaction, transaction]
    )
    let refused = await #expect(throws: Refused.self) { try await session.take(larger) }
    #expect(refused?.text.contains("2000 operations, and the server takes 1000") == true)
  }
}
