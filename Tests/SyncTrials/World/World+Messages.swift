import ObjectBoxSyncProtocol

extension World {
  func deliver(_ envelope: Envelope) throws {
    let device = envelope.device
    record("deliver \(envelope.message.name), device \(device.number)")
    switch envelope.message {
    case .upload(let upload):
      // A crash in the middle of an upload loses the answer.
      let crashes = faults.crashes && random.chance(percent: 5)
      let reply = try hub.receive(
        upload,
        user: device.user,
        device.server,
        now: now - hubDelay(),
        isPartial: faults.partialLoads,
        limit: crashes ? random.below(4) : .max
      ) { [self] decided, hub in
        record("decide \(decided.transaction.sequence): \(decided.verdict)")
        try checker.check(decided, hub, told: device.device.store.told)
      }
      if !crashes { network.append(Envelope(device: device, message: .reply(reply))) }
    case .want(let want):
      answer(
        try hub.receive(
          want,
          user: device.user,
          session: device.number,
          device.shared.parts,
          chunk: 5
        ),
        to: device
      )
    case .digests(let digests):
      if digests.base != nil { try disturbComparison() }
      let limits = resetLimits()
      answer(
        try hub.receive(
          digests,
          user: device.user,
          session: device.number,
          device.shared.parts,
          chunk: 5,
          limits: limits
        ),
        to: device
      )
    case .lend(let lend):
      let lease = Lease(device: lend.device, block: hub.leaseBlock(of: lend.entity))
      network.append(Envelope(device: device, message: .lease(lease)))
    case .reply, .cut, .reset, .refine, .lease:
      // A device that was replaced does not receive any more.
      guard devices.contains(where: { $0 === device }) else { return }
      try receive(envelope.message, on: device)
    }
  }

  /// Returns limits that end comparisons at different steps.
  private func resetLimits() -> ResetBuilder.Limits {
    var limits = ResetBuilder.Limits()
    limits.directCount = random.pick([0, 0, 2, 8])
    limits.rangeCount = random.pick([1, 3, 100, 100])
    limits.cutSize = random.pick([100, 500, 1_000_000, 1_000_000])
    return limits
  }

  /// Lets objects change, the log lose its beginning, or rights change between two steps of a
  /// comparison.
  private func disturbComparison() throws {
    // Most resets come at the end of a schedule, and must end.
    guard disturbances < 4 else { return }
    disturbances += 1
    if random.chance(percent: 60) { try changeObjects() }
    if faults.sweeps, random.chance(percent: 40) {
      record("sweep during a comparison")
      hub.sweep(below: hub.nextTransaction)
    }
    if faults.grants, random.chance(percent: 10) { changeGrants() }
  }

  /// Returns by how much the clock of one of several hubs is behind.
  private func hubDelay() -> Int64 {
    faults.skew ? random.pick([0, 0, 500, 900]) : 0
  }

  private func answer(_ answer: TrialHub.CutAnswer, to device: TrialDevice) {
    let message: Message =
      switch answer {
      case .cut(let cut): .cut(cut, HubState(hub, user: device.user, device.shared))
      case .reset(let reset): .reset(reset)
      case .refine(let refine): .refine(refine)
      case .reply(let reply): .reply(reply)
      }
    network.append(Envelope(device: device, message: message))
  }

  private func receive(_ message: Message, on device: TrialDevice) throws {
    let waiting = device.device.store.queue.map(\.transaction.token)
    let told = device.device.store.told.count
    switch message {
    case .reply(let reply):
      let identity = makeIdentity()
      try device.device.receive(reply, makeIdentity: { identity })
      checker.look(device)
    case .lease(let lease): try device.device.receive(lease)
    case .reset(let reset):
      let size = random.pick([1, 2, 3, 6, 16])
      if let digests = try device.device.receive(reset, size: size) {
        if reset.mayLackCommits(of: digests.want) {
          device.device.store.doubted = Set(device.device.store.told.map(\.transaction.token))
        }
        network.append(Envelope(device: device, message: .digests(digests)))
      }
    case .refine(let refine):
      if let digests = try device.device.receive(refine) {
        network.append(Envelope(device: device, message: .digests(digests)))
      }
    case .cut(let cut, let state):
      let identity = makeIdentity()
      let next = try device.device.want().following(cut)
      // As clients do while more of a first fill follows.
      if let next, random.chance(percent: 30) {
        network.append(Envelope(device: device, message: .want(next)))
      }
      let result = try device.device.receive(cut, makeIdentity: { identity })
      record("device \(device.number): \(result)")
      if result == .taken {
        cuts += 1
        device.device.store.hasLate = device.shared == .second
        if let next, try device.device.want() != next {
          throw Wrong("the request that was sent ahead is not the device's next one")
        }
        try checker.checkCut(cut, state, on: device)
        checker.look(device)
      }
    case .upload, .want, .digests, .lend: return
    }
    try checker.checkQueue(of: device, before: waiting, told: told)
  }
}
