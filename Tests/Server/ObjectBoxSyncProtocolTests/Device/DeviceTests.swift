import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct DeviceTests {
  private let epoch = Epoch(system: 1, database: 1, timeline: 1)
  private var device: Device<MemoryStore>

  init() {
    let rules = SyncRules([
      Example.entity: EntityRules(
        mode: .propertyClock,
        uniques: [UniqueProperties([Example.code], rule: .reject)],
        counters: [Example.votes]
      )
    ])
    device = Device(
      store: MemoryStore(device: Example.device(1), rules: rules),
      rules: rules
    )
  }

  private func delta(
    _ xmax: UInt64,
    rows: [KeyedRow] = [],
    leaves: [ObjectKey] = [],
    decisions: [SequencedDecision] = [],
    ranges: [KeyRange] = []
  ) throws -> Delta {
    var scopes = ScopeProgress()
    scopes[Scope(entity: Example.entity)] = .complete
    return Delta(
      state: try device.stateKey,
      cursor: Cursor(
        snapshot: TransactionSnapshot(xmax: xmax, inProgress: []),
        epoch: epoch,
        position: xmax
      ),
      scopes: scopes,
      ranges: ranges,
      leaves: leaves,
      rows: RowBatch(rows),
      decisions: decisions
    )
  }

  @discardableResult private mutating func take(_ delta: Delta) throws -> DeltaResult {
    try device.receive(delta, makeIdentity: { Example.device(2) })
  }

  private func insert(_ id: UInt64, title: Int64) -> Operation {
    .insert(Example.key(id), PropertyList([(Example.title, .integer(title))]), .assigned)
  }

  private func title(_ id: UInt64) -> PropertyValue? {
    device.store.shownRow(at: Example.key(id))?.values[Example.title]
  }

  private func update(_ reference: ObjectReference, title: Int64) -> Operation {
    .update(reference, PropertyList([(Example.title, .integer(title))]))
  }

  private mutating func write(_ operation: Operation, token: UInt64, wall: Int64 = 10) throws {
    try device.write([operation], token: Example.token(token), wall: wall)
  }

  private func decision(_ sequence: UInt64, token: UInt64, _ decision: Decision)
    -> SequencedDecision
  {
    SequencedDecision(sequence: sequence, token: Example.token(token), decision: decision)
  }

  @Test mutating func `a write shows at once and waits`() throws {
    try write(insert(5, title: 1), token: 11)
    try write(insert(6, title: 2), token: 12)
    #expect(title(5) == .integer(1))
    let upload = try device.upload(limit: 10)
    #expect(upload.transactions.map(\.sequence) == [1, 2])
    #expect(upload.transactions.map(\.previous) == [nil, Example.token(11)])
    #expect(upload.transactions[0].time < upload.transactions[1].time)
  }

  @Test mutating func `a write that breaks a unique constraint is thrown and not queued`() throws {
    let code = PropertyList<PropertyValue>([(Example.code, .integer(3))])
    try write(.insert(Example.key(5), code, .assigned), token: 11)
    #expect(throws: Rejection.self) {
      try write(.insert(Example.key(6), code, .assigned), token: 12)
    }
    #expect(device.store.queue.count == 1)
    #expect(device.store.state.sequence == 1)
  }

  @Test mutating func `an acknowledgement changes nothing`() throws {
    try write(insert(5, title: 1), token: 11)
    let state = device.store.state
    try device.receive(.acknowledged(Example.device(1), last: 1), makeIdentity: { fatalError() })
    #expect(device.store.state == state)
    #expect(device.store.queue.count == 1)
  }

  @Test mutating func `a delta replaces the server's rows below what waits`() throws {
    let row = Example.row(originID: 1, at: 1, [(Example.title, .integer(1))])
    try take(delta(10, rows: [KeyedRow(key: Example.key(5), row: row)]))
    let reference = try #require(try device.reference(to: Example.key(5)))
    try write(update(reference, title: 2), token: 11)
    var later = row
    later.values[Example.text] = .integer(7)
    try take(delta(11, rows: [KeyedRow(key: Example.key(5), row: later)]))
    #expect(title(5) == .integer(2))
    #expect(device.store.shownRow(at: Example.key(5))?.values[Example.text] == .integer(7))
    #expect(device.store.bases[Example.key(5)] == .row(later))
  }

  @Test mutating func `a decision confirms with its delta and is told`() throws {
    try write(insert(5, title: 1), token: 11)
    let row = try #require(device.store.shownRow(at: Example.key(5)))
    try take(
      delta(
        10,
        rows: [KeyedRow(key: Example.key(5), row: row)],
        decisions: [decision(1, token: 11, .accepted)]
      )
    )
    #expect(device.store.queue.isEmpty)
    #expect(device.store.bases.isEmpty)
    #expect(device.store.told.map(\.decision) == [.accepted])
    #expect(device.store.state.confirmed == 1)
    #expect(title(5) == .integer(1))
  }

  @Test mutating func `a rejected write is undone and kept for the program`() throws {
    try write(insert(5, title: 1), token: 11)
    let rejection = Rejection(entity: Example.entity, property: nil, reason: .permission)
    try take(delta(10, decisions: [decision(1, token: 11, .rejected(rejection))]))
    #expect(title(5) == nil)
    #expect(device.store.told.first?.transaction.operations == [insert(5, title: 1)])
  }

  @Test mutating func `waiting operations follow an object that the server renumbered`() throws {
    try write(insert(5, title: 1), token: 11)
    let reference = try #require(try device.reference(to: Example.key(5)))
    #expect(reference.maker == Example.token(11))
    try write(update(reference, title: 2), token: 12)
    let identity = ObjectIdentity(key: Example.key(90), originID: OriginID(11))
    var row = Example.row(originID: 11, at: 1, [(Example.title, .integer(1))])
    let merged = Decision.merged(
      dropped: [],
      identities: [NewIdentity(made: Example.key(5), identity: identity)]
    )
    try take(
      delta(
        10,
        rows: [KeyedRow(key: Example.key(90), row: row)],
        decisions: [decision(1, token: 11, merged)]
      )
    )
    #expect(title(5) == nil)
    #expect(title(90) == .integer(2))
    let waiting = device.store.queue[0].transaction
    #expect(waiting.operations == [update(ObjectReference(identity), title: 2)])
    row.values[Example.title] = .integer(2)
  }

  @Test mutating func `waiting operations follow their own one of two objects`() throws {
    let inserts = [insert(5, title: 1), insert(6, title: 2)]
    try device.write(inserts, token: Example.token(11), wall: 10)
    let first = try #require(try device.reference(to: Example.key(5)))
    let second = try #require(try device.reference(to: Example.key(6)))
    try write(update(second, title: 3), token: 12)
    try write(update(first, title: 4), token: 13)
    let holder = ObjectIdentity(key: Example.key(7), originID: OriginID(99))
    let renumbered = ObjectIdentity(key: Example.key(90), originID: OriginID(11))
    let merged = Decision.merged(
      dropped: [],
      identities: [
        NewIdentity(made: Example.key(5), identity: holder),
        NewIdentity(made: Example.key(6), identity: renumbered),
      ]
    )
    try take(
      delta(
        10,
        rows: [
          KeyedRow(key: holder.key, row: Example.row(originID: 99, at: 1)),
          KeyedRow(key: renumbered.key, row: Example.row(originID: 11, at: 1)),
        ],
        decisions: [decision(1, token: 11, merged)]
      )
    )
    #expect(title(7) == .integer(4))
    #expect(title(90) == .integer(3))
    let waiting = device.store.queue.map(\.transaction.operations)
    #expect(waiting[0] == [update(ObjectReference(renumbered), title: 3)])
    #expect(waiting[1] == [update(ObjectReference(holder), title: 4)])
  }

  @Test mutating func `waiting operations on an object of a rejected write have no effect`() throws
  {
    try write(insert(5, title: 1), token: 11)
    let reference = try #require(try device.reference(to: Example.key(5)))
    try write(update(reference, title: 2), token: 12)
    let rejection = Rejection(entity: Example.entity, property: nil, reason: .unique)
    let other = Example.row(originID: 99, at: 1, [(Example.title, .integer(50))])
    try take(
      delta(
        10,
        rows: [KeyedRow(key: Example.key(5), row: other)],
        decisions: [decision(1, token: 11, .rejected(rejection))]
      )
    )
    #expect(title(5) == .integer(50))
    #expect(device.store.queue.count == 1)
  }

  @Test mutating func `a delta for another state is ignored`() throws {
    let stale = try delta(10)
    try take(stale)
    #expect(try take(stale) == .ignored)
  }

  @Test mutating func `a delta with decisions of another store gives a new identity`() throws {
    try write(insert(5, title: 1), token: 11)
    let row = Example.row(originID: 99)
    let foreign = try delta(
      10,
      rows: [KeyedRow(key: Example.key(8), row: row)],
      decisions: [decision(1, token: 77, .accepted)]
    )
    #expect(try take(foreign) == .forked)
    #expect(device.store.state.device == Example.device(2))
    #expect(device.store.queue.count == 1)
    #expect(title(8) == nil)
  }

  @Test mutating func `a fork keeps the queue under new numbers`() throws {
    try write(insert(5, title: 1), token: 11)
    try take(delta(10, decisions: [decision(1, token: 11, .accepted)]))
    try write(insert(6, title: 2), token: 12)
    try write(insert(7, title: 3), token: 13)
    let key = try device.stateKey
    try device.receive(
      .forked(Example.device(1)),
      makeIdentity: { Example.device(2) }
    )
    let upload = try device.upload(limit: 10)
    #expect(upload.device == Example.device(2))
    #expect(upload.transactions.map(\.sequence) == [1, 2])
    #expect(upload.transactions.map(\.token) == [Example.token(12), Example.token(13)])
    #expect(upload.transactions.map(\.previous) == [nil, Example.token(12)])
    #expect(device.store.state.confirmed == 0)
    #expect(device.store.state.leases.isEmpty)
    #expect(try device.stateKey != key)
  }

  @Test mutating func `the fork of another identity is ignored`() throws {
    try device.receive(.forked(Example.device(9)), makeIdentity: { Example.device(2) })
    #expect(device.store.state.device == Example.device(1))
  }

  @Test mutating func `leased IDs are used once, and a lease that arrives again is ignored`() throws
  {
    let block = IDBlock(entity: Example.entity, ids: 100..<102)
    let lease = Lease(device: Example.device(1), block: block)
    try device.receive(lease)
    try device.receive(lease)
    let random = IDBlock(entity: Example.entity, ids: 5_000..<5_001)
    let ids = try (0..<3).map { _ in
      try device.makeID(for: Example.entity, randomBlock: { random })
    }
    #expect(ids == [100, 101, 5_000])
  }

  @Test mutating func `a reset keeps what waits and replaces the ranges that differ`() throws {
    let row = Example.row(originID: 1, at: 1, [(Example.title, .integer(1))])
    try take(
      delta(
        10,
        rows: [
          KeyedRow(key: Example.key(5), row: row), KeyedRow(key: Example.key(9), row: row),
        ]
      )
    )
    let reference = try #require(try device.reference(to: Example.key(5)))
    try write(update(reference, title: 2), token: 11)
    let reset = Reset(state: try device.stateKey, epoch: epoch)
    let digests = try #require(try device.receive(reset, size: 1))
    #expect(
      digests.ranges.elements == [
        RangeDigests.Element(range(1...8), sum: row.sum(5)),
        RangeDigests.Element(range(9...KeyRange.greatestID), sum: row.sum(9)),
      ]
    )
    try take(delta(20, ranges: [range(9...9)]))
    #expect(title(9) == nil)
    #expect(title(5) == .integer(2))
    #expect(device.store.queue.count == 1)
  }

  @Test
  mutating func `a refinement is answered with digests of its ranges, for the present state only`()
    throws
  {
    let row = Example.row(originID: 1, at: 1, [(Example.title, .integer(1))])
    try take(
      delta(10, rows: [2, 5, 6, 9].map { KeyedRow(key: Example.key($0), row: row) })
    )
    // A base and an object of the device alone, which do not count.
    try write(update(try #require(try device.reference(to: Example.key(5))), title: 2), token: 11)
    try write(insert(7, title: 3), token: 12)
    let deltaRequest = try device.deltaRequest()
    let base = ComparisonBase(
      cursor: try #require(deltaRequest.cursor),
      scopes: deltaRequest.scopes
    )
    let refine = Refine(state: deltaRequest.state, base: base, ranges: [range(4...8)], size: 1)
    let digests = try #require(try device.receive(refine))
    #expect(
      digests.ranges.elements == [
        RangeDigests.Element(range(4...5), sum: row.sum(5)),
        RangeDigests.Element(range(6...8), sum: row.sum(6)),
      ]
    )
    #expect(digests.base == base && digests.deltaRequest == deltaRequest)
    try take(delta(20))
    #expect(try device.receive(refine) == nil)
  }

  @Test mutating func `a delta with less progress takes the objects above it`() throws {
    let row = Example.row(originID: 1, at: 1)
    try take(delta(10, rows: [2, 5].map { KeyedRow(key: Example.key($0), row: row) }))
    var scopes = ScopeProgress()
    scopes[Scope(entity: Example.entity)] = .filled(upTo: 4)
    let present = try delta(20)
    try take(
      Delta(
        state: present.state,
        cursor: present.cursor,
        scopes: scopes,
        leaves: [],
        rows: RowBatch(),
        decisions: []
      )
    )
    #expect(device.store.rows.rows.keys.sorted() == [Example.key(2)])
  }

  @Test mutating func `a device tells the time of its decided writes under a new identity too`()
    throws
  {
    let present = try delta(10)
    try take(
      Delta(
        state: present.state,
        cursor: present.cursor,
        scopes: present.scopes,
        leaves: [],
        rows: RowBatch(),
        decisions: [],
        decidedTime: Example.time(700)
      )
    )
    try write(insert(6, title: 1), token: 11, wall: 10)
    try device.receive(.forked(Example.device(1)), makeIdentity: { Example.device(2) })
    let upload = try device.upload(limit: 1)
    #expect(upload.device == Example.device(2) && upload.seen == Example.time(700))
  }

  private func range(_ ids: ClosedRange<UInt64>) -> KeyRange { KeyRange(Example.entity, ids) }

  @Test mutating func `the clock of a device passes the times that it receives`() throws {
    let row = Example.row(originID: 1, at: 900)
    try take(delta(10, rows: [KeyedRow(key: Example.key(5), row: row)]))
    try write(insert(6, title: 1), token: 11, wall: 10)
    let upload = try device.upload(limit: 1)
    #expect(upload.transactions[0].time > Example.time(900))
    #expect(upload.seen == Example.time(900))
  }
}
