import ObjectBoxSyncProtocol

extension World {
  /// Connects a device with a server, which may have the earlier model.
  ///
  /// Messages that the device has sent are lost. Those to it may be taken later, by a slow thread.
  func logIn(_ device: TrialDevice, isLast: Bool = false) throws {
    let isOld = !isLast && faults.ages && random.chance(percent: 30)
    device.server = isOld ? .first : server.age
    guard faults.ages else { return try device.device.begin(device.shared.parts) }
    let loses = random.chance(percent: 50)
    network.removeAll { $0.device === device && ($0.message.isOfDevice || loses) }
    record("device \(device.number) (\(device.age)) logs in to a server (\(device.server))")
    let cursor = device.device.store.state.cursor
    let sharesLate = device.shared == .second
    if !sharesLate || cursor == nil { device.device.store.hasLate = sharesLate }
    try device.device.begin(device.shared.parts)
    if device.device.store.state.cursor != cursor { gains += 1 }
  }

  /// Updates the program of a device, or a server with the database's schema.
  func update(_ device: TrialDevice) throws {
    if random.chance(percent: 60), device.age == .first {
      record("the program of device \(device.number) is updated")
      device.device.store.upgrade()
      device.device = Device(store: device.device.store, rules: Age.second.rules)
      try device.device.open(Age.second.parts)
      updates += 1
      // It may write before it logs in.
      network.removeAll { $0.device === device }
      for _ in 0..<random.below(4) { try write(on: device) }
      try logIn(device)
    } else if server.age == .first {
      record("the server is updated")
      server.upgrade()
      updates += 1
      for device in devices where random.chance(percent: 50) { try logIn(device) }
    }
  }

  /// Ends the differences between servers, and lets them know what devices do.
  func updateServers() throws {
    guard faults.ages else { return }
    if server.age == .first, devices.contains(where: { $0.age == .second }) { server.upgrade() }
    for device in devices { try logIn(device, isLast: true) }
    if random.chance(percent: 50) { network = [] }
    try deliverAll(limit: 10_000)
  }
}

extension TrialDevice {
  /// The model of which the device and its server both know everything.
  var shared: Age { min(age, server) }
}

extension Message {
  /// True for a message that a device sends.
  fileprivate var isOfDevice: Bool {
    switch self {
    case .upload, .deltaRequest, .digests, .lend: true
    case .reply, .delta, .reset, .refine, .lease: false
    }
  }
}
