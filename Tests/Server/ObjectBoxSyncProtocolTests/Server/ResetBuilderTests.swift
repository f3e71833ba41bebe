import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct ResetBuilderTests {
  private let epoch = Epoch(system: 1, database: 1, timeline: 1)
  private let mine = Scope(entity: Example.entity, property: Example.owner, value: .integer(1))
  private let other = Scope(entity: Example.entity, property: Example.owner, value: .integer(2))
  private let state = StateKey(device: Example.device(1), edition: 3)

  private func cursor(_ xmax: UInt64) -> Cursor {
    Cursor(
      snapshot: TransactionSnapshot(xmax: xmax, inProgress: []),
      epoch: epoch,
      position: xmax
    )
  }

  private func row(originID: UInt64 = 1, of owner: Int64 = 1) -> Row {
    Example.row(originID: originID, [(Example.owner, .integer(owner))])
  }

  private func range(_ ids: ClosedRange<UInt64>) -> KeyRange { KeyRange(Example.entity, ids) }

  private func progress(_ scopes: [Scope], _ reached: ScopeProgress.Progress = .complete)
    -> ScopeProgress
  {
    var progress = ScopeProgress()
    for scope in scopes { progress[scope] = reached }
    return progress
  }

  /// Digests of the objects 1 to 16, each made by transaction 1.
  private func digests(
    size: Int,
    in ranges: [KeyRange]? = nil,
    base: ComparisonBase? = nil,
    rest: [KeyRange] = []
  ) -> Digests {
    let ranges = ranges ?? [KeyRange(allOf: Example.entity)]
    var builder = DigestBuilder(dividing: ranges, size: size)
    for id in 1...16 as ClosedRange<UInt64>
    where ranges.contains(where: { $0.contains(Example.key(id)) }) {
      builder.add(row(), at: Example.key(id))
    }
    return Digests(
      deltaRequest: DeltaRequest(
        state: state,
        cursor: cursor(10),
        scopes: progress([mine]),
        confirmed: 0
      ),
      epoch: epoch,
      base: base,
      ranges: builder.finish(),
      rest: rest
    )
  }

  private func start(
    _ digests: Digests,
    at now: UInt64 = 20,
    granted: [Scope]? = nil,
    sweptBelow: UInt64 = 15,
    _ change: (inout ResetBuilder.Limits) -> Void = { _ in }
  ) -> ResetBuilder.Start {
    var limits = ResetBuilder.Limits()
    limits.directCount = 0
    change(&limits)
    return ResetBuilder.start(
      digests,
      cursor: cursor(now),
      history: ServerHistory(epoch: epoch, sweptBelow: sweptBelow),
      granted: granted ?? [mine],
      record: nil,
      decisions: [],
      limits: limits
    )
  }

  /// Adds the objects 1 to 16, of which those with some IDs were removed or changed.
  private func compare(
    _ start: ResetBuilder.Start,
    changed: Set<UInt64> = [],
    removed: Set<UInt64> = []
  ) throws -> (builder: ResetBuilder, step: ResetBuilder.Step) {
    guard case .compare(var builder) = start else { throw Example.Unexpected() }
    for id in 1...16 as ClosedRange<UInt64> where !removed.contains(id) {
      builder.add(row(originID: changed.contains(id) ? 2 : 1), at: Example.key(id))
    }
    let step = builder.step()
    return (builder, step)
  }

  @Test func `the device divides the ranges that differ, also those that are empty on the server`()
    throws
  {
    let (_, step) = try compare(start(digests(size: 2)), changed: [5, 6], removed: [9, 10])
    guard case .refine(let refine) = step else {
      Issue.record("the ranges are not refined")
      return
    }
    #expect(refine.ranges == [range(5...6), range(9...10)])
    #expect(refine.size == 1)
    #expect(refine.base == ComparisonBase(cursor: cursor(20), scopes: progress([mine])))
    #expect(refine.state == state)
  }

  @Test func `objects of few ranges are sent without a closer look`() throws {
    let start = start(digests(size: 4)) { $0.directCount = 4 }
    var (builder, step) = try compare(start, changed: [6, 7, 12])
    guard case .send(let ranges) = step else {
      Issue.record("the ranges are refined")
      return
    }
    #expect(ranges == [range(5...8), range(12...12)])
    let rows = [5, 6, 7, 8, 12].map { KeyedRow(key: Example.key($0), row: row()) }
    for row in rows {
      let isSent = builder.send(row)
      #expect(isSent)
    }
    guard case .delta(let changes) = builder.end() else { throw Example.Unexpected() }
    let delta = changes.finish()
    #expect(delta.ranges == ranges && Array(delta.rows) == rows && delta.scopes.isComplete)
    #expect(delta.cursor == cursor(20))
  }

  @Test(arguments: [[6], []] as [Set<UInt64>], [[11], []] as [Set<UInt64>])
  func `the only object of a range that differs is sent at once`(
    changed: Set<UInt64>,
    removed: Set<UInt64>
  ) throws {
    let start = start(digests(size: 8))
    var (builder, step) = try compare(start, changed: changed, removed: removed)
    let ids = changed.union(removed).sorted()
    guard case .send(let ranges) = step, ranges == ids.map({ range($0...$0) }) else {
      Issue.record("other objects are sent: \(step)")
      return
    }
    for id in changed {
      let isSent = builder.send(KeyedRow(key: Example.key(id), row: row(originID: 2)))
      #expect(isSent)
    }
    guard case .delta(let changes) = builder.end() else { throw Example.Unexpected() }
    #expect(changes.finish().ranges == ranges)
  }

  @Test func `the only objects that differ are staged while other ranges are divided`() throws {
    let start = start(digests(size: 8))
    var (builder, step) = try compare(start, changed: [6, 9, 12])
    guard case .send([range(6...6)]) = step else { throw Example.Unexpected() }
    let sent = KeyedRow(key: Example.key(6), row: row(originID: 2))
    let isSent = builder.send(sent)
    #expect(isSent)
    guard case .refine(let refine) = builder.end() else { throw Example.Unexpected() }
    #expect(refine.part == ResetPart(ranges: [range(6...6)], rows: RowBatch([sent])))
    #expect(refine.ranges == [range(9...KeyRange.greatestID)] && refine.size == 1)
  }

  @Test func `objects that exceed a part are compared again with the ranges that are divided`()
    throws
  {
    let start = start(digests(size: 4)) { $0.partSize = 1 }
    var (builder, step) = try compare(start, changed: [2, 6, 9, 12, 13])
    guard case .send([range(2...2), range(6...6), range(13...13)]) = step else {
      throw Example.Unexpected()
    }
    let areSent = [2, 6].map { builder.send(KeyedRow(key: Example.key($0), row: row(originID: 2))) }
    #expect(areSent == [true, false])
    guard case .refine(let refine) = builder.end() else { throw Example.Unexpected() }
    #expect(refine.part?.ranges == [range(2...2)])
    #expect(refine.ranges == [range(6...6), range(9...13)] && refine.size == 1)
  }

  @Test func `IDs far from each other are divided, since a wrong ID could be among them`() throws {
    guard case .compare(var builder) = start(digests(size: 16)) else { throw Example.Unexpected() }
    for id in 1...16 as ClosedRange<UInt64> {
      builder.add(row(originID: id == 6 ? 2 : 1), at: Example.key(id))
    }
    // The device lacks the second one: were it alone, it would be found by its ID.
    builder.add(row(), at: Example.key(1 << 40))
    guard case .refine(let refine) = builder.step() else { throw Example.Unexpected() }
    #expect(refine.ranges == [range(1...KeyRange.greatestID)])
  }

  @Test func `the last delta has the changes since the first comparison`() throws {
    let base = ComparisonBase(cursor: cursor(20), scopes: progress([mine]))
    let start = start(digests(size: 1, in: [range(5...6)], base: base), at: 30)
    var (builder, step) = try compare(start, changed: [6])
    guard case .send(let ranges) = step else {
      Issue.record("the ranges are refined")
      return
    }
    #expect(ranges == [range(6...6)])
    let isSent = builder.send(KeyedRow(key: Example.key(6), row: row(originID: 2)))
    #expect(isSent)
    guard case .delta(var changes) = builder.end() else { throw Example.Unexpected() }
    #expect(changes.contains(20) && !changes.contains(19))
    let values = row().values
    let removal = LogEntry(transaction: 25, key: Example.key(1), before: values, after: nil)
    changes.add(removal, current: nil)
    let delta = changes.finish()
    #expect(delta.leaves == [Example.key(1)])
    #expect(Array(delta.rows) == [KeyedRow(key: Example.key(6), row: row(originID: 2))])
    #expect(delta.cursor == cursor(30))
  }

  @Test func `a comparison begins anew when the log was swept meanwhile`() {
    let base = ComparisonBase(cursor: cursor(20), scopes: progress([mine]))
    let digests = digests(size: 1, in: [range(5...6)], base: base)
    guard case .reset(let reset) = start(digests, at: 30, sweptBelow: 25) else {
      Issue.record("the comparison goes on")
      return
    }
    #expect(reset.state == state && reset.endsComparison)
  }

  @Test func `a scope that comes back between two steps is filled from its start`() throws {
    // The first comparison was without the scope, so that objects in equal ranges may be missing.
    let base = ComparisonBase(cursor: cursor(20), scopes: progress([other]))
    let digests = digests(size: 1, in: [range(5...6)], base: base)
    guard case .compare(let builder) = start(digests, at: 30, granted: [mine, other]) else {
      Issue.record("the ranges are not compared")
      return
    }
    #expect(builder.progress[mine] == .filled(upTo: 0))
    #expect(builder.progress[other] == .complete)
  }

  /// A base whose comparison began at 20, with a step at 25.
  private var base: ComparisonBase {
    ComparisonBase(cursor: cursor(20), scopes: progress([mine]), latest: cursor(25))
  }

  @Test func `objects that exceed a part follow in the next one, and the last answer is a delta`()
    throws
  {
    let start = start(digests(size: 1)) { $0.partSize = 1 }
    var (builder, step) = try compare(start, changed: [4, 5, 9])
    guard case .send(let ranges) = step else { throw Example.Unexpected() }
    #expect(ranges == [range(4...5), range(9...9)])
    let areSent = [4, 5].map { builder.send(KeyedRow(key: Example.key($0), row: row(originID: 2))) }
    #expect(areSent == [true, false])
    guard case .refine(let refine) = builder.end() else { throw Example.Unexpected() }
    let part = ResetPart(
      ranges: [range(4...4)],
      rows: RowBatch([KeyedRow(key: Example.key(4), row: row(originID: 2))])
    )
    #expect(refine.part == part)
    // They are known to differ.
    #expect(refine.ranges == [range(5...5), range(9...9)] && refine.size == 0)
    #expect(refine.stagingArea == 0 && refine.nextStagingArea != 0)
    #expect(refine.base == ComparisonBase(cursor: cursor(20), scopes: progress([mine])))

    let next = Digests(
      deltaRequest: digests(size: 1).deltaRequest,
      epoch: epoch,
      base: refine.base,
      stagingArea: refine.nextStagingArea,
      ranges: RangeDigests(wanting: refine.ranges)
    )
    guard case .compare(var last) = self.start(next, at: 30) else { throw Example.Unexpected() }
    #expect(last.compared.isEmpty)
    guard case .send(refine.ranges) = last.step() else { throw Example.Unexpected() }
    for id in [5, 9] as [UInt64] {
      let isSent = last.send(KeyedRow(key: Example.key(id), row: row(originID: 2)))
      #expect(isSent)
    }
    guard case .delta(let changes) = last.end() else { throw Example.Unexpected() }
    #expect(changes.contains(20) && !changes.contains(19))
    let delta = changes.finish()
    #expect(delta.stagingArea == refine.nextStagingArea && delta.ranges == refine.ranges)
    #expect(delta.rows.map(\.key) == [Example.key(5), Example.key(9)])
    #expect(delta.scopes.isComplete)
  }

  @Test func `ranges that are left are compared before the delta`() throws {
    let digests = digests(size: 1, in: [range(1...6)], base: base, rest: [range(7...16)])
    var (builder, step) = try compare(start(digests, at: 30), removed: [3])
    guard case .send([range(3...3)]) = step else { throw Example.Unexpected() }
    guard case .refine(let refine) = builder.end() else { throw Example.Unexpected() }
    #expect(refine.part == ResetPart(ranges: [range(3...3)], rows: RowBatch()))
    #expect(refine.ranges == [range(7...16)] && refine.size == Refine.restSize)
    #expect(refine.rest.isEmpty)
    let latest = ComparisonBase(cursor: cursor(20), scopes: progress([mine]), latest: cursor(30))
    #expect(refine.base == latest)
  }

  @Test func `equal ranges stage no part`() throws {
    let digests = digests(size: 4, in: [range(1...6)], base: base, rest: [range(7...16)])
    var (builder, step) = try compare(start(digests, at: 30))
    guard case .send([]) = step, case .refine(let refine) = builder.end() else {
      throw Example.Unexpected()
    }
    #expect(refine.part == nil && refine.nextStagingArea == 0)
    #expect(refine.ranges == [range(7...16)])
  }

  /// Expects that a restored server ends the comparison; returns its reset.
  @discardableResult private func expectReset(
    answering digests: Digests,
    _ restored: ServerHistory
  ) -> Reset? {
    let start = ResetBuilder.start(
      digests,
      cursor: cursor(40),
      history: restored,
      granted: [mine],
      record: nil,
      decisions: []
    )
    guard case .reset(let reset) = start else {
      Issue.record("the comparison goes on")
      return nil
    }
    #expect(reset.endsComparison && reset.epoch == restored.epoch)
    return reset
  }

  @Test func `a comparison begins anew when the server has lost what a part is from`() {
    // A backup came back that has the base, but not the state of the latest step.
    let digests = digests(size: 1, in: [range(5...6)], base: base)
    let restored = ServerHistory(
      epoch: Epoch(system: 1, database: 1, timeline: 2),
      switches: [ServerHistory.Switch(timeline: 1, position: 22)]
    )
    expectReset(answering: digests, restored)
  }

  @Test func `a server of another epoch than the reset's answers first digests by a reset`() {
    // The server was restored while the digests travelled: the device is told so by the reset.
    let restored = ServerHistory(epoch: Epoch(system: 1, database: 1, timeline: 2))
    let reset = expectReset(answering: digests(size: 1), restored)
    #expect(reset?.mayLackCommits(of: digests(size: 1).deltaRequest) == true)
  }
}
