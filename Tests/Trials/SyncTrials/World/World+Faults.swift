import ObjectBoxSyncProtocol

extension World {
  /// Saves a device, or brings a saved state back: as a copy beside it, or in its place.
  func fail(_ device: TrialDevice) throws {
    guard faults.copies || faults.restoredDevices else { return }
    if random.chance(percent: 20) {
      // A new identity is right at any time.
      let reply = ServerReply.forked(device.device.store.state.device)
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

  /// Lets the server forget the oldest uploads of a device, confirmed or not.
  func forgetUploads() {
    guard !server.records.isEmpty else { return }
    let device = random.pick(server.records.keys.sorted())
    let last = server.records[device]?.last ?? 0
    let number = UInt64(1 + random.below(Int(last)))
    record("the server forgets uploads up to \(number) of an identity")
    server.forgetUploads(of: device, upTo: number)
  }

  /// Lets the server forget old decisions without effects.
  func forgetIdleDecisions() {
    let time = now - Int64(random.below(3_000))
    record("the server forgets decisions without effects from before \(time)")
    server.forgetIdleDecisions(before: time)
  }

  /// Lets the server forget old decisions and removed objects.
  func forgetDecisions() {
    let time = now - Int64(random.below(3_000))
    record("the server forgets decisions from before \(time)")
    for key in server.forget(before: time) { checker.used.remove(key) }
    checker.retentionLimit = max(checker.retentionLimit, server.retentionLimit)
  }

  /// Kills the database, which starts again with what was on its disk.
  func crashServer() throws {
    if random.chance(percent: 50) {
      // A device asks after a transaction has aborted.
      server.end(server.begin(), commits: false)
      let device = random.pick(devices)
      network.append(
        Envelope(device: device, message: .deltaRequest(try device.device.deltaRequest()))
      )
      try deliver(network.removeLast())
      try deliver(network.removeLast())
    }
    statements = []
    server.crash()
    record("the database crashes; the next transaction is \(server.nextTransaction)")
  }

  /// The transactions whose decision a store, a saved store or a message to a store has.
  private var told: Set<TransactionToken> {
    var told: Set<TransactionToken> = []
    for device in devices.map(\.device) + deviceBackups.map(\.device) {
      told.formUnion(device.store.told.map(\.transaction.token))
    }
    for case .delta(let delta, _) in network.map(\.message) {
      told.formUnion(delta.decisions.map(\.token))
    }
    return told
  }

  /// Saves the server, or brings its saved state back on a new timeline or on another system.
  func restoreServer() {
    guard let backup = serverBackup, random.chance(percent: 60) else {
      record("save the server")
      serverBackup = (server, checker.effects, checker.used)
      return
    }
    let lost = Set(server.decided.keys).subtracting(backup.server.decided.keys)
    let nextIDs = server.nextIDs
    let grants = server.grants
    let age = server.age
    server = backup.server
    if server.age < age { server.upgrade() }
    server.grants = grants
    server.sessions = [:]
    checker.effects = backup.effects
    checker.used = backup.used
    checker.lost.formUnion(lost)
    checker.excused.formUnion(lost.intersection(told))
    checker.hasLosses = true
    statements = []
    for transaction in server.open { server.end(transaction, commits: false) }
    if !faults.repeatedIDs { server.nextIDs = nextIDs.map { $0 + 1_000 } }
    if random.chance(percent: 70) {
      timelines += 1
      let old = server.history.epoch
      server.history.switches.append(
        ServerHistory.Switch(timeline: old.timeline, position: backup.server.position)
      )
      server.history.epoch = Epoch(
        system: old.system,
        database: old.database,
        timeline: timelines
      )
      record("the server is restored on timeline \(timelines)")
    } else {
      systems += 1
      timelines += 1
      server.history = ServerHistory(
        epoch: Epoch(system: systems, database: 1, timeline: timelines)
      )
      server.log = []
      server.nextTransaction = 100
      server.durable = 100
      record("the server's dump is restored on system \(systems)")
    }
    serverBackup = nil
  }
}
