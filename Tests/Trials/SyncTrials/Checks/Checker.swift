import ObjectBoxSyncProtocol

/// Holds schedules against the promise, with knowledge that no part of the protocol has.
struct Checker {
  /// The objects that operations are meant for, by transaction.
  var meant: [TransactionToken: [Meant]] = [:]
  /// The number of times that the server has applied a transaction.
  var effects: [TransactionToken: Int] = [:]
  /// Decided transactions that a restored server has lost.
  var lost: Set<TransactionToken> = []
  /// The lost transactions of which a store has the decision: they do not come again.
  var excused: Set<TransactionToken> = []
  /// True if the server has lost commits.
  var hasLosses = false
  /// True if a device was copied or restored.
  var hasForks = false
  /// The values that the server has had, in order, by object and property.
  var history: [ShownProperty: [Int64]] = [:]
  var origins: [TransactionToken: (device: DeviceIdentity, sequence: UInt64)] = [:]
  /// The transaction that a store wrote before each transaction.
  var predecessors: [TransactionToken: TransactionToken] = [:]
  /// The transactions whose values a program saw on the objects that it wrote.
  var seen: [TransactionToken: Set<TransactionToken>] = [:]
  /// The values of objects with a function that programs saw before their updates, by transaction and
  /// index.
  var views: [TransactionToken: [Int: PropertyList<PropertyValue>]] = [:]
  /// The transactions of programs that had not received all properties of their model.
  var unaware: Set<TransactionToken> = []
  /// The keys that the server has ever given to an object.
  var used: Set<ObjectKey> = []
  /// The greatest time before which a server has forgotten decisions; a restored server may have an earlier
  /// one.
  var retentionLimit = Int64.min
  var counts = (accepted: 0, merged: 0, renamed: 0, rejected: 0)

  static let watched = [TrialModel.first, TrialModel.second, TrialModel.late]

  /// Remembers values of the server.
  mutating func remember(_ changes: [ObjectKey: Row?], before: [ObjectKey: Row]) {
    for (key, row) in changes {
      guard let row else { continue }
      used.insert(key)
      let old = before[key].flatMap { $0.originID == row.originID ? $0 : nil }
      for property in Self.watched where old?.values[property] != row.values[property] {
        guard let value = TrialValue.number(row.values[property]) else { continue }
        let identity = ObjectIdentity(key: key, originID: row.originID)
        history[ShownProperty(object: identity, property: property), default: []].append(value)
      }
    }
  }

  /// Remembers what a device shows.
  func look(_ device: TrialDevice) {
    guard !hasForks, !hasLosses else { return }
    for (key, row) in device.device.store.rows {
      let identity = ObjectIdentity(key: key, originID: row.originID)
      for property in Self.watched {
        guard let value = TrialValue.number(row.values[property]) else { continue }
        let shown = ShownProperty(object: identity, property: property)
        if device.shown[shown]?.last != value { device.shown[shown, default: []].append(value) }
      }
    }
  }

  /// Checks that nothing left a queue untold.
  func checkQueue(
    of device: TrialDevice,
    before: [TransactionToken],
    told: Int
  ) throws {
    let store = device.device.store
    var kept = Set(store.queue.map(\.transaction.token))
    for decision in store.told[told...] { kept.insert(decision.transaction.token) }
    for token in before where !kept.contains(token) {
      throw Wrong("a write left the queue untold", "\(token) on device \(device.number)")
    }
  }

  /// Checks a device's state and the server's state after everything has settled.
  func checkEnd(_ world: World) throws {
    let server = world.server
    for device in world.devices {
      let store = device.device.store
      let known = min(device.age, server.age)
      let state = ServerState(server, user: device.user, known)
      let expected = server.rows.filter { key, row in
        known.entities.contains(key.entity) && isVisible(row, at: key, state)
      }.mapValues { device.age.completed(known.reduced($0, server.age)) }
      guard store.shadow == expected, store.rows == expected else {
        throw Wrong(
          "a device does not show the server's state",
          "device \(device.number): \(difference(store.rows, expected))"
        )
      }
      try checkTold(device, server)
    }
    for (token, count) in effects where count > 1 {
      throw Wrong("a write has several effects", "\(token) has \(count)")
    }
    try checkUniques(server.rows, "the server")
    for row in server.rows.values {
      for pair in row.pairs where server.rows[pair.target] == nil {
        throw Wrong("a pair leads to a removed object", "\(pair)")
      }
    }
    if !hasForks, !hasLosses { try checkViews(world.devices) }
  }

  private func checkTold(_ device: TrialDevice, _ server: TrialServer) throws {
    let store = device.device.store
    let told = store.told.map(\.transaction.token)
    guard Set(told).count == told.count else { throw Wrong("a write was told twice") }
    guard Set(told) == Set(store.written) else {
      throw Wrong("a write was not told", "device \(device.number)")
    }
    for decision in store.told {
      let token = decision.transaction.token
      let count = effects[token, default: 0]
      if excused.contains(token) {
        guard decision.decision.outcome == nil || count > 0 || store.doubted.contains(token) else {
          throw Wrong("a decided write was lost untold", "\(token) on device \(device.number)")
        }
        continue
      }
      var isRejected = false
      // The server had forgotten whether it has the write.
      var isExpired = false
      if case .rejected(let rejection) = decision.decision {
        isRejected = true
        isExpired =
          rejection.reason == .expired
          && decision.transaction.time.milliseconds < retentionLimit
      }
      // A copy of the device may have uploaded it again after its decision without effects was forgotten.
      let isForgotten = server.forgottenIdle.contains(token)
      guard count == (isRejected ? 0 : 1) || (isExpired || isForgotten) && count <= 1 else {
        throw Wrong("a told write has other effects", "\(decision.decision) and \(count) effects")
      }
      guard server.decided[token]?.decision == decision.decision || isExpired || isForgotten else {
        throw Wrong("a device was told another decision", "\(decision.decision)")
      }
    }
  }

  private func checkViews(_ devices: [TrialDevice]) throws {
    for device in devices {
      for (property, seen) in device.shown
      where !device.flickering.contains(property.object.key) {
        guard let values = history[property] else { continue }
        var position = 0
        for value in seen where values.contains(value) {
          guard let next = values[position...].firstIndex(of: value) else {
            throw Wrong(
              "a view went back",
              "device \(device.number) showed \(property): \(seen), the server had \(values)"
            )
          }
          position = next
        }
      }
    }
  }

  func checkUniques(_ rows: [ObjectKey: Row], _ place: String) throws {
    var holders: [UniqueKey: ObjectKey] = [:]
    for (key, row) in rows {
      for unique in TrialModel.rules.uniqueKeys(of: row, at: key) {
        if let other = holders.updateValue(key, forKey: unique) {
          throw Wrong("a unique value twice", "\(place): \(key) and \(other)")
        }
      }
    }
  }

  func difference(_ found: [ObjectKey: Row], _ expected: [ObjectKey: Row]) -> String {
    let keys = Set(found.keys).union(expected.keys).sorted()
    return keys.filter { found[$0] != expected[$0] }.prefix(2).map { key in
      "\(key) is \(found[key].map { "\($0)" } ?? "absent"), "
        + "not \(expected[key].map { "\($0)" } ?? "absent")"
    }.joined(separator: "; ")
  }
}
