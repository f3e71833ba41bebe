import ObjectBoxSyncProtocol

extension World {
  func deliver(_ envelope: Envelope) throws {
    let device = envelope.device
    record("deliver \(envelope.message.name), device \(device.number)")
    switch envelope.message {
    case .upload(let upload):
      // A crash in the middle of an upload loses the answer.
      let crashes = faults.crashes && random.chance(percent: 5)
      let reply = try server.receive(
        upload,
        user: device.user,
        device.server,
        now: now - serverDelay(),
        isPartial: faults.partialLoads,
        limit: crashes ? random.below(4) : .max
      ) { [self] decided, server in
        record("decide \(decided.transaction.sequence): \(decided.decision)")
        try checker.check(decided, server, told: device.device.store.told)
      }
      if !crashes { network.append(Envelope(device: device, message: .reply(reply))) }
    case .deltaRequest(let deltaRequest):
      if faults.resets { shortenLog() }
      answer(
        try server.receive(
          deltaRequest,
          user: device.user,
          session: device.number,
          device.shared.parts,
          chunk: 5,
          changes: faults.changeLimit
        ),
        to: device
      )
    case .digests(let digests):
      if digests.base != nil {
        try disturbComparison(of: device)
      } else if serverBackup != nil {
        // The backup may lack what the reset, or an earlier delta, has told the device.
        restoreServer()
      }
      let limits = resetLimits()
      answer(
        try server.receive(
          digests,
          user: device.user,
          session: device.number,
          device.shared.parts,
          chunk: random.pick([1, 1, 1, 5]),
          changes: faults.changeLimit,
          limits: limits
        ),
        to: device
      )
    case .lend(let lend):
      let lease = Lease(device: lend.device, block: server.leaseBlock(of: lend.entity))
      network.append(Envelope(device: device, message: .lease(lease)))
    case .reply, .delta, .reset, .refine, .lease:
      // A device that was replaced does not receive any more.
      guard devices.contains(where: { $0 === device }) else { return }
      try receive(envelope.message, on: device)
    }
  }

  /// Returns limits that end comparisons at different steps, with or without staged parts.
  private func resetLimits() -> ResetBuilder.Limits {
    var limits = ResetBuilder.Limits()
    limits.directCount = random.pick([0, 0, 2, 8])
    limits.partSize = random.pick([1, 1, 100, 500, 1_000_000])
    return limits
  }

  /// Lets objects change, the log lose its beginning, rights change, or a backup of the server come back
  /// while digests travel.
  private func disturbComparison(of device: TrialDevice) throws {
    // Most resets come at the end of a schedule, and must end.
    guard disturbances < 10 else { return }
    disturbances += 1
    // A backup that has the base of the comparison, but no later part.
    if random.chance(percent: 60) {
      if random.chance(percent: 40) { serverBackup = nil }
      if faults.restoredServers { restoreServer() }
    }
    if random.chance(percent: 70) { try changeObjects() }
    if faults.sweeps, random.chance(percent: 30) {
      record("sweep during a comparison")
      server.sweep(below: server.nextTransaction)
    }
    if faults.network, random.chance(percent: 30) {
      // A second comparison beside this one.
      network.append(
        Envelope(device: device, message: .deltaRequest(try device.device.deltaRequest()))
      )
    }
    if faults.grants { suspendScopes(of: device.user) }
  }

  /// Lets the log lose its beginning before a request, and saves the server, as its backup may come back
  /// while the request is answered.
  private func shortenLog() {
    guard disturbances < 10, random.chance(percent: 30) else { return }
    if serverBackup == nil, random.chance(percent: 50) { restoreServer() }
    record("sweep before a request")
    server.sweep(below: server.nextTransaction)
  }

  /// Takes a right from a user, or gives it back.
  private func suspendScopes(of user: Int) {
    if let suspended {
      server.grants[suspended.user] = suspended.owners
      record("user \(suspended.user) may see \(suspended.owners.sorted()) again")
      self.suspended = nil
    } else if random.chance(percent: 80) {
      let owners = server.grants[user]
      suspended = (user, owners)
      setGrants(of: user, to: random.sample(owners, count: owners.count - 1))
    }
  }

  /// Returns by how much the clock of one of several servers is behind.
  private func serverDelay() -> Int64 {
    faults.skew ? random.pick([0, 0, 500, 900]) : 0
  }

  private func answer(_ answer: TrialServer.DeltaAnswer, to device: TrialDevice) {
    if case .refine = answer {
      let granted = checker.scopes(ServerState(server, user: device.user, device.shared))
      let had = device.device.store.state.scopes.elements.map(\.scope)
      lostScopes[device.user, default: []].formUnion(had.filter { !granted.contains($0) })
    }
    let message: Message =
      switch answer {
      case .delta(let delta): .delta(delta, ServerState(server, user: device.user, device.shared))
      case .reset(let reset): .reset(reset)
      case .refine(let refine): .refine(refine)
      case .reply(let reply): .reply(reply)
      }
    network.append(Envelope(device: device, message: message))
  }

  private func receive(_ message: Message, on device: TrialDevice) throws {
    let waiting = device.device.store.queue.map(\.transaction.token)
    let told = device.device.store.told.count
    let before = device.device.store
    var isTaken = false
    switch message {
    case .reply(let reply):
      let identity = makeIdentity()
      try device.device.receive(reply, makeIdentity: { identity })
      checker.look(device)
    case .lease(let lease): try device.device.receive(lease)
    case .reset(let reset):
      let size = random.pick([1, 2, 3, 6, 16])
      if let digests = try device.device.receive(reset, size: size) {
        if reset.mayLackCommits(of: digests.deltaRequest) {
          device.device.store.doubted = Set(device.device.store.told.map(\.transaction.token))
        }
        network.append(Envelope(device: device, message: .digests(digests)))
      }
    case .refine(let refine):
      try device.device.stagingArea(refine)
      if let digests = try device.device.receive(refine) {
        network.append(Envelope(device: device, message: .digests(digests)))
      }
    case .delta(let delta, let state):
      let identity = makeIdentity()
      let next = try device.device.deltaRequest().following(delta)
      // As clients do while more of a first fill follows.
      if let next, random.chance(percent: 30) {
        network.append(Envelope(device: device, message: .deltaRequest(next)))
      }
      let result = try device.device.receive(delta, makeIdentity: { identity })
      record("device \(device.number): \(result)")
      if result == .taken {
        deltas += 1
        isTaken = true
        if delta.stagingArea != 0 { stagedDeltas += 1 }
        try checker.checkProgress(
          delta,
          before.state.scopes,
          lost: lostScopes[device.user, default: []]
        )
        device.device.store.hasLate = device.shared == .second
        if let next, try device.device.deltaRequest() != next {
          throw Wrong("the request that was sent ahead is not the device's next one")
        }
        try checker.checkDelta(delta, state, on: device)
        checker.look(device)
      }
    case .upload, .deltaRequest, .digests, .lend: return
    }
    if !isTaken { try checker.checkUnchanged(device, before) }
    try checker.checkQueue(of: device, before: waiting, told: told)
  }
}
