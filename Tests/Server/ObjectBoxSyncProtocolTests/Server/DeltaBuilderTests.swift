import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct DeltaBuilderTests {
  private let epoch = Epoch(system: 1, database: 1, timeline: 1)
  private let mine = Scope(entity: Example.entity, property: Example.owner, value: .integer(1))
  private let other = Scope(entity: Example.entity, property: Example.owner, value: .integer(2))

  private func cursor(_ xmax: UInt64, _ inProgress: [UInt64] = []) -> Cursor {
    Cursor(
      snapshot: TransactionSnapshot(xmax: xmax, inProgress: inProgress),
      epoch: epoch,
      position: xmax
    )
  }

  private func owned(by owner: Int64, originID: UInt64 = 1) -> Row {
    Example.row(originID: originID, [(Example.owner, .integer(owner))])
  }

  private func start(
    from old: Cursor?,
    to new: Cursor,
    confirmed: UInt64 = 0,
    granted: [Scope]? = nil,
    progress: [(Scope, ScopeProgress.Progress)]? = nil,
    record: DeviceRecord? = nil,
    decisions: [SequencedDecision] = [],
    sweptBelow: UInt64 = 0
  ) -> DeltaBuilder.Start {
    var scopes = ScopeProgress()
    for (scope, progress) in progress ?? [(mine, .complete)] { scopes[scope] = progress }
    let deltaRequest = DeltaRequest(
      state: StateKey(device: Example.device(1), edition: 3),
      cursor: old,
      scopes: scopes,
      confirmed: confirmed
    )
    return DeltaBuilder.start(
      deltaRequest,
      cursor: new,
      history: ServerHistory(epoch: epoch, sweptBelow: sweptBelow),
      granted: granted ?? [mine],
      record: record,
      decisions: decisions
    )
  }

  private func builder(_ start: DeltaBuilder.Start) throws -> DeltaBuilder {
    guard case .delta(let builder) = start else { throw Example.Unexpected() }
    return builder
  }

  private func entry(_ before: Int64?, _ after: Int64?) -> LogEntry {
    func values(_ owner: Int64?) -> PropertyList<PropertyValue>? {
      owner.map { PropertyList([(Example.owner, .integer($0))]) }
    }
    return LogEntry(
      transaction: 12,
      key: Example.key(5),
      before: values(before),
      after: values(after)
    )
  }

  @Test func `a delta has what the new snapshot sees and the old one does not`() throws {
    let builder = try builder(start(from: cursor(10, [4, 7]), to: cursor(15, [7, 12])))
    #expect([4, 10, 14].allSatisfy { builder.contains($0) })
    #expect([3, 7, 9, 12, 15].allSatisfy { !builder.contains($0) })
  }

  @Test func `a row enters by its current values, whatever was logged`() throws {
    var builder = try builder(start(from: cursor(10), to: cursor(15)))
    builder.add(entry(2, 2), current: owned(by: 1))
    #expect(Array(builder.finish().rows) == [KeyedRow(key: Example.key(5), row: owned(by: 1))])
  }

  @Test func `a row that left the scopes or was removed leaves in the same delta`() throws {
    for row in [owned(by: 2), nil] {
      var builder = try builder(start(from: cursor(10), to: cursor(15)))
      builder.add(entry(1, row == nil ? nil : 2), current: row)
      #expect(builder.finish().leaves == [Example.key(5)])
    }
  }

  @Test func `a device never hears of rows that it has never seen`() throws {
    var builder = try builder(start(from: cursor(10), to: cursor(15)))
    builder.add(entry(2, nil), current: nil)
    let delta = builder.finish()
    #expect(delta.leaves.isEmpty)
    #expect(delta.rows.isEmpty)
  }

  @Test func `a device that names a scope of others never hears of its rows`() throws {
    var builder = try builder(
      start(
        from: cursor(10),
        to: cursor(15),
        granted: [mine],
        progress: [(mine, .complete), (other, .complete)]
      )
    )
    builder.add(entry(2, nil), current: nil)
    builder.add(entry(2, 2), current: owned(by: 2))
    let delta = builder.finish()
    #expect(delta.leaves.isEmpty)
    #expect(delta.rows.isEmpty)
  }

  @Test func `a new scope is filled by ascending IDs over several deltas`() throws {
    var builder = try builder(
      start(from: cursor(10), to: cursor(15), granted: [mine, other])
    )
    #expect(builder.fills.map(\.scope) == [other])
    let rows = [3, 4].map { KeyedRow(key: Example.key($0), row: owned(by: 2)) }
    builder.fill(other, with: RowBatch(rows), isLast: false)
    let delta = builder.finish()
    #expect(Array(delta.rows) == rows)
    #expect(delta.scopes[other] == .filled(upTo: 4))
    #expect(delta.scopes[mine] == .complete)
    #expect(delta.scopes.contain(owned(by: 2).values, at: Example.key(4)))
    #expect(!delta.scopes.contain(owned(by: 2).values, at: Example.key(5)))
    builder.fill(other, with: RowBatch(), isLast: true)
    #expect(builder.finish().scopes.isComplete)
  }

  @Test func `an object that changed and is in two filled scopes is in a delta once, in order`()
    throws
  {
    var both = owned(by: 2)
    both.values[Example.rank] = .integer(7)
    let named = Scope(entity: Example.entity, property: Example.rank, value: .integer(7))
    var builder = try builder(
      start(from: cursor(10), to: cursor(15), granted: [mine, other, named])
    )
    let rows = [7, 8].map { KeyedRow(key: Example.key($0), row: both) }
    builder.add(entry(1, 1), current: owned(by: 1))
    builder.fill(other, with: RowBatch(rows.prefix(1)), isLast: false)
    builder.fill(other, with: RowBatch(rows.dropFirst()), isLast: true)
    let first = KeyedRow(key: Example.key(2), row: both)
    builder.fill(named, with: RowBatch([first] + rows), isLast: true)
    let delta = builder.finish()
    #expect(delta.rows.map(\.key) == [2, 5, 7, 8].map { Example.key($0) })
    #expect(delta.rows.map(\.row) == [both, owned(by: 1), both, both])
    #expect(delta.scopes.isComplete)
  }

  @Test func `a change above the progress of a fill stays out of the delta`() throws {
    var builder = try builder(
      start(from: cursor(10), to: cursor(15), progress: [(mine, .filled(upTo: 4))])
    )
    builder.add(entry(1, 1), current: owned(by: 1))
    #expect(builder.finish().rows.isEmpty)
  }

  @Test func `a cursor before the swept log is reset`() {
    guard case .reset(let reset) = start(from: cursor(10), to: cursor(15), sweptBelow: 11) else {
      Issue.record("the cursor is not reset")
      return
    }
    #expect(reset.state.edition == 3)
  }

  @Test func `a device that confirmed more than the server knows forks`() {
    guard case .forked = start(from: cursor(10), to: cursor(15), confirmed: 2) else {
      Issue.record("the device keeps its identity")
      return
    }
  }

  @Test func `a device whose decisions were forgotten forks`() {
    var record = DeviceRecord()
    record.last = 3
    record.time = HybridTime(milliseconds: 50)
    let last = SequencedDecision(sequence: 3, token: Example.token(13), decision: .accepted)
    let forgotten = start(
      from: cursor(10),
      to: cursor(15),
      confirmed: 1,
      record: record,
      decisions: [last]
    )
    guard case .forked = forgotten else {
      Issue.record("the device keeps its identity")
      return
    }
    let known = start(
      from: cursor(10),
      to: cursor(15),
      confirmed: 2,
      record: record,
      decisions: [last]
    )
    guard case .delta(let builder) = known else {
      Issue.record("the device gets no delta")
      return
    }
    #expect(builder.finish().decisions == [last])
    #expect(builder.finish().decidedTime == record.time)
  }
}
