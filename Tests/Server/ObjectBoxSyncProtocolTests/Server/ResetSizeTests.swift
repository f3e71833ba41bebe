import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import ObjectBoxTestSupport
import Testing

/// The bytes that travel when a device has lost its cursor.
struct ResetSizeTests {
  /// Which objects have changed.
  enum Changes: CaseIterable {
    case together, scattered, removed
  }

  private static let entity = EntityUID(6_021_390_959_846_368_512)
  private static let properties = [
    2_135_676_094_627_830_272, 2_769_053_633_928_850_176, 4_333_398_828_387_335_168,
    7_328_203_971_294_561_536,
  ].map { PropertyUID($0) }
  private static let rules = SyncRules([entity: EntityRules()])
  private static let scope = Scope(entity: entity)
  private static let count = 20_000

  private func rows(_ spacing: UInt64) -> [KeyedRow] {
    (1...UInt64(Self.count)).map { number in
      let title = PropertyValue.bytes(Array("item \(number)".utf8))
      let values: [PropertyValue] = [
        .bytes(Array("user 1".utf8)), title, .integer(Int64(number)), .double(bits: number),
      ]
      return KeyedRow(
        key: ObjectKey(entity: Self.entity, id: number * spacing),
        row: Row(
          originID: OriginID(number),
          values: PropertyList(Array(zip(Self.properties, values))),
          stamp: Stamp(time: Example.time(1_000), token: Example.token(number))
        )
      )
    }
  }

  private func cursor(_ xmax: UInt64) -> Cursor {
    Cursor(
      snapshot: TransactionSnapshot(xmax: xmax, inProgress: []),
      epoch: Epoch(system: 1, database: 1, timeline: 1),
      position: xmax
    )
  }

  /// Returns the server's rows after 1 % of the objects have changed.
  private func changed(_ rows: [KeyedRow], _ changes: Changes) -> [KeyedRow] {
    let isChanged = { (index: Int) in
      changes == .together ? index >= rows.count - rows.count / 100 : index % 100 == 50
    }
    return rows.enumerated().compactMap { index, row in
      guard isChanged(index) else { return row }
      if changes == .removed { return nil }
      var other = row.row
      other.values[Self.properties[2]] = .integer(-1)
      return KeyedRow(key: row.key, row: other)
    }
  }

  // IDs one after another, and IDs of which most belong to other users.
  @Test(.tags(.slow), arguments: Changes.allCases, [1, 1_000] as [UInt64])
  func `1 % of changes travels in 3 bytes for each object of the store`(
    changes: Changes,
    spacing: UInt64
  ) throws {
    let old = rows(spacing)
    let device = DeviceIdentity(Identifier128(high: 1, low: 1))
    var own = Device(store: MemoryStore(device: device, rules: Self.rules), rules: Self.rules)
    var progress = ScopeProgress()
    progress[Self.scope] = .complete
    let fill = Delta(
      state: try own.stateKey,
      cursor: cursor(10),
      scopes: progress,
      leaves: [],
      rows: RowBatch(old),
      decisions: []
    )
    _ = try own.receive(fill) { device }
    let now = changed(old, changes)

    var bytes = 0
    var steps = 0
    let reset = Reset(state: try own.stateKey, epoch: cursor(10).epoch)
    var next = try own.receive(reset, size: 32)
    while let digests = next {
      steps += 1
      bytes += WireMessage.digests(digests).encoded().count
      let start = ResetBuilder.start(
        digests,
        cursor: cursor(20),
        history: ServerHistory(epoch: cursor(10).epoch, sweptBelow: 15),
        granted: [Self.scope],
        record: nil,
        decisions: [],
        limits: ResetBuilder.Limits()
      )
      guard case .compare(var builder) = start else { throw Example.Unexpected() }
      for row in now { builder.add(row.row, at: row.key) }
      switch builder.step() {
      case .refine(let refine):
        bytes += WireMessage.refine(refine).encoded().count
        try own.stagingArea(refine)
        next = try own.receive(refine)
      case .send(let ranges):
        var rest = ranges[...]
        for row in now {
          rest = rest.drop { $0.ends(before: row.key) }
          guard rest.first?.contains(row.key) == true else { continue }
          let isSent = builder.send(row)
          #expect(isSent)
        }
        guard case .delta(let changes) = builder.end() else { throw Example.Unexpected() }
        let delta = changes.finish()
        bytes += WireMessage.delta(delta).encoded().count
        #expect(try own.receive(delta) { device } == .taken)
        next = nil
      }
    }
    let rows = own.store.rows.rows
    #expect(rows == Dictionary(uniqueKeysWithValues: now.map { ($0.key, $0.row) }))
    #expect(steps <= 3)
    #expect(bytes <= Self.count * 3, "\(bytes) bytes")
  }
}
