import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSyncProtocol
import ObjectBoxSyncServer

/// A delta of 50 changes among many, while an old transaction is open.
struct DeltaMeasurement {
  private let database: Database
  private static let changes = 50
  private static let rounds = 101

  init(_ database: Database) { self.database = database }

  func run() async throws {
    let count = Main.number("COUNT", 1_000_000)
    let server = try await SyncedServer(database)
    let old = try PlainSession(database)
    // With a number of its own.
    try old.run("BEGIN; DO $$ BEGIN PERFORM pg_current_xact_id(); END $$")
    let writer = try PlainSession(database)
    Report.note("delta: \(count) changes, while a transaction is open")
    try database.sql(
      """
      DO $$ BEGIN
        FOR i IN 0..\(count / Self.changes - 1) LOOP
          INSERT INTO @"Item" (id, owner, title, count, price)
          SELECT n, 'user ' || i % 1000, 'item ' || n, n, 0
          FROM generate_series(i * \(Self.changes) + 1, (i + 1) * \(Self.changes)) AS n;
          COMMIT;
        END LOOP;
      END $$
      """
    )
    try database.sql("VACUUM ANALYZE @\"Item\"")
    for isOpen in [true, false] {
      if !isOpen { try old.end() }
      var cursor = try await server.cursor()
      var walls: [Double] = []
      var owns: [Double] = []
      let processes = try database.serverProcesses()
      var before: [Int] = []
      for round in -20..<Self.rounds {
        try writer.run(
          "UPDATE @\"Item\" SET count = count + 1 WHERE id BETWEEN \(5_000 + (round + 20) * 50) AND \(5_049 + (round + 20) * 50)"
        )
        if round == 0 { before = processes.map(Usage.nanoseconds) }
        let own = Usage.own
        let start = Usage.clock
        let delta = try await server.delta(since: cursor)
        if round >= 0 {
          walls.append((Usage.clock - start) * 1_000)
          owns.append((Usage.own - own) * 1_000)
        }
        guard delta.rows.count == Self.changes else {
          Main.fail("a delta has \(delta.rows.count) rows instead of \(Self.changes)")
        }
        cursor = delta.cursor
      }
      let server = zip(before, processes.map(Usage.nanoseconds)).reduce(0.0) {
        $0 + Double($1.1 - $1.0)
      }
      let what = "delta of 50 among \(count)\(isOpen ? ", an older transaction is open" : "")"
      Report.atMost(what, 1, walls.median, " ms")
      Report.line("… processor time of this program", "\(Report.short(owns.median)) ms")
      Report.line(
        "… processor time of the database a delta",
        "\(Report.short(server / 1e6 / Double(Self.rounds))) ms"
      )
    }
  }
}

/// A server with the delta reading of one device that sees all objects.
struct SyncedServer {
  let cluster: Cluster
  let server: ServerLog
  let deltas: DeltaReading
  let entity: EntityUID
  let owner: PropertyUID
  /// All objects.
  let scope: Scope
  let state = StateKey(device: DeviceIdentity(Identifier128(high: 1, low: 1)), edition: 0)

  init(_ database: Database) async throws {
    cluster = try await database.cluster()
    let running = try await database.server(of: cluster).start()
    await running.stop()
    server = try await ServerLogSchema(cluster).run()
    deltas = DeltaReading(server)
    (entity, owner) = try Self.uids(cluster)
    scope = Scope(entity: entity)
  }

  /// The UIDs of the synchronized entity and of its owner.
  private static func uids(_ cluster: Cluster) throws -> (EntityUID, PropertyUID) {
    for entity in cluster.tables.model.entities where entity.name == "Item" {
      for property in entity.properties where property.name == "owner" {
        return (EntityUID(entity.identity.uid), PropertyUID(property.identity.uid))
      }
    }
    Main.fail("the model lacks 'Item.owner'")
  }

  /// The objects of an owner.
  func scope(of owner: String) -> Scope {
    Scope(entity: entity, property: self.owner, value: .bytes(Array(owner.utf8)))
  }

  /// A cursor of the present state.
  func cursor() async throws -> Cursor {
    let deltaRequest = DeltaRequest(
      state: state,
      cursor: nil,
      scopes: ScopeProgress(),
      confirmed: 0
    )
    return try await read(deltaRequest, granted: []).cursor
  }

  func delta(since cursor: Cursor) async throws -> Delta {
    var versions = ScopeProgress()
    versions[scope] = .complete
    return try await read(
      DeltaRequest(state: state, cursor: cursor, scopes: versions, confirmed: 0),
      granted: [scope]
    )
  }

  private func read(_ deltaRequest: DeltaRequest, granted: [Scope]) async throws -> Delta {
    guard case .delta(let delta) = try await deltas.read(deltaRequest, granted: granted) else {
      Main.fail("the server did not answer with a delta")
    }
    return delta
  }
}

/// A session of `psql` that is kept, for plain SQL beside what is measured.
///
/// The start of a program would leave the processors' caches without the code and the data of the
/// server: a delta took 0.9 ms after it in place of 0.6 ms.
final class PlainSession {
  private let database: Database
  private let session = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ database: Database) throws {
    self.database = database
    session.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    session.arguments = ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", database.address]
    session.standardInput = input
    session.standardOutput = output
    try session.run()
  }

  /// Runs SQL in which `@` stands for the schema, and waits for its end; its output must be empty.
  func run(_ text: String) throws {
    try input.fileHandleForWriting.write(
      contentsOf: Data((database.complete(text) + ";\n\\echo\n").utf8)
    )
    guard output.fileHandleForReading.availableData == Data("\n".utf8) else {
      Main.fail("a statement of plain SQL failed")
    }
  }

  func end() throws {
    try input.fileHandleForWriting.close()
    session.waitUntilExit()
  }
}
