/// The kinds of faults in one schedule; each kind is in a part of all schedules.
struct Faults {
  let copies: Bool
  let restoredDevices: Bool
  let restoredServers: Bool
  let sweeps: Bool
  let grants: Bool
  let sql: Bool
  let skew: Bool
  let network: Bool
  let crashes: Bool
  /// The server loads rows as from a database, only those that a decision needs.
  let partialLoads: Bool
  /// The server forgets decisions and removed objects.
  let retentionLimits: Bool
  /// The rules of users follow relations.
  let links: Bool
  /// IDs continue where a restored server was, so that leases repeat.
  let repeatedIDs: Bool
  /// Devices and servers have models of different age, and are updated.
  let ages: Bool
  /// The log is short, so that most requests are answered by resets, which rights and backups disturb.
  let resets: Bool
  let deleteRule: DeleteRule
  /// The changes of a delta at the most: more of them come in parts.
  let changeLimit: Int

  init(_ random: inout Randoms) {
    resets = random.chance(percent: 20)
    copies = random.chance(percent: 40)
    restoredDevices = random.chance(percent: 40)
    restoredServers = random.chance(percent: 40) || resets
    sweeps = random.chance(percent: 50) || resets
    grants = random.chance(percent: 50) || resets
    sql = random.chance(percent: 50)
    skew = random.chance(percent: 50)
    network = random.chance(percent: 75)
    crashes = random.chance(percent: 50)
    partialLoads = random.chance(percent: 25)
    retentionLimits = sweeps && random.chance(percent: 30)
    repeatedIDs = random.chance(percent: 30)
    links = random.chance(percent: 40)
    ages = random.chance(percent: 25)
    changeLimit = random.chance(percent: 30) ? random.pick([1, 3, 10]) : .max
    deleteRule = random.chance(percent: 30) ? random.pick([.cascade, .restrict]) : .nullify
  }
}
