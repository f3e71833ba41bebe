import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

/// The parts of a reset on a device.
struct DeviceStagingAreaTests {
  private static let epoch = Epoch(system: 1, database: 1, timeline: 1)
  private var device: Device<MemoryStore>

  /// A device with the objects 1 to 8, whose title is their ID.
  init() throws {
    let rules = SyncRules([Example.entity: EntityRules(mode: .propertyClock)])
    device = Device(
      store: MemoryStore(device: Example.device(1), rules: rules),
      rules: rules
    )
    try take(delta(10, rows: (1...8).map { row($0, title: Int64($0)) }))
  }

  private func row(_ id: UInt64, title: Int64, at time: Int64 = 1) -> KeyedRow {
    KeyedRow(
      key: Example.key(id),
      row: Example.row(originID: id, at: time, [(Example.title, .integer(title))])
    )
  }

  private func cursor(_ xmax: UInt64) -> Cursor {
    Cursor(
      snapshot: TransactionSnapshot(xmax: xmax, inProgress: []),
      epoch: Self.epoch,
      position: xmax
    )
  }

  private var scopes: ScopeProgress {
    var scopes = ScopeProgress()
    scopes[Scope(entity: Example.entity)] = .complete
    return scopes
  }

  private func delta(
    _ xmax: UInt64,
    over stagingArea: UInt64 = 0,
    ranges: [KeyRange] = [],
    rows: [KeyedRow] = []
  ) throws -> Delta {
    Delta(
      state: try device.stateKey,
      stagingArea: stagingArea,
      cursor: cursor(xmax),
      scopes: scopes,
      ranges: ranges,
      leaves: [],
      rows: RowBatch(rows),
      decisions: []
    )
  }

  @discardableResult private mutating func take(_ delta: Delta) throws -> DeltaResult {
    try device.receive(delta, makeIdentity: { Example.device(2) })
  }

  private func range(_ ids: ClosedRange<UInt64>) -> KeyRange { KeyRange(Example.entity, ids) }

  private var titles: [UInt64: PropertyValue] {
    var titles: [UInt64: PropertyValue] = [:]
    for (key, row) in device.store.rows.rows { titles[key.id] = row.values[Example.title] }
    return titles
  }

  /// The objects that are shown at first, with some changes.
  private func titles(with changes: [UInt64: Int64?] = [:]) -> [UInt64: PropertyValue] {
    var titles: [UInt64: PropertyValue] = [:]
    for id in 1...8 as ClosedRange<UInt64> { titles[id] = .integer(Int64(id)) }
    for (id, title) in changes { titles[id] = title.map { .integer($0) } }
    return titles
  }

  /// The first part: object 2 has changed, and object 3 was removed.
  private func first(at xmax: UInt64 = 20) throws -> Refine {
    Refine(
      state: try device.stateKey,
      base: ComparisonBase(cursor: cursor(xmax), scopes: scopes),
      part: ResetPart(ranges: [range(2...3)], rows: RowBatch([row(2, title: 20, at: 900)])),
      ranges: [range(5...6)],
      size: 1,
      rest: [range(8...9)]
    )
  }

  @Test mutating func `parts are shown with the delta that ends the comparison`() throws {
    let first = try first()
    #expect(try device.stagingArea(first))
    let digests = try #require(try device.receive(first))
    #expect(digests.ranges.covered == first.ranges && digests.rest == first.rest)
    #expect(digests.stagingArea == first.nextStagingArea && digests.base == first.base)
    let second = Refine(
      state: first.state,
      base: ComparisonBase(cursor: cursor(20), scopes: scopes, latest: cursor(25)),
      stagingArea: first.nextStagingArea,
      part: ResetPart(ranges: [range(6...6)], rows: RowBatch([row(6, title: 60)])),
      ranges: [range(8...9)],
      size: 0
    )
    #expect(try device.stagingArea(second))
    #expect(try device.receive(second)?.ranges == RangeDigests(wanting: [range(8...9)]))
    #expect(titles == titles())

    let end = try delta(
      30,
      over: second.nextStagingArea,
      ranges: [range(8...9)],
      rows: [row(6, title: 61), row(9, title: 90)]
    )
    #expect(try take(end) == .taken)
    #expect(titles == titles(with: [2: 20, 3: nil, 6: 61, 8: nil, 9: 90]))
    #expect(device.store.stagingArea == nil && device.store.parts.isEmpty)
    #expect(device.store.state.seen == Example.time(900))
  }

  @Test mutating func `the program writes and uploads while parts are staged`() throws {
    let first = try first()
    try device.stagingArea(first)
    let reference = try #require(try device.reference(to: Example.key(2)))
    let values = PropertyList<PropertyValue>([(Example.title, .integer(-2))])
    try device.write([.update(reference, values)], token: Example.token(11), wall: 1_000)
    #expect(titles == titles(with: [2: -2]))
    #expect(try device.upload(limit: 10).transactions.count == 1)
    #expect(try take(delta(30, over: first.nextStagingArea)) == .taken)
    #expect(titles == titles(with: [2: -2, 3: nil]))
    #expect(device.store.base(at: Example.key(2)) == .row(row(2, title: 20, at: 900).row))
  }

  @Test mutating func `a delta over parts of other scopes is ignored, also at an equal moment`()
    throws
  {
    let first = try first()
    var wider = scopes
    wider[Scope(entity: EntityUID(99))] = .complete
    let other = Refine(
      state: first.state,
      base: ComparisonBase(cursor: first.base.cursor, scopes: wider),
      part: first.part,
      ranges: first.ranges,
      size: 1,
      rest: first.rest
    )
    try device.stagingArea(first)
    #expect(try take(delta(30, over: other.nextStagingArea)) == .ignored)
    #expect(try take(delta(30, over: first.nextStagingArea)) == .taken)
  }

  @Test mutating func `a delta for other parts is ignored, and one without parts drops them`()
    throws
  {
    let first = try first()
    #expect(try take(delta(30, over: first.nextStagingArea)) == .ignored)
    try device.stagingArea(first)
    #expect(try take(delta(30, over: first.nextStagingArea + 1)) == .ignored)
    #expect(device.store.parts.count == 1)
    #expect(try take(delta(30)) == .taken)
    #expect(titles == titles())
    #expect(device.store.stagingArea == nil && device.store.parts.isEmpty)
  }

  @Test mutating func `a part that comes again is not staged again`() throws {
    let first = try first()
    #expect(try device.stagingArea(first))
    #expect(try !device.stagingArea(first))
    // The first part of another comparison.
    #expect(try !device.stagingArea(self.first(at: 22)))
    #expect(device.store.parts.count == 1)
  }

  @Test mutating func `a comparison goes on with the staged parts after a lost connection`() throws
  {
    let first = try first()
    try device.stagingArea(first)
    let reset = Reset(state: try device.stateKey, epoch: Self.epoch)
    let digests = try #require(try device.receive(reset, size: 32))
    #expect(digests == (try device.receive(first)))
  }

  @Test
  mutating func `a device with parts goes on behind them when the server divides its changes anew`()
    throws
  {
    let first = try first()
    try device.stagingArea(first)
    let other = Refine(
      state: try device.stateKey,
      base: ComparisonBase(cursor: cursor(25), scopes: scopes, latest: cursor(25)),
      ranges: [range(1...7)],
      size: 0
    )
    #expect(try device.receive(other) == device.receive(first))
    #expect(try device.receive(first)?.stagingArea == first.nextStagingArea)
  }

  @Test mutating func `objects of parts that changed again are asked for without hashes`() throws {
    let state = try device.stateKey
    let again = Refine(
      state: state,
      base: ComparisonBase(cursor: cursor(20), scopes: scopes, latest: cursor(20)),
      part: ResetPart(ranges: [range(2...3)], rows: RowBatch([row(2, title: 20)])),
      ranges: [range(2...2)],
      size: 0
    )
    try device.stagingArea(again)
    // Also after a lost connection: the hashes would be of the rows without the part.
    let reset = Reset(state: state, epoch: Self.epoch)
    let digests = try #require(try device.receive(reset, size: 32))
    #expect(digests.ranges == RangeDigests(wanting: [range(2...2)]))
  }

  @Test mutating func `a comparison of no use begins anew without its parts`() throws {
    try device.stagingArea(try first())
    let reset = Reset(state: try device.stateKey, epoch: Self.epoch, endsComparison: true)
    let digests = try #require(try device.receive(reset, size: 32))
    #expect(digests.base == nil && digests.stagingArea == 0)
    #expect(digests.ranges.covered == [KeyRange(allOf: Example.entity)])
    #expect(device.store.stagingArea == nil && device.store.parts.isEmpty)
  }

  @Test mutating func `a device with a new identity drops its parts`() throws {
    try device.stagingArea(try first())
    try device.receive(.forked(Example.device(1)), makeIdentity: { Example.device(2) })
    #expect(device.store.stagingArea == nil && device.store.parts.isEmpty)
    #expect(titles == titles())
  }

  @Test mutating func `a login that shares other parts of the model drops the staged ones`() throws
  {
    var parts = ModelParts()
    parts[Example.entity] = ModelParts.Entity(properties: [Example.title], relations: [])
    try device.open(parts)
    try device.begin(parts)
    let first = try first()
    try device.stagingArea(first)
    // The same model again: the parts stay.
    try device.begin(parts)
    #expect(device.store.parts.count == 1)
    let end = try delta(30, over: first.nextStagingArea)

    parts[Example.entity]?.properties.insert(Example.votes)
    try device.open(parts)
    try device.begin(parts)
    #expect(device.store.stagingArea == nil && device.store.parts.isEmpty)
    #expect(try take(end) == .ignored)
    let reset = Reset(state: try device.stateKey, epoch: Self.epoch)
    let digests = try #require(try device.receive(reset, size: 32))
    #expect(digests.base == nil && digests.stagingArea == 0)
    #expect(titles == titles())
  }

  @Test mutating func `digests end at the device's limit, and the rest comes with the next ones`()
    throws
  {
    device.digestLimit = 1
    let refine = Refine(
      state: try device.stateKey,
      base: ComparisonBase(cursor: cursor(20), scopes: scopes),
      ranges: [range(1...5)],
      size: 1,
      rest: [range(8...9)]
    )
    let digests = try #require(try device.receive(refine))
    #expect(digests.ranges.covered == [range(1...2)])
    #expect(digests.rest == [range(3...5), range(8...9)])
  }
}
