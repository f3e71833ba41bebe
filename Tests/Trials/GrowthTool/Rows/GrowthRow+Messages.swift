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
        var server = Server(store)
        try measure { try server.receive(try SyncedStore(store)) }
        try expect(server.rows.count == count)
      },
      GrowthRow("removals of one upload sent and decided", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let box = store.box(for: Order.self)
        try box.put((0..<count).map { _ in Order() })
        let synced = try SyncedStore(store)
        var server = Server(store)
        try server.receive(synced)
        try server.answer(synced)
        try box.removeAll()
        try measure { try server.receive(synced) }
        try expect(server.rows.isEmpty)
      },
      GrowthRow("pairs of one upload sent and decided", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let teachers = (0..<count).map { Teacher("\($0)") }
        try store.box(for: Teacher.self).put(teachers)
        let student = Student("")
        student.teachers.append(contentsOf: teachers)
        try store.box(for: Student.self).put(student)
        var server = Server(store)
        try measure { try server.receive(try SyncedStore(store)) }
        try expect(server.rows.values.contains { $0.pairs.count == count })
      },
      GrowthRow("removed pairs of one upload sent and decided", .linear, size: 250) {
        count,
        measure in
        let store = try synchronized()
        let teachers = (0..<count).map { Teacher("\($0)") }
        try store.box(for: Teacher.self).put(teachers)
        let student = Student("")
        student.teachers.append(contentsOf: teachers)
        try store.box(for: Student.self).put(student)
        let synced = try SyncedStore(store)
        var server = Server(store)
        try server.receive(synced)
        try server.answer(synced)
        student.teachers.removeAll()
        try student.teachers.applyToDb()
        try measure { try server.receive(synced) }
        try expect(server.rows.values.allSatisfy(\.pairs.isEmpty))
      },
    ]
  }

  private static var deltas: [GrowthRow] {
    [
      GrowthRow("inserts of one delta applied", .linear, size: 250) { count, measure in
        let (store, server) = (try synchronized(), try Server(orders: count))
        try measure { try server.answer(try SyncedStore(store)) }
        try expect(try store.box(for: Order.self).count() == count)
      },
      GrowthRow("changes of one delta applied", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let synced = try SyncedStore(store)
        var server = try Server(orders: count)
        try server.answer(synced)
        for key in server.rows.keys {
          server.rows[key]?.values[server.name] = .bytes(Array("new".utf8))
        }
        try measure { try server.answer(synced) }
        try expect(try store.box(for: Order.self).all().allSatisfy { $0.name == "new" })
      },
      GrowthRow("removals of one delta applied", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let synced = try SyncedStore(store)
        var server = try Server(orders: count)
        try server.answer(synced)
        let gone = Array(server.rows.keys)
        server.rows = [:]
        try measure { try server.answer(synced, leaves: gone) }
        try expect(try store.box(for: Order.self).count() == 0)
      },
      GrowthRow("a delta applied below waiting writes", .linear, size: 250) { count, measure in
        let store = try synchronized()
        let synced = try SyncedStore(store)
        let server = try Server(orders: count)
        try server.answer(synced)
        let box = store.box(for: Order.self)
        for order in try box.all() {
          order.name = "own"
          try box.put(order)
        }
        try measure { try server.answer(synced) }
        try expect(try box.all().allSatisfy { $0.name == "own" })
      },
    ]
  }

  /// The rows of a server; messages pass it as bytes.
  private struct Server: RowSource {
    var rows: [ObjectKey: Row] = [:]
    private let rules: SyncRules
    private var decisions: [SequencedDecision] = []

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
      decisions = []
    }

    /// Decides all that a device has to send.
    mutating func receive(_ device: SyncedStore) throws {
      let bytes = WireMessage.upload(try device.upload(limit: .max)).encoded()
      guard case .upload(let upload) = try WireMessage(decoding: bytes) else { return }
      var record: DeviceRecord?
      for transaction in upload.transactions {
        let decision = try DecisionStep.decide(
          transaction,
          record: record,
          seen: upload.seen,
          rows: self,
          rules: rules,
          now: transaction.time.milliseconds,
          tolerance: 0
        ) { _, _, _ in true }
        guard case .store(let decision, let changes, let new) = decision else { continue }
        record = new
        for (key, row) in changes?.rows ?? [:] { rows[key] = row }
        decisions.append(
          SequencedDecision(
            sequence: transaction.sequence,
            token: transaction.token,
            decision: decision
          )
        )
      }
    }

    /// Gives a device all rows.
    func answer(_ device: SyncedStore, leaves: [ObjectKey] = []) throws {
      let delta = Delta(
        state: try device.deltaRequest().state,
        cursor: Cursor(
          snapshot: TransactionSnapshot(xmax: 100, inProgress: []),
          epoch: Epoch(system: 1, database: 1, timeline: 1),
          position: 1
        ),
        scopes: ScopeProgress(),
        leaves: leaves.sorted(),
        rows: RowBatch(rows.sorted { $0.key < $1.key }.map { KeyedRow(key: $0, row: $1) }),
        decisions: decisions
      )
      guard case .delta(let read) = try WireMessage(decoding: WireMessage.delta(delta).encoded())
      else {
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
