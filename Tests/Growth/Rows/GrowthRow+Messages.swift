import ObjectBoxRuntimeTestSupport
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema

@testable import ObjectBox

/// Messages between a device and a server, without a connection and a database.
extension GrowthRow {
  static var messages: [GrowthRow] { uploads + deltas }

  private static var uploads: [GrowthRow] {
    [
      GrowthRow("inserts of one upload sent and decided", .linear, size: 250) { count, measure in
        let store = try synchronized()
        try store.box(for: Order.self).put((0..<count).map { _ in Order() })
        var hub = Hub(store)
        try measure { try hub.receive(try SyncedStore(store)) }
        try expect(hub.rows.count == count)
      },
      GrowthRow("removals of one upload sent and decided", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let box = store.box(for: Order.self)
        try box.put((0..<count).map { _ in Order() })
        let synced = try SyncedStore(store)
        var hub = Hub(store)
        try hub.receive(synced)
        try hub.answer(synced)
        try box.removeAll()
        try measure { try hub.receive(synced) }
        try expect(hub.rows.isEmpty)
      },
      GrowthRow("pairs of one upload sent and decided", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let teachers = (0..<count).map { Teacher("\($0)") }
        try store.box(for: Teacher.self).put(teachers)
        let student = Student("")
        student.teachers.append(contentsOf: teachers)
        try store.box(for: Student.self).put(student)
        var hub = Hub(store)
        try measure { try hub.receive(try SyncedStore(store)) }
        try expect(hub.rows.values.contains { $0.pairs.count == count })
      },
    ]
  }

  private static var deltas: [GrowthRow] {
    [
      GrowthRow("inserts of one delta applied", .linear, size: 250) { count, measure in
        let (store, hub) = (try synchronized(), try Hub(orders: count))
        try measure { try hub.answer(try SyncedStore(store)) }
        try expect(try store.box(for: Order.self).count() == count)
      },
      GrowthRow("changes of one delta applied", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let synced = try SyncedStore(store)
        var hub = try Hub(orders: count)
        try hub.answer(synced)
        for key in hub.rows.keys { hub.rows[key]?.values[hub.name] = .bytes(Array("new".utf8)) }
        try measure { try hub.answer(synced) }
        try expect(try store.box(for: Order.self).all().allSatisfy { $0.name == "new" })
      },
      GrowthRow("removals of one delta applied", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let synced = try SyncedStore(store)
        var hub = try Hub(orders: count)
        try hub.answer(synced)
        let gone = Array(hub.rows.keys)
        hub.rows = [:]
        try measure { try hub.answer(synced, leaves: gone) }
        try expect(try store.box(for: Order.self).count() == 0)
      },
      GrowthRow("a delta applied below waiting writes", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let synced = try SyncedStore(store)
        let hub = try Hub(orders: count)
        try hub.answer(synced)
        let box = store.box(for: Order.self)
        for order in try box.all() {
          order.name = "own"
          try box.put(order)
        }
        try measure { try hub.answer(synced) }
        try expect(try box.all().allSatisfy { $0.name == "own" })
      },
    ]
  }

  /// The rows of a server; messages pass it as bytes.
  private struct Hub: RowSource {
    var rows: [ObjectKey: Row] = [:]
    private let rules: SyncRules
    private var verdicts: [SequencedVerdict] = []

    /// The property `name` of orders.
    let name: PropertyUID

    init(_ store: Store) {
      rules = SyncRules(store.file.schema)
      let order = store.file.schema.entities.first { $0.name == "Order" }
      let name = order?.properties.first { $0.name == "name" }
      self.name = PropertyUID(name?.identity.uid ?? 0)
    }

    /// Makes a server that has the objects of another device.
    init(orders count: Int) throws {
      let store = try GrowthRow.synchronized()
      try store.box(for: Order.self).put((0..<count).map { _ in Order("old") })
      self.init(store)
      try receive(try SyncedStore(store))
      verdicts = []
    }

    /// Decides all that a device has to send.
    mutating func receive(_ device: SyncedStore) throws {
      let bytes = WireMessage.upload(try device.upload(limit: .max)).encoded()
      guard case .upload(let upload) = try WireMessage(decoding: bytes) else { return }
      var record: DeviceRecord?
      for transaction in upload.transactions {
        let decision = try Decision.decide(
          transaction,
          record: record,
          seen: upload.seen,
          rows: self,
          rules: rules,
          now: transaction.time.milliseconds,
          tolerance: 0
        ) { _, _, _ in true }
        guard case .store(let verdict, let changes, let new) = decision else { continue }
        record = new
        for (key, row) in changes?.rows ?? [:] { rows[key] = row }
        verdicts.append(
          SequencedVerdict(
            sequence: transaction.sequence,
            token: transaction.token,
            verdict: verdict
          )
        )
      }
    }

    /// Gives a device all rows.
    func answer(_ device: SyncedStore, leaves: [ObjectKey] = []) throws {
      let cut = Cut(
        state: try device.want().state,
        cursor: Cursor(
          snapshot: TransactionSnapshot(xmax: 100, inProgress: []),
          epoch: Epoch(system: 1, database: 1, timeline: 1),
          position: 1
        ),
        scopes: ScopeMarks(),
        leaves: leaves.sorted(),
        rows: RowBatch(rows.sorted { $0.key < $1.key }.map { KeyedRow(key: $0, row: $1) }),
        verdicts: verdicts
      )
      guard case .cut(let read) = try WireMessage(decoding: WireMessage.cut(cut).encoded()) else {
        return
      }
      try expect(try device.receive(read) == .taken)
    }

    func row(at key: ObjectKey) -> Loaded<Row?> { .value(rows[key]) }
    func hasTombstone(at key: ObjectKey) -> Loaded<Bool> { .value(false) }
    func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> { .value(nil) }
    func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> { .value([]) }
    func outcome(of maker: TransactionToken) -> Loaded<MakerOutcome?> { .value(MakerOutcome([])) }
    func freshID(of entity: EntityUID, index: Int) -> Loaded<UInt64> { .missing }
  }
}
