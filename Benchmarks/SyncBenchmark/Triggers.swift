import ObjectBox
import ObjectBoxCluster
import ObjectBoxSyncServer

/// Puts of a synchronized and of another entity, in turn: the server's processor time.
struct Triggers {
  private let database: Database
  /// The processes of the only connection.
  private var processes: [Int32] = []

  init(_ database: Database) { self.database = database }

  mutating func run() async throws {
    let cluster = try await database.cluster(connections: 1)
    // Adds the triggers.
    let running = try await database.server(of: cluster).start()
    await running.stop()
    // The pool may have opened another connection when the server ended.
    try await put(1, 1, cluster) { Plain(owner: "user 1", number: $0) }
    processes = try database.serverProcesses()
    // Short turns: what else runs on the machine changes the times of both sides alike.
    let puts = [(1, 20, 200, 1.5), (1_000, 2, 36, 1.25), (10_000, 1, 27, 1.6)]
    for (count, times, rounds, limit) in puts {
      var ratios: [Double] = []
      var without: [Double] = []
      for round in 0...rounds {
        var plain = 0.0
        var synced = 0.0
        for turn in 0..<2 {
          if (turn + round) % 2 == 0 {
            plain = try await time {
              try await put(count, times, cluster) { Plain(owner: "user \($0 % 100)", number: $0) }
            }
          } else {
            synced = try await time {
              try await put(count, times, cluster) { Item(owner: "user \($0 % 100)", number: $0) }
            }
          }
        }
        // The first round only warms up.
        if round == 0 { continue }
        guard plain > 0 else { Main.fail("the server's processes for the puts were not found") }
        ratios.append(synced / plain)
        without.append(plain / Double(count * times))
      }
      let what =
        count == 1 ? "put of one object" : count < 2_000 ? "put of 1,000" : "put of 10,000 by COPY"
      Report.atMost(
        "triggers: \(what), server's processor time to that without",
        limit,
        ratios.median
      )
      Report.line("… without, an object", "\(Report.short(without.median / 1_000)) µs")
    }
  }

  private func put<E>(
    _ count: Int,
    _ times: Int,
    _ cluster: Cluster,
    _ make: (Int) -> E
  ) async throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let box = cluster.box(for: E.self)
    for time in 0..<times {
      let objects = (0..<count).map { make(time * count + $0) }
      if let one = objects.first, count == 1 {
        try await box.put(one)
      } else {
        try await box.put(objects)
      }
    }
  }

  private func time(_ body: () async throws -> Void) async throws -> Double {
    let before = processes.map(Usage.nanoseconds)
    try await body()
    // The system adds up a process's time when it begins to wait, after its answer.
    try await Task.sleep(for: .milliseconds(1))
    let after = processes.map(Usage.nanoseconds)
    return zip(before, after).reduce(0) { $0 + Double($1.1 - $1.0) }
  }
}
