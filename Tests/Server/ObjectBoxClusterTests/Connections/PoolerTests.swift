import Foundation
import Testing

@testable import ObjectBoxCluster

/// Clusters behind PgBouncer, if it is installed.
@Suite(
  .enabled(
    if: ServerPlace.socketFolder != nil && Pooler.program != nil,
    "PgBouncer is not installed; install it with 'apt-get install pgbouncer'"
  ),
  .serialized
)
struct PoolerTests {
  @Test func `transactions work through a pooler in session mode`() async throws {
    let pooler = try Pooler(mode: "session")
    defer { pooler.stop() }
    let accounts = try await AccountTable { $0.address = pooler.address }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          try await accounts.cluster.write { transaction in
            let id = Int64(number % 4 + 1)
            _ = try await transaction.value(accounts.balance(id))
            try await transaction.send(accounts.add(1, to: id))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await accounts.value(accounts.sum) == 440)
    await accounts.cluster.close()
  }

  @Test func `a pooler in transaction mode is refused, and the error says what to do`() async throws
  {
    let pooler = try Pooler(mode: "transaction")
    defer { pooler.stop() }
    let error = await #expect(throws: ClusterError.self) {
      _ = try await AccountTable { $0.address = pooler.address }
    }
    guard case .connectionNotKept(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("pool_mode = session"))
  }
}

/// A running PgBouncer in front of the tests' server.
struct Pooler {
  static let program = ["/usr/sbin/pgbouncer", "/opt/homebrew/bin/pgbouncer", "/usr/bin/pgbouncer"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  let address: String
  private let folder: URL
  private let process: Process

  init(mode: String) throws {
    folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(
      path: "pooler-\(UInt32.random(in: 0 ..< .max))"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let settings = """
      [databases]
      postgres = host=\(ServerPlace.socketFolder ?? "") user=postgres
      [pgbouncer]
      listen_addr =
      unix_socket_dir = \(folder.path)
      listen_port = 6432
      auth_type = any
      pool_mode = \(mode)
      default_pool_size = 20
      """
    let file = folder.appending(path: "pgbouncer.ini")
    try settings.write(to: file, atomically: true, encoding: .utf8)
    process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program ?? "")
    process.arguments = [file.path]
    if getuid() == 0 {
      // PgBouncer does not run as root.
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
      process.arguments = ["-u", "postgres", file.path]
    }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    address = "postgresql:///postgres?host=\(folder.path)&port=6432&user=postgres"
    while process.isRunning,
      !FileManager.default.fileExists(atPath: folder.path + "/.s.PGSQL.6432")
    {
      sched_yield()
    }
  }

  func stop() {
    // Tasks' threads block other signals, and child processes inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
