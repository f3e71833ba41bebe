import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSyncServer

/// A server of the trial; it ends by a kill.
enum Server {
  /// The number of cells; the last two are stamped `end` when the trial is over.
  static let cellCount = 10

  private static func cluster(_ address: String) async throws -> Cluster {
    var configuration = Cluster.Configuration(address)
    configuration.connectTimeout = .seconds(2)
    configuration.silenceLimit = .seconds(5)
    return try await Cluster(configuration: configuration)
  }

  /// Makes the tables and the cells.
  static func prepare(_ address: String) async throws {
    let cluster = try await cluster(address)
    try await cluster.box(for: Cell.self).put(
      (1...cellCount).map { Cell(id: 0, number: $0, stamp: "start") }
    )
    await cluster.close()
  }

  /// Serves devices for ever; the user is the team, without a secret.
  static func serve(_ address: String, host: String, port: Int) async throws {
    // The database may be away: a server that cannot start tries again, as a supervisor would.
    while true {
      do {
        let server = SyncServer(
          cluster: try await cluster(address),
          listen: .init(host: host, port: port),
          authenticate: .password { name, _ in SyncUser(id: name) }
        ) {
          rule(Entry.self) { user in Entry.team == user.id }
          write(Entry.self) { user in Entry.team == user.id }
          rule(Cell.self)
          write(Cell.self)
        }
        try await server.run()
      } catch {
        FileHandle.standardError.write(Data("server \(host):\(port): \(error)\n".utf8))
        try await Task.sleep(for: .milliseconds(500))
      }
    }
  }
}
