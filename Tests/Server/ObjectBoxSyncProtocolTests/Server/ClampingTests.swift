import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct ClampingTests {
  private func clamped(
    _ time: Int64,
    after last: HybridTime = .distantPast,
    seen: HybridTime = .distantPast
  ) -> HybridTime {
    DecisionStep.clamped(
      Example.time(time),
      after: last,
      seen: seen,
      now: 1_000,
      tolerance: 100
    )
  }

  @Test(arguments: [Int64(-5), 1_000, 1_100])
  func `a time up to the tolerance stays`(time: Int64) {
    #expect(clamped(time) == Example.time(time))
  }

  @Test func `a time from the future is cut down`() {
    #expect(clamped(9_000) == Example.time(1_100))
  }

  @Test func `clamped times of a device stay increasing`() {
    let first = clamped(9_000)
    let second = clamped(9_001, after: first)
    #expect(second > first)
    #expect(second == HybridTime(milliseconds: 1_100, counter: 1))
    #expect(clamped(500, after: second) > second)
  }

  @Test func `a clamped time stays after what the device has seen`() {
    let seen = HybridTime(milliseconds: 1_150, counter: 3)
    #expect(clamped(9_000, seen: seen) == seen.next)
    #expect(clamped(500, seen: seen) == Example.time(500))
  }

  @Test func `a device that claims to have seen the future gains the tolerance at most`() {
    #expect(clamped(9_000, seen: Example.time(8_000)) == Example.time(1_200))
  }

  @Test func `the counter of a time carries over to the next millisecond`() {
    let last = HybridTime(milliseconds: 5, counter: .max)
    #expect(last.next == HybridTime(milliseconds: 6))
    #expect(last.advanced(to: 5) > last)
    #expect(last.advanced(to: 7) == HybridTime(milliseconds: 7))
  }

  @Test func `a decision stores the clamped time in the row and in the device's record`() throws {
    let example = Example()
    let transaction = Example.transaction(
      [.insert(Example.key(5), PropertyList(), .assigned)],
      at: 9_000
    )
    let decision = try DecisionStep.decide(
      transaction,
      record: nil,
      seen: .distantPast,
      rows: example.source,
      rules: example.source.rules,
      now: 1_000,
      tolerance: 100,
      mayWrite: { _, _, _ in true }
    )
    guard case .store(.accepted, let changes?, let record) = decision else {
      Issue.record("the transaction is not accepted")
      return
    }
    #expect(changes.row(5)?.stamp.time == Example.time(1_100))
    #expect(record.time == Example.time(1_100))
    #expect(record.last == 1)
    #expect(record.token == transaction.token)
  }

  @Test func `a rejected transaction moves the device's record as well`() throws {
    let example = Example()
    let transaction = Example.transaction(
      [.insert(Example.key(5), PropertyList(), .assigned)])
    let decision = try DecisionStep.decide(
      transaction,
      record: nil,
      seen: .distantPast,
      rows: example.source,
      rules: example.source.rules,
      now: 1_000,
      tolerance: 100,
      mayWrite: { _, _, _ in false }
    )
    guard case .store(.rejected(let rejection), nil, let record) = decision else {
      Issue.record("the transaction is not rejected")
      return
    }
    #expect(rejection.reason == .permission)
    #expect(record.last == 1)
  }
}
