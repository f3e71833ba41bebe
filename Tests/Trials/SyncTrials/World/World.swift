import ObjectBoxSyncProtocol

/// One schedule: a server, devices and a network, moved by a seeded generator.
final class World {
  var random: Randoms
  let faults: Faults
  var server = TrialServer()
  var devices: [TrialDevice] = []
  var network: [Envelope] = []
  var checker = Checker()
  var now: Int64 = 10_000
  /// Plain SQL transactions in progress.
  var statements: [Statement] = []
  var deviceBackups: [(source: TrialDevice, device: Device<TrialStore>)] = []
  var serverBackup: (server: TrialServer, effects: [TransactionToken: Int], used: Set<ObjectKey>)?
  var values: Int64 = 0
  var timelines: UInt32 = 1
  var systems: UInt64 = 1
  var deltas = 0
  /// The deltas of resets with staged parts.
  var stagedDeltas = 0
  /// A user who has lost a right for a while, and the rights before.
  var suspended: (user: Int, owners: [Int64])?
  /// The scopes that each user lacked at a step of a comparison, though the device had them.
  var lostScopes: [Int: Set<Scope>] = [:]
  /// The comparisons that something changed in the middle of.
  var disturbances = 0
  /// Updates of programs and servers.
  var updates = 0
  /// Logins that found values missing on the device.
  var gains = 0
  /// The steps of the schedule, if they are recorded.
  private(set) var trace: [String] = []
  private let isTraced: Bool
  private var numbers = 0

  init(seed: UInt64, isTraced: Bool) throws {
    random = Randoms(seed: seed)
    faults = Faults(&random)
    server.hasLinks = faults.links
    self.isTraced = isTraced
    server.deleteRule = faults.deleteRule
    for _ in 0..<2 {
      server.grants.append(random.sample(TrialModel.owners, count: 1 + random.below(2)))
    }
    if faults.ages, random.chance(percent: 50) { server.upgrade() }
    for _ in 0..<2 + random.below(2) {
      let age = faults.ages && random.chance(percent: 50) ? Age.second : .first
      var device = Device(store: TrialStore(device: makeIdentity(), age), rules: age.rules)
      try device.open(age.parts)
      for entity in min(age, server.age).entities where random.chance(percent: 60) {
        try device.receive(
          Lease(device: device.store.state.device, block: server.leaseBlock(of: entity))
        )
      }
      device.digestLimit = random.pick([1, 3, 1 << 16, 1 << 16])
      let skew: Int64 = faults.skew ? random.pick([0, 5_000, 5_000, -5_000, 100]) : 0
      try logIn(add(device, user: random.below(2), skew: skew))
    }
  }

  /// Runs the schedule to its end, and checks everything.
  func run() throws {
    for _ in 0..<20 + random.below(120) { try step() }
    try settle()
    try checker.checkEnd(self)
  }

  func record(_ step: @autoclosure () -> String) {
    if isTraced { trace.append(brief(step())) }
  }

  func makeBits() -> Identifier128 {
    Identifier128(high: random.next(), low: random.next())
  }

  func makeIdentity() -> DeviceIdentity {
    DeviceIdentity(makeBits())
  }

  func makeValue() -> PropertyValue {
    values += 1
    return TrialValue.make(values)
  }

  @discardableResult func add(
    _ device: Device<TrialStore>,
    user: Int,
    skew: Int64
  ) -> TrialDevice {
    numbers += 1
    let added = TrialDevice(number: numbers, user: user, skew: skew, device: device)
    devices.append(added)
    return added
  }

  private func step() throws {
    now += Int64(1 + random.below(50))
    let device = random.pick(devices)
    switch random.below(100) {
    case 0..<30: try write(on: device)
    case 30..<45: try send(from: device)
    case 45..<50:
      let entity = random.pick(min(device.age, device.server).entities)
      let lend = Lend(device: device.device.store.state.device, entity: entity)
      network.append(Envelope(device: device, message: .lend(lend)))
    case 50..<80: try deliverSome()
    case 80..<84: try disturbNetwork(of: device)
    case 84:
      if faults.sweeps {
        record("sweep")
        server.sweep(below: server.nextTransaction)
      }
    case 85..<89:
      if faults.ages, random.chance(percent: 60) { try update(device) } else { try fail(device) }
    case 89..<94: if faults.sql { try runStatement() }
    case 94: if faults.crashes { try crashServer() }
    case 95: if faults.grants { changeGrants() }
    case 96:
      if faults.retentionLimits, random.chance(percent: 50) {
        forgetDecisions()
      } else if faults.sweeps, random.chance(percent: 50) {
        if random.chance(percent: 30) { forgetIdleDecisions() } else { forgetUploads() }
      } else if faults.sweeps {
        let first = server.log.first?.transaction ?? server.nextTransaction
        let number = first + UInt64(random.below(Int(server.nextTransaction - first) + 1))
        record("sweep below \(number)")
        server.sweep(below: number)
      }
    default: if faults.restoredServers { restoreServer() }
    }
  }

  private func send(from device: TrialDevice) throws {
    if device.device.store.waitingCount > 0, random.chance(percent: 60) {
      // Sometimes the transactions before are under way.
      let first = faults.network && random.chance(percent: 25) ? 1 + random.below(2) : 0
      let upload = try device.device.upload(from: first, limit: 4)
      network.append(Envelope(device: device, message: .upload(upload)))
    } else {
      network.append(
        Envelope(device: device, message: .deltaRequest(try device.device.deltaRequest()))
      )
    }
  }

  private func deliverSome() throws {
    guard !network.isEmpty else { return }
    let reorders = faults.network && random.chance(percent: 50)
    let index = reorders ? random.below(network.count) : 0
    let envelope = network[index]
    if !faults.network || random.chance(percent: 90) { network.remove(at: index) }
    try deliver(envelope)
  }

  private func disturbNetwork(of device: TrialDevice) throws {
    if faults.ages, random.chance(percent: 30) { return try logIn(device) }
    guard faults.network, !network.isEmpty else { return }
    if random.chance(percent: 60) {
      let lost = network.remove(at: random.below(network.count))
      record("device \(lost.device.number) loses \(lost.message.name)")
    } else {
      record("device \(device.number) loses its connection")
      network.removeAll { $0.device === device }
      server.sessions[device.number] = nil
    }
  }

  func changeGrants() {
    let user = random.below(server.grants.count)
    setGrants(of: user, to: random.sample(TrialModel.owners, count: 1 + random.below(3)))
  }

  func setGrants(of user: Int, to owners: [Int64]) {
    server.grants[user] = owners
    record("user \(user) may see \(owners.sorted())")
  }

  /// Ends all faults, and exchanges messages until every device has everything.
  private func settle() throws {
    if random.chance(percent: 50) { network = [] }
    record("end of faults")
    try deliverAll(limit: 10_000)
    for statement in statements { server.end(statement.transaction, commits: false) }
    statements = []
    try updateServers()
    for _ in 0..<80 {
      for device in devices {
        let upload = try device.device.upload(limit: 4)
        if !upload.transactions.isEmpty {
          network.append(Envelope(device: device, message: .upload(upload)))
          try deliverAll(limit: 50)
        }
        network.append(
          Envelope(device: device, message: .deltaRequest(try device.device.deltaRequest()))
        )
        // A comparison can have many steps.
        try deliverAll(limit: 1_000)
      }
      if devices.allSatisfy(isSettled) { return }
    }
    throw Wrong("a queue or a download does not end")
  }

  func deliverAll(limit: Int) throws {
    var count = 0
    while !network.isEmpty {
      count += 1
      guard count < limit else { throw Wrong("messages do not end") }
      try deliver(network.removeFirst())
    }
  }

  private func isSettled(_ device: TrialDevice) -> Bool {
    let state = device.device.store.state
    let granted = checker.scopes(of: device.user, server, min(device.age, server.age))
    return device.device.store.waitingCount == 0 && state.cursor?.snapshot == server.cursor.snapshot
      && state.cursor?.epoch == server.history.epoch && state.scopes.isComplete
      && Set(state.scopes.elements.map(\.scope)) == granted
  }
}
