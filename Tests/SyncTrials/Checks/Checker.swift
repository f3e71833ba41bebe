import ObjectBoxSyncProtocol

/// Holds schedules against the promise, with knowledge that no part of the protocol has.
struct Checker {
  /// The objects that operations are meant for, by transaction.
  var meant: [TransactionToken: [Meant]] = [:]
  /// The number of times that the hub has applied a transaction.
  var effects: [TransactionToken: Int] = [:]
  /// Decided transactions that a restored hub has lost.
  var lost: Set<TransactionToken> = []
  /// The lost transactions of which a store has the decision: they do not come again.
  var excused: Set<TransactionToken> = []
  /// True if the hub has lost commits.
  var hasLosses = false
  /// True if a device was copied or restored.
  var hasForks = false
  /// The values that the hub has had, in order, by object and property.
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
  /// The keys that the hub has ever given to an object.
  var used: Set<ObjectKey> = []
  /// The greatest time before which a hub has forgotten decisions; a restored hub may have an earlier
  /// one.
  var horizon = Int64.min
  var counts = (accepted: 0, merged: 0, renamed: 0, rejected: 0)

  static let watched = [TrialModel.first, TrialModel.second, TrialModel.late]

  /// Remembers values of the hub.
  mutating func remember(_ changes: [ObjectKey: Row?], before: [ObjectKey: Row]) {
    for (key, row) in changes {
      guard let row else { continue }
      used.insert(key)
      let old = before[key].flatMap { $0.birth == row.birth ? $0 : nil }
      for property in Self.watched where old?.values[property] != row.values[property] {
        guard let value = TrialValue.number(row.values[property]) else { continue }
        let identity = ObjectIdentity(key: key, birth: row.birth)
        history[ShownProperty(object: identity, property: property), default: []].append(value)
      }
    }
  }

  /// Remembers what a device shows.
  func look(_ device: TrialDevice) {
    guard !hasForks, !hasLosses else { return }
    for (key, row) in device.device.store.rows {
      let identity = ObjectIdentity(key: key, birth: row.birth)
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
    for verdict in store.told[told...] { kept.insert(verdict.transaction.token) }
    for token in before where !kept.contains(token) {
      throw Wrong("a write left the queue untold", "\(token) on device \(device.number)")
    }
  }

  /// Checks a device's state and the hub's state after everything has settled.
  func checkEnd(_ world: World) throws {
    let hub = world.hub
    for device in world.devices {
      let store = device.device.store
      let known = min(device.age, hub.age)
      let state = HubState(hub, user: device.user, known)
      let expected = hub.rows.filter { key, row in
        known.entities.contains(key.entity) && isPermitted(row, at: key, state)
      }.mapValues { device.age.completed(known.reduced($0, hub.age)) }
      guard store.shadow == expected, store.rows == expected else {
        throw Wrong(
          "a device does not show the hub's state",
          "device \(device.number): \(difference(store.rows, expected))"
        )
      }
      try checkTold(device, hub)
    }
    for (token, count) in effects where count > 1 {
      throw Wrong("a write has several effects", "\(token) has \(count)")
    }
    try checkUniques(hub.rows, "the hub")
    for row in hub.rows.values {
      for pair in row.pairs where hub.rows[pair.target] == nil {
        throw Wrong("a pair leads to a removed object", "\(pair)")
      }
    }
    if !hasForks, !hasLosses { try checkViews(world.devices) }
  }

  private func checkTold(_ device: TrialDevice, _ hub: TrialHub) throws {
    let store = device.device.store
    let told = store.told.map(\.transaction.token)
    guard Set(told).count == told.count else { throw Wrong("a write was told twice") }
    guard Set(told) == Set(store.written) else {
      throw Wrong("a write was not told", "device \(device.number)")
    }
    for verdict in store.told {
      let token = verdict.transaction.token
      let count = effects[token, default: 0]
      if excused.contains(token) {
        guard verdict.verdict.outcome == nil || count > 0 || store.doubted.contains(token) else {
          throw Wrong("a decided write was lost untold", "\(token) on device \(device.number)")
        }
        continue
      }
      var isRejected = false
      // The hub had forgotten whether it has the write.
      var isExpired = false
      if case .rejected(let rejection) = verdict.verdict {
        isRejected = true
        isExpired =
          rejection.reason == .expired
          && verdict.transaction.time.milliseconds < horizon
      }
      // A copy of the device may have uploaded it again after its decision without effects was forgotten.
      let isForgotten = hub.forgottenIdle.contains(token)
      guard count == (isRejected ? 0 : 1) || (isExpired || isForgotten) && count <= 1 else {
        throw Wrong("a told write has other effects", "\(verdict.verdict) and \(count) effects")
      }
      guard hub.decided[token]?.verdict == verdict.verdict || isExpired || isForgotten else {
        throw Wrong("a device was told another verdict", "\(verdict.verdict)")
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
              "device \(device.number) showed \(property): \(seen), the hub had \(values)"
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
