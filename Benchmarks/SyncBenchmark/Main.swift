import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSyncServer

/// Measures synchronization for Benchmarks/sync.sh: a program that also runs itself as server and as device.
@main
enum Main {
  static let usage = """
    usage: SyncBenchmark ADDRESS ROW
      ROW: triggers, failures, delta, latency, matching, push, fill, reset, put, idle
    environment: COUNT, objects of the rows delta, fill and reset (1,000,000); DEVICES, idle devices (1,000)
    """

  static func main() async {
    do {
      try await run()
    } catch {
      fail("\(error)")
    }
  }

  private static func run() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { fail(usage) }
    let database = Database(
      address: words[0],
      schema: "bench \(ProcessInfo.processInfo.processIdentifier)"
    )
    switch words[1] {
    case "triggers":
      var triggers = Triggers(database)
      try await triggers.run()
    case "failures": try await Failures(database).run()
    case "delta": try await DeltaMeasurement(database).run()
    case "latency": try await Latency(database).run()
    case "matching": try Matching().run()
    case "push": try await Push(database).run()
    case "fill": try await Fill(database).run()
    case "reset": try await LostCursor(database).run()
    case "put": try DevicePut().run()
    case "idle": try await Idle(database).run()
    // Started by other rows.
    case "serve": try await serve(Database(address: words[0], schema: words[2]))
    case "device": try await Device.run(url: words[0], user: words[2])
    case "devices": try await Follower.idle(url: words[0], count: Int(words[2]) ?? 0)
    case "followers" where words.count > 3:
      try await Follower.receive(
        url: words[0],
        count: Int(words[2]) ?? 0,
        objects: Int(words[3]) ?? 0
      )
    default: fail(usage)
    }
  }

  private static func serve(_ database: Database) async throws {
    let running = try await database.server(of: try await database.cluster()).start()
    Report.say("\(running.port)")
    await Child.waitForParent()
    await running.stop()
  }

  static func number(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}

/// A schema of the server, which is made for one row.
struct Database {
  let address: String
  let schema: String

  func cluster(connections: Int = 10) async throws -> Cluster {
    var configuration = Cluster.Configuration(address)
    configuration.schema = schema
    configuration.connectionLimit = connections
    return try await Cluster(configuration: configuration)
  }

  func server(of cluster: Cluster) -> SyncServer {
    var limits = SyncServer.Limits()
    limits.connectionsByUser = 1_000
    return SyncServer(
      cluster: cluster,
      listen: .init(port: 0),
      authenticate: .password { name, _ in SyncUser(id: name) },
      limits: limits
    ) {
      rule(Item.self) { user in Item.owner == user.id }
      write(Item.self) { user in Item.owner == user.id }
    }
  }

  /// Returns SQL in which `@` stood for the schema.
  func complete(_ text: String) -> String { text.replacing("@", with: "\"\(schema)\".") }

  /// Runs SQL in which `@` stands for the schema, and returns the lines of its output.
  @discardableResult func sql(_ text: String, at address: String? = nil) throws -> [String] {
    let output = try Child.output(
      of: "psql",
      ["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", address ?? self.address, "-c", complete(text)]
    )
    return output.split(separator: "\n").map(String.init)
  }

  /// Inserts objects as plain SQL does.
  func fill(_ count: Int, of owner: String, into table: String = "Item") throws {
    try sql(
      """
      INSERT INTO @"\(table)" (id, owner, title, count, price)
      SELECT i, '\(owner)', 'item ' || i, i, i / 4.0 FROM generate_series(1, \(count)) AS i
      """
    )
    try sql("ANALYZE @\"\(table)\"")
  }

  /// The server's processes for this program's connections.
  func serverProcesses() throws -> [Int32] {
    try sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'ObjectBox'")
      .compactMap { Int32($0) }
  }

  /// The processor time of the server's processes for this program's connections, in nanoseconds.
  func serverTime() throws -> [Int32: Int] {
    Dictionary(uniqueKeysWithValues: try serverProcesses().map { ($0, Usage.nanoseconds(of: $0)) })
  }
}
