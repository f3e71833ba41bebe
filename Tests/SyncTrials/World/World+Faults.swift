import ObjectBoxSyncProtocol

extension World {
  /// Saves a device, or brings a saved state back: as a copy beside it, or in its place.
  func fail(_ device: TrialDevice) throws {
    guard faults.copies || faults.restoredDevices else { return }
    if random.chance(percent: 20) {
      // A new identity is right at any time.
      let reply = HubReply.forked(device.device.store.state.device)
      record("device \(device.number) takes a new identity")
      let identity = makeIdentity()
      return try device.device.receive(reply, makeIdentity: { identity })
    }
    if deviceBackups.isEmpty || random.chance(percent: 50) {
      record("save device \(device.number)")
      deviceBackups.append((device, device.device))
      if deviceBackups.count > 3 { deviceBackups.removeFirst() }
      return
    }
    let (source, state) = random.pick(deviceBackups)
    if faults.copies, devices.count < 5 {
      let copy = add(state, user: source.user, skew: source.skew)
      try logIn(copy)
      record("device \(copy.number) is a copy of device \(source.number)")
    } else if faults.restoredDevices, let index = devices.firstIndex(where: { $0 === source }) {
      devices.remove(at: index)
      let restored = add(state, user: source.user, skew: source.skew)
      try logIn(restored)
      record("device \(restored.number) is device \(source.number) from a backup")
    } else {
      return
    }
    checker.hasForks = true
  }

  /// Lets the hub forget the oldest uploads of a device, confirmed or not.
  func forgetUploads() {
    guard !hub.records.isEmpty else { return }
    let device = random.pick(hub.records.keys.sorted())
    let last = hub.records[device]?.last ?? 0
    let number = UInt64(1 + random.below(Int(last)))
    record("the hub forgets uploads up to \(number) of an identity")
    hub.forgetUploads(of: device, upTo: number)
  }

  /// Lets the hub forget old decisions without effects.
  func forgetIdleDecisions() {
    let time = now - Int64(random.below(3_000))
    record("the hub forgets decisions without effects from before \(time)")
    hub.forgetIdleDecisions(before: time)
  }

  /// Lets the hub forget old decisions and removed objects.
  func forgetDecisions() {
    let time = now - Int64(random.below(3_000))
    record("the hub forgets decisions from before \(time)")
    for key in hub.forget(before: time) { checker.used.remove(key) }
    checker.horizon = max(checker.horizon, hub.horizon)
  }

  /// Kills the database, which starts again with what was on its disk.
  func crashHub() throws {
    if random.chance(percent: 50) {
      // A device asks after a transaction has aborted.
      hub.end(hub.begin(), commits: false)
      let device = random.pick(devices)
      network.append(Envelope(device: device, message: .want(try device.device.want())))
      try deliver(network.removeLast())
      try deliver(network.removeLast())
    }
    statements = []
    hub.crash()
    record("the database crashes; the next transaction is \(hub.nextTransaction)")
  }

  /// The transactions whose decision a store, a saved store or a message to a store has.
  private var told: Set<TransactionToken> {
    var told: Set<TransactionToken> = []
    for device in devices.map(\.device) + deviceBackups.map(\.device) {
      told.formUnion(device.store.told.map(\.transaction.token))
    }
    for case .cut(let cut, _) in network.map(\.message) {
      told.formUnion(cut.verdicts.map(\.token))
    }
    return told
  }

  /// Saves the hub, or brings its saved state back on a new timeline or on another system.
  func restoreHub() {
    guard let backup = hubBackup, random.chance(percent: 60) else {
      record("save the hub")
      hubBackup = (hub, checker.effects, checker.used)
      return
    }
    let lost = Set(hub.decided.keys).subtracting(backup.hub.decided.keys)
    let nextIDs = hub.nextIDs
    let grants = hub.grants
    let age = hub.age
    hub = backup.hub
    if hub.age < age { hub.upgrade() }
    hub.grants = grants
    hub.sessions = [:]
    checker.effects = backup.effects
    checker.used = backup.used
    checker.lost.formUnion(lost)
    checker.excused.formUnion(lost.intersection(told))
    checker.hasLosses = true
    statements = []
    for transaction in hub.open { hub.end(transaction, commits: false) }
    if !faults.repeatedIDs { hub.nextIDs = nextIDs.map { $0 + 1_000 } }
    if random.chance(percent: 70) {
      timelines += 1
      let old = hub.history.epoch
      hub.history.switches.append(
        HubHistory.Switch(timeline: old.timeline, position: backup.hub.position)
      )
      hub.history.epoch = Epoch(
        system: old.system,
        database: old.database,
        timeline: timelines
      )
      record("the hub is restored on timeline \(timelines)")
    } else {
      systems += 1
      timelines += 1
      hub.history = HubHistory(
        epoch: Epoch(system: systems, database: 1, timeline: timelines)
      )
      hub.log = []
      hub.nextTransaction = 100
      hub.durable = 100
      record("the hub's dump is restored on system \(systems)")
    }
    hubBackup = nil
  }
}
