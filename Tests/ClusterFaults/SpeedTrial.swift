import Foundation
import ObjectBoxCluster

/// Measures reads by ID at one and at eight connections.
enum SpeedTrial {
  static func run(address: String) async throws -> Bool {
    var configuration = Cluster.Configuration(address)
    configuration.schema = "speed"
    configuration.connectionLimit = 8
    let cluster = try await Cluster(configuration: configuration)
    let table = cluster.tableName(of: "Account")
    _ = try await cluster.run("TRUNCATE \(table)")
    _ = try await cluster.run(
      "INSERT INTO \(table) (id, balance, stamp) SELECT i, i, i FROM generate_series(1, $1) i",
      [1_000]
    )
    let get = "SELECT id, balance, stamp FROM \(table) WHERE id = $1"
    for clients in [1, 8] {
      let times = try await withThrowingTaskGroup(of: [UInt64].self) { group in
        for client in 0..<clients {
          group.addTask {
            var times: [UInt64] = []
            for number in 0..<20_000 / clients {
              let begin = DispatchTime.now().uptimeNanoseconds
              _ = try await cluster.run(get, [Int64((number * 7 + client) % 1_000 + 1)])
              times.append(DispatchTime.now().uptimeNanoseconds - begin)
            }
            return times
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }.sorted()
      }
      let begin = times.reduce(0, +)
      print(
        "\(clients) clients: median \(Double(times[times.count / 2]) / 1_000) µs,"
          + " \(Int(Double(times.count * clients) / (Double(begin) / 1e9))) a second"
      )
    }
    return true
  }
}
