import ObjectBox
import ObjectBoxSync
import ObjectBoxSyncProtocol

/// Puts into a synchronized store and into one that is not, in turn.
struct DevicePut {
  /// The work of a round.
  private enum Work: CaseIterable {
    case puts
    case updates
    case bulkPut
    case bulkUpdate

    var isBulk: Bool { self == .bulkPut || self == .bulkUpdate }
    var isUpdate: Bool { self == .updates || self == .bulkUpdate }
    /// The number of objects.
    var count: Int { isBulk ? 10_000 : 200 }
    /// The greatest ratio that meets the goal.
    var goal: Double { isBulk ? 1.8 : 1.3 }

    var name: String {
      switch self {
      case .puts: "durable put"
      case .updates: "durable update"
      case .bulkPut: "put of 10,000"
      case .bulkUpdate: "update of 10,000"
      }
    }
  }

  private static let rounds = 9

  func run() throws {
    let folders = (try Folder(), try Folder())
    let plain = try Store(directoryPath: folders.0.path, maxDbSizeInKByte: 4 << 20)
    let synced = try Store(directoryPath: folders.1.path, maxDbSizeInKByte: 4 << 20)
    let capture = try SyncedStore(synced)
    // Each round updates other objects: a client confirms updates before most objects change again.
    let updates = Work.allCases.filter(\.isUpdate).reduce(0) { $0 + $1.count }
    try fill(plain, capture, (Self.rounds + 1) * updates)
    // IDs that ascend, as those that a server leases.
    try lease(capture, 1 << 24)
    let boxes = (plain.box(for: Item.self), synced.box(for: Item.self))
    var stored = (try boxes.0.all()[...], try boxes.1.all()[...])
    for work in Work.allCases {
      var ratios: (clock: [Double], time: [Double]) = ([], [])
      var without: (clock: [Double], time: [Double]) = ([], [])
      for round in 0...Self.rounds {
        let new = (0..<work.count).map { Item(owner: "user 1", number: $0) }
        let other = (0..<work.count).map { Item(owner: "user 1", number: $0) }
        let items =
          work.isUpdate
          ? (Array(stored.0.prefix(work.count)), Array(stored.1.prefix(work.count))) : (new, other)
        if work.isUpdate {
          stored = (stored.0.dropFirst(work.count), stored.1.dropFirst(work.count))
          for item in items.0 + items.1 { item.count += 1 }
        }
        var results = [(clock: 0.0, time: 0.0), (clock: 0.0, time: 0.0)]
        for turn in 0..<2 {
          let isSynced = (turn + round) % 2 == 1
          let box = isSynced ? boxes.1 : boxes.0
          let objects = isSynced ? items.1 : items.0
          let (clock, time) = (Usage.clock, Usage.own)
          if work.isBulk { try box.put(objects) } else { for item in objects { try box.put(item) } }
          results[isSynced ? 1 : 0] = (Usage.clock - clock, Usage.own - time)
        }
        if round == 0 { continue }
        ratios.clock.append(results[1].clock / results[0].clock)
        ratios.time.append(results[1].time / results[0].time)
        without.clock.append(results[0].clock * 1e6 / Double(work.count))
        without.time.append(results[0].time * 1e6 / Double(work.count))
      }
      // A durable put waits for the disk; a bulk for the processor.
      Report.atMost(
        "\(work.name) with sync beside one without",
        work.goal,
        (work.isBulk ? ratios.time : ratios.clock).median
      )
      Report.line(
        "… by the clock / in processor time",
        "\(Report.short(ratios.clock.median)) / \(Report.short(ratios.time.median))"
      )
      Report.line(
        "… an object without sync",
        "\(Report.short(without.clock.median)) µs / \(Report.short(without.time.median)) µs"
      )
    }
    let transactions = Work.allCases.reduce(0) { $0 + ($1.isBulk ? 1 : $1.count) }
    guard try capture.waitingCount == (Self.rounds + 1) * transactions else {
      Main.fail("not all puts wait for the server")
    }
  }

  private func lease(_ synced: SyncedStore, _ first: UInt64) throws {
    guard let lend = try synced.lendsNeeded().first else { Main.fail("no IDs are needed") }
    let block = IDBlock(entity: lend.entity, ids: first..<first + 1 << 20)
    try synced.receive(Lease(device: lend.device, block: block))
  }

  /// Gives both stores the same objects; the synchronized one has them from a server.
  private func fill(_ plain: Store, _ synced: SyncedStore, _ count: Int) throws {
    let folder = try Folder()
    let source = try Store(directoryPath: folder.path, maxDbSizeInKByte: 4 << 20)
    let writer = try SyncedStore(source)
    try lease(writer, 1)
    let items = (0..<count).map { Item(owner: "user 1", number: $0) }
    try source.box(for: Item.self).put(items)
    var rows: [KeyedRow] = []
    for transaction in try writer.upload(limit: 1).transactions {
      let stamp = Stamp(time: transaction.time, token: transaction.token)
      for case .insert(let key, let values, _) in transaction.operations {
        let row = Row(originID: transaction.token.originID, values: values, stamp: stamp)
        rows.append(KeyedRow(key: key, row: row))
      }
    }
    let delta = Delta(
      state: try synced.deltaRequest().state,
      cursor: Cursor(
        snapshot: TransactionSnapshot(xmax: 1_000, inProgress: []),
        epoch: Epoch(system: 1, database: 1, timeline: 1),
        position: 1
      ),
      scopes: ScopeProgress(),
      leaves: [],
      rows: RowBatch(rows),
      decisions: []
    )
    guard try synced.receive(delta) == .taken else { Main.fail("the objects do not arrive") }
    source.close()
    for item in items { item.id = 0 }
    try plain.box(for: Item.self).put(items)
  }
}
