import ObjectBoxSyncProtocol

/// Removes each rule of the protocol in turn, and expects that the checker notices.
enum Mutations {
  static func run(_ rules: [ProtocolRule], seed: UInt64, schedules: UInt64) -> Int32 {
    #if SYNC_MUTATIONS
      var missed: [String] = []
      for rule in rules {
        ProtocolRule.removed = [rule]
        ProtocolRule.isComplete = false
        var figures = Simulation.Figures()
        var claims: [String: Int] = [:]
        // A rare error needs more schedules.
        while figures.schedules < schedules * 40 {
          if figures.schedules >= schedules, figures.wrong > 0 { break }
          let seed = seed &+ figures.schedules
          figures.schedules += 1
          if let wrong = Simulation.failure(seed: seed, into: &figures) {
            figures.wrong += 1
            claims[wrong.claim, default: 0] += 1
          }
        }
        let claim = claims.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "NOT NOTICED"
        print("\(rule.rawValue): \(figures.wrong) of \(figures.schedules), \(claim)")
        if figures.wrong == 0 { missed.append(rule.rawValue) }
      }
      let count = rules.count
      print(
        "sync mutations: \(count) rules removed, \(count - missed.count) noticed"
          + (missed.isEmpty ? "" : ", not noticed: \(missed.joined(separator: ", "))")
      )
      return missed.isEmpty ? 0 : 1
    #else
      print("error: this build cannot remove rules; compile it with -DSYNC_MUTATIONS")
      return 2
    #endif
  }
}
