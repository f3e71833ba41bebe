import Foundation
import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Synchronization
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct UploadLedgerTests {
  private static let now = Int64(Date().timeIntervalSince1970 * 1_000)

  private static func token(_ number: UInt64) -> TransactionToken {
    TransactionToken(Identifier128(high: .random(in: 1 ... .max), low: number))
  }

  private func transaction(
    _ sequence: UInt64,
    _ token: TransactionToken,
    after previous: TransactionToken?
  ) -> SyncTransaction {
    SyncTransaction(
      sequence: sequence,
      token: token,
      previous: previous,
      time: HybridTime(milliseconds: Self.now - 10_000 + Int64(sequence)),
      operations: []
    )
  }

  private let device = DeviceIdentity(
    Identifier128(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
  )

  /// Uploads a transaction whose effect is an item with the token's number, as a server does.
  ///
  /// - Returns: The last admission, and how often the database transaction ran.
  @discardableResult
  private func upload(
    _ transaction: SyncTransaction,
    from device: DeviceIdentity,
    to test: TestServerLog
  ) async throws -> (Admission, attempts: Int) {
    let ledger = UploadLedger(test.serverLog)
    var attempts = 0
    while true {
      let (admission, found) = try await ledger.admission(of: transaction, from: device)
      var record = found ?? DeviceRecord()
      let isDecided: Bool
      let decision: Decision
      switch admission {
      case .known, .gap, .forked, .expired: return (admission, attempts)
      case .decided(let old):
        (isDecided, decision) = (true, old.decision)
        record.advance(to: transaction, old)
      case .new:
        (isDecided, decision) = (false, .accepted)
        record.advance(
          to: transaction,
          DecidedTransaction(decision: .accepted, time: transaction.time)
        )
      }
      do {
        try await test.cluster.write { writes in
          attempts += 1
          try await ledger.store(
            decision,
            of: transaction,
            record,
            from: device,
            isDecided: isDecided,
            in: writes
          )
          if !isDecided {
            _ = try await writes.run([
              Statement(
                once: test.complete(
                  #"INSERT INTO @"Item" (id) VALUES (\#(transaction.token.bits.low))"#
                )
              )
            ])
          }
        }
        return (admission, attempts)
      } catch ServerLogError.outdated {
        continue
      } catch ClusterError.conflict {
        continue
      }
    }
  }

  private func items(_ test: TestServerLog) async throws -> [String?] {
    try await test.sql(#"SELECT id::text FROM @"Item" ORDER BY id"#).map { $0[0] }
  }

  @Test func `transactions are stored in order, once, and their decisions come with the delta`()
    async throws
  {
    let test = try await TestServerLog()
    let (a, b) = (Self.token(1), Self.token(2))
    let first = transaction(1, a, after: nil)
    let second = transaction(2, b, after: a)
    #expect(try await upload(first, from: device, to: test).0 == .new)
    let third = transaction(3, Self.token(3), after: b)
    #expect(try await upload(third, from: device, to: test).0 == .gap)
    #expect(try await upload(first, from: device, to: test).0 == .known)
    #expect(try await upload(second, from: device, to: test).0 == .new)
    #expect(try await upload(second, from: device, to: test).0 == .known)
    #expect(try await items(test) == ["1", "2"])
    let deltaRequest = DeltaRequest(
      state: StateKey(device: device, edition: 0),
      cursor: nil,
      scopes: ScopeProgress(),
      confirmed: 1
    )
    guard
      case .delta(let delta) = try await DeltaReading(test.serverLog).read(
        deltaRequest,
        granted: [LinkedScope(Scope(entity: TestServerLog.item))]
      )
    else {
      Issue.record("no delta")
      return
    }
    #expect(delta.decisions == [SequencedDecision(sequence: 2, token: b, decision: .accepted)])
    #expect(delta.rows.map(\.key.id) == [1, 2])
  }

  @Test
  func `a device whose uploads were forgotten takes a new identity, and nothing is applied twice`()
    async throws
  {
    let test = try await TestServerLog()
    let (a, b) = (Self.token(1), Self.token(2))
    let (first, second) = (transaction(1, a, after: nil), transaction(2, b, after: a))
    try await upload(first, from: device, to: test)
    try await upload(second, from: device, to: test)
    let kept = try await ServerLogSweep(
      test.serverLog,
      keeping: .seconds(3_600),
      uploads: .seconds(3_600)
    )
    .run()
    #expect(kept.forgotten == 0)
    #expect(try await upload(second, from: device, to: test).0 == .known)
    try await test.sql(
      "UPDATE @objectbox_uploads SET at = at - interval '2 hours' WHERE sequence = 1"
    )
    let report = try await ServerLogSweep(
      test.serverLog,
      keeping: .seconds(3_600),
      uploads: .seconds(3_600)
    )
    .run()
    #expect(report.forgotten == 1)
    // The second upload, which is young, stays; a device that confirmed the first one goes on.
    #expect(try await upload(second, from: device, to: test).0 == .known)
    #expect(try await answer(to: device, confirmed: 1, test) == [2])
    // A device that did not confirm it cannot be answered, and its upload has no number any more.
    #expect(try await answer(to: device, confirmed: 0, test) == nil)
    #expect(try await upload(first, from: device, to: test).0 == .forked)
    let other = DeviceIdentity(Identifier128(high: .random(in: 0 ... .max), low: 1))
    for transaction in [first, second] {
      guard case .decided = try await upload(transaction, from: other, to: test).0 else {
        Issue.record("transaction \(transaction.sequence) is not known by its token")
        return
      }
    }
    #expect(try await items(test) == ["1", "2"])
    #expect(try await answer(to: other, confirmed: 0, test) == [1, 2])
  }

  @Test
  func `a transaction whose decision may be forgotten is rejected and told, not applied twice`()
    async throws
  {
    let test = try await TestServerLog()
    var device = TestDevice(1, test)
    try device.insert(TestServerLog.item, 7, [(TestServerLog.owner, .integer(1))])
    var copy = device
    try await device.synchronize()
    func sweep(_ age: Duration) async throws -> Int {
      try await ServerLogSweep(test.serverLog, keeping: .zero, uploads: .zero, decisions: age).run()
        .forgottenDecisions
    }
    // The clocks of these devices are near to 1970.
    #expect(try await sweep(.seconds(3_600)) == 0)
    try await test.sql("UPDATE @objectbox_verdicts SET at = at - interval '2 hours'")
    #expect(try await sweep(.seconds(3_600)) == 1)
    #expect(try await sweep(.seconds(3_600)) == 0)

    // The copy does not know that its object was uploaded; first it takes a new identity.
    try await copy.upload()
    try await copy.synchronize()
    guard case .rejected(let rejection)? = copy.decisions.last else {
      Issue.record("the copy was told \(copy.decisions)")
      return
    }
    #expect(rejection.reason == .expired)
    #expect(try await items(test) == ["7"])
    #expect(copy.row(TestServerLog.item, 7) == device.row(TestServerLog.item, 7))

    // A removed object is kept by the time of its removal.
    try await device.download()
    try device.write { device, _ in [.delete(try device.reference(TestServerLog.item, 7))] }
    try await test.sql("UPDATE @objectbox_epoch SET horizon = 0")
    try await device.synchronize()
    func removed() async throws -> [[String?]] {
      try await test.sql("SELECT id::text FROM @objectbox_tombstones")
    }
    _ = try await sweep(.seconds(3_600))
    #expect(try await removed() == [["7"]])
    _ = try await sweep(.zero)
    #expect(try await removed().isEmpty)
  }

  @Test func `a decision stays while the clock of its device makes it young`() async throws {
    let test = try await TestServerLog()
    func retentionLimit() async throws -> String? {
      try await test.sql("SELECT horizon::text FROM @objectbox_epoch")[0][0]
    }
    let sweep = ServerLogSweep(test.serverLog, keeping: .zero, uploads: .zero, decisions: .zero)
    let early = transaction(1, Self.token(1), after: nil)
    try await upload(early, from: device, to: test)
    #expect(try await sweep.run().forgottenDecisions == 1)
    #expect(try await retentionLimit() == "\(early.time.milliseconds + 1)")
    let late = SyncTransaction(
      sequence: 1,
      token: Self.token(2),
      previous: nil,
      time: HybridTime(milliseconds: Self.now * 2),
      operations: []
    )
    let other = DeviceIdentity(Identifier128(high: .random(in: 0 ... .max), low: 1))
    try await upload(late, from: other, to: test)
    #expect(try await sweep.run().forgottenDecisions == 0)
    #expect(try await retentionLimit() == "\(early.time.milliseconds + 1)")
  }

  @Test func `decisions without effects are forgotten with uploads, and are decided anew`()
    async throws
  {
    let test = try await TestServerLog()
    var device = TestDevice(1, test)
    try device.insert(TestServerLog.item, 1, [])
    try device.insert(TestServerLog.item, 2, [])
    try await device.upload(limit: 1)
    var copy = device
    device.mayWrite = { _, _, _ in false }
    try await device.synchronize()
    #expect(try await items(test) == ["1"])
    func decisions() async throws -> [[String?]] {
      try await test.sql("SELECT count(*)::text FROM @objectbox_verdicts")
    }
    let young = ServerLogSweep(test.serverLog, keeping: .zero, uploads: .seconds(3_600))
    #expect(try await young.run().forgottenIdleDecisions == 0)
    // A device that sends it again gets the same answer.
    #expect(
      try await copy.receiver.receive(
        copy.device.upload(limit: 9),
        now: { 0 },
        mayWrite: { _, _, _ in true }
      )
        == .acknowledged(copy.device.store.state.device, last: 2)
    )
    #expect(try await items(test) == ["1"])
    let old = ServerLogSweep(test.serverLog, keeping: .zero, uploads: .zero)
    #expect(try await old.run().forgottenIdleDecisions == 1)
    #expect(try await decisions() == [["1"]])
    // A copy of the store, which was told nothing yet, comes with a new identity.
    try await copy.upload()
    try await copy.synchronize()
    #expect(try await items(test) == ["1", "2"])
    #expect(try await decisions() == [["2"]])
  }

  @Test func `a device whose last upload is forgotten is forgotten, and begins anew`() async throws
  {
    let test = try await TestServerLog()
    var device = TestDevice(1, test)
    for id in 1...2 as ClosedRange<UInt64> { try device.insert(TestServerLog.item, id, []) }
    try await device.synchronize()
    func devices() async throws -> [[String?]] {
      try await test.sql("SELECT last::text FROM @objectbox_devices")
    }
    try await test.sql(
      "UPDATE @objectbox_uploads SET at = at - interval '2 hours' WHERE sequence = 1"
    )
    let sweep = ServerLogSweep(test.serverLog, keeping: .zero, uploads: .seconds(3_600))
    #expect(try await sweep.run().forgotten == 1)
    #expect(try await devices() == [["2"]])
    try await test.sql("UPDATE @objectbox_uploads SET at = at - interval '2 hours'")
    #expect(try await sweep.run().forgotten == 1)
    #expect(try await devices() == [])
    // It asks for no delta, which would tell it.
    try device.insert(TestServerLog.item, 3, [])
    let identity = device.device.store.state.device
    #expect(try await device.upload() == .forked(identity))
    try await device.synchronize()
    #expect(try await items(test) == ["1", "2", "3"])
    #expect(device.decisions.allSatisfy { $0 == .accepted })
  }

  /// Returns the numbers of the decisions that a device gets; nil if it must take a new identity.
  private func answer(
    to device: DeviceIdentity,
    confirmed: UInt64,
    _ test: TestServerLog
  ) async throws -> [UInt64]? {
    let deltaRequest = DeltaRequest(
      state: StateKey(device: device, edition: 0),
      cursor: nil,
      scopes: ScopeProgress(),
      confirmed: confirmed
    )
    switch try await DeltaReading(test.serverLog).read(
      deltaRequest,
      granted: [LinkedScope(Scope(entity: TestServerLog.item))]
    ) {
    case .delta(let delta): return delta.decisions.map(\.sequence)
    case .forked: return nil
    default:
      Issue.record("a device without a cursor is neither answered nor forked")
      return nil
    }
  }

  @Test func `another token at a used number, and another token before it, are forks`()
    async throws
  {
    let test = try await TestServerLog()
    let (a, b) = (Self.token(1), Self.token(2))
    try await upload(transaction(1, a, after: nil), from: device, to: test)
    #expect(
      try await upload(transaction(1, b, after: nil), from: device, to: test).0 == .forked
    )
    #expect(try await upload(transaction(2, b, after: b), from: device, to: test).0 == .forked)
    #expect(try await items(test) == ["1"])
  }

  @Test func `the statement itself refuses what does not follow`() async throws {
    let test = try await TestServerLog()
    let ledger = UploadLedger(test.serverLog)
    let (a, b) = (Self.token(1), Self.token(2))
    try await upload(transaction(1, a, after: nil), from: device, to: test)
    for wrong in [
      transaction(1, a, after: nil), transaction(3, b, after: a), transaction(2, b, after: b),
      transaction(2, b, after: nil), transaction(2, a, after: a),
    ] {
      await #expect(throws: ServerLogError.self) {
        try await test.cluster.write { writes in
          try await ledger.store(.accepted, of: wrong, DeviceRecord(), from: device, in: writes)
        }
      }
    }
    let unknown = DeviceIdentity(Identifier128(high: 5, low: 5))
    for wrong in [transaction(2, b, after: a), transaction(1, b, after: a)] {
      await #expect(throws: ServerLogError.self) {
        try await test.cluster.write { writes in
          try await ledger.store(.accepted, of: wrong, DeviceRecord(), from: unknown, in: writes)
        }
      }
    }
    #expect(try await test.sql("SELECT count(*)::text FROM @objectbox_uploads") == [["1"]])
    #expect(try await test.sql("SELECT count(*)::text FROM @objectbox_verdicts") == [["1"]])
  }

  @Test func `an upload that arrives several times at once has one effect`() async throws {
    let test = try await TestServerLog()
    var previous: TransactionToken?
    for sequence in 1...5 as ClosedRange<UInt64> {
      let next = Self.token(sequence)
      let one = transaction(sequence, next, after: previous)
      let all = try await withThrowingTaskGroup(of: Admission.self) { group in
        for _ in 0..<4 {
          group.addTask { try await upload(one, from: device, to: test).0 }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(all.filter { $0 == .new }.count == 1)
      #expect(all.filter { $0 == .known }.count == 3)
      previous = next
    }
    #expect(try await items(test) == ["1", "2", "3", "4", "5"])
  }

  @Test func `a transaction under two identities at once has one effect and one decision`()
    async throws
  {
    let test = try await TestServerLog()
    let other = DeviceIdentity(Identifier128(high: 1, low: device.bits.low))
    let one = transaction(1, Self.token(1), after: nil)
    let all = try await withThrowingTaskGroup(of: Admission.self) { group in
      for each in [device, other] {
        group.addTask { try await upload(one, from: each, to: test).0 }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let decided = DecidedTransaction(decision: .accepted, time: one.time)
    #expect(all.contains(.new) && all.contains(.decided(decided)))
    #expect(try await items(test) == ["1"])
    #expect(
      try await test.sql(
        "SELECT count(*)::text, count(DISTINCT token)::text FROM @objectbox_uploads"
      ) == [["2", "1"]]
    )
  }

  @Test func `uploads of other devices add no serialization failures`() async throws {
    let test = try await TestServerLog()
    let devices = (0..<8).map { DeviceIdentity(Identifier128(high: UInt64($0), low: 77)) }
    // Keeps all versions of the devices' rows, so that they fill pages and get entries of the index.
    let old = try await TestServer.connect()
    try await test.sql("BEGIN ISOLATION LEVEL REPEATABLE READ", on: old)
    try await test.sql("SELECT count(*)::text FROM @objectbox_devices", on: old)
    let failures = try await withThrowingTaskGroup(of: Int.self) { group in
      for (index, device) in devices.enumerated() {
        group.addTask {
          var previous: TransactionToken?
          var repeated = 0
          for sequence in 1...25 as ClosedRange<UInt64> {
            let next = Self.token(UInt64(index * 100) + sequence)
            let result = try await upload(
              transaction(sequence, next, after: previous),
              from: device,
              to: test
            )
            #expect(result.0 == .new)
            repeated += result.attempts - 1
            previous = next
          }
          return repeated
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(failures == 0)
    try await test.sql("COMMIT", on: old)
    #expect(try await items(test).count == 200)
  }
}
