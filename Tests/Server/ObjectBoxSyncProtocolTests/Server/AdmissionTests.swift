import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct AdmissionTests {
  private func record(last: UInt64, token: UInt64?) -> DeviceRecord {
    var record = DeviceRecord()
    record.last = last
    record.token = token.map(Example.token)
    return record
  }

  private func admission(
    _ sequence: UInt64,
    token: UInt64,
    previous: UInt64?,
    _ record: DeviceRecord?,
    known: UInt64? = nil,
    decided: DecidedTransaction? = nil,
    retentionLimit: Int64 = .min
  ) -> Admission {
    Admission(
      of: Example.transaction([], token: token, sequence: sequence, previous: previous),
      record: record,
      known: known.map(Example.token),
      decided: decided,
      retentionLimit: retentionLimit
    )
  }

  @Test func `the next transaction of a device is new`() {
    #expect(admission(1, token: 11, previous: nil, nil) == .new)
    #expect(admission(3, token: 13, previous: 12, record(last: 2, token: 12)) == .new)
  }

  @Test func `a transaction that was decided already is known`() {
    let record = record(last: 3, token: 13)
    #expect(admission(2, token: 12, previous: 11, record, known: 12) == .known)
  }

  @Test func `another transaction with a used sequence number forks`() {
    let record = record(last: 3, token: 13)
    #expect(admission(2, token: 99, previous: 11, record, known: 12) == .forked)
    #expect(admission(2, token: 12, previous: 11, record, known: nil) == .forked)
  }

  @Test func `a transaction after an unknown one forks`() {
    #expect(admission(3, token: 13, previous: 99, record(last: 2, token: 12)) == .forked)
    #expect(admission(2, token: 12, previous: 11, nil) == .forked)
  }

  @Test func `a transaction whose predecessor is missing waits`() {
    #expect(admission(4, token: 14, previous: 13, record(last: 2, token: 12)) == .gap)
  }

  @Test
  func `a transaction from before the retention limit is expired, unless its decision is known`() {
    let time = Example.transaction([], token: 11).time.milliseconds
    #expect(admission(1, token: 11, previous: nil, nil, retentionLimit: time) == .new)
    #expect(admission(1, token: 11, previous: nil, nil, retentionLimit: time + 1) == .expired)
    let decided = DecidedTransaction(decision: .accepted, time: Example.time(500))
    #expect(
      admission(1, token: 11, previous: nil, nil, decided: decided, retentionLimit: time + 1)
        == .decided(decided)
    )
    let record = record(last: 3, token: 13)
    #expect(
      admission(2, token: 12, previous: 11, record, known: 12, retentionLimit: time + 1) == .known
    )
  }

  @Test func `a transaction that was decided under another identity keeps decision and time`() {
    let decided = DecidedTransaction(decision: .accepted, time: Example.time(500))
    #expect(admission(1, token: 11, previous: nil, nil, decided: decided) == .decided(decided))
    var record = DeviceRecord()
    record.advance(to: Example.transaction([], token: 11), decided)
    #expect(record.time == Example.time(500))
    #expect(record.last == 1)
    #expect(record.token == Example.token(11))
  }
}
