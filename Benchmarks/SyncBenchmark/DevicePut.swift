import ObjectBox
import ObjectBoxSync

/// Puts into a synchronized store and into one that is not, in turn.
struct DevicePut {
  private static let rounds = 9
  private static let singles = 200
  private static let bulk = 10_000

  func run() throws {
    let folders = (try Folder(), try Folder())
    let plain = try Store(directoryPath: folders.0.path, maxDbSizeInKByte: 4 << 20)
    let synced = try Store(directoryPath: folders.1.path, maxDbSizeInKByte: 4 << 20)
    let capture = try SyncedStore(synced)
    for isBulk in [false, true] {
      var ratios: (clock: [Double], time: [Double]) = ([], [])
      var without: (clock: [Double], time: [Double]) = ([], [])
      for round in 0...Self.rounds {
        var results = [(clock: 0.0, time: 0.0), (clock: 0.0, time: 0.0)]
        for turn in 0..<2 {
          let isSynced = (turn + round) % 2 == 1
          let box = (isSynced ? synced : plain).box(for: Item.self)
          let (clock, time) = (Usage.clock, Usage.own)
          if isBulk {
            try box.put((0..<Self.bulk).map { Item(owner: "user 1", number: $0) })
          } else {
            for number in 0..<Self.singles { try box.put(Item(owner: "user 1", number: number)) }
          }
          results[isSynced ? 1 : 0] = (Usage.clock - clock, Usage.own - time)
        }
        if round == 0 { continue }
        ratios.clock.append(results[1].clock / results[0].clock)
        ratios.time.append(results[1].time / results[0].time)
        let count = Double(isBulk ? Self.bulk : Self.singles)
        without.clock.append(results[0].clock * 1e6 / count)
        without.time.append(results[0].time * 1e6 / count)
      }
      let what =
        isBulk
        ? "put of 10,000 with sync beside one without" : "durable put with sync beside one without"
      // A durable put waits for the disk; a bulk for the processor.
      Report.atMost(what, isBulk ? 1.8 : 1.3, (isBulk ? ratios.time : ratios.clock).median)
      Report.line(
        "… by the clock / in processor time",
        "\(Report.short(ratios.clock.median)) / \(Report.short(ratios.time.median))"
      )
      Report.line(
        "… an object without sync",
        "\(Report.short(without.clock.median)) µs / \(Report.short(without.time.median)) µs"
      )
    }
    guard try capture.waitingCount == (Self.rounds + 1) * (Self.singles + 1) else {
      Main.fail("not all puts wait for the server")
    }
  }
}
