import Foundation
import ObjectBoxTestSupport

/// A separate server with a replica, in a temporary folder.
final class ReplicatedServer {
  /// Whether tests can start servers.
  static let canStart: Bool =
    TestServer.isThere && FileManager.default.isExecutableFile(atPath: script)

  private static let script = Repository.root.appending(path: "Scripts/postgres.sh").path

  private let folder: String
  var primary: String { folder + "/primary" }
  var replica: String { folder + "/replica" }

  private init() throws {
    folder = NSTemporaryDirectory() + "replicated-\(UInt32.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Passes a new server to a body, and ends the server afterwards.
  static func run(_ body: (ReplicatedServer) async throws -> Void) async throws {
    let server = try ReplicatedServer()
    let result: Result<Void, any Error>
    do {
      try await server.run("start", server.primary)
      try await server.run("standby", server.replica, server.primary)
      result = .success(try await body(server))
    } catch {
      result = .failure(error)
    }
    for one in [server.replica, server.primary] { try? await server.run("stop", one) }
    try? FileManager.default.removeItem(atPath: server.folder)
    try result.get()
  }

  /// The address of both servers, which selects the primary.
  var address: String {
    "postgresql:///postgres?host=\(primary),\(replica)&user=postgres&target_session_attrs=read-write"
  }

  var addressOfReplica: String { "postgresql:///postgres?host=\(replica)&user=postgres" }

  /// Stops the replica, and keeps its data.
  func haltReplica() async throws { try await run("halt", replica) }

  func resumeReplica() async throws { try await run("resume", replica) }

  private func run(_ arguments: String...) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.runBlocking(arguments) })
      }
    }
  }

  private struct Failure: Error {
    let arguments: [String]
    let output: String
  }

  private static func runBlocking(_ arguments: [String]) throws {
    // Tasks' threads block signals, and child processes inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let log = NSTemporaryDirectory() + "replicated-\(UInt32.random(in: 0 ..< .max)).log"
    defer { try? FileManager.default.removeItem(atPath: log) }
    let words = ([script] + arguments).map { "'\($0)'" }.joined(separator: " ")
    // Foundation's Process would also wait for servers that the command starts.
    let status = popen("\(words) >'\(log)' 2>&1", "r").map { pclose($0) }
    guard status == 0 else {
      let output = try? String(contentsOfFile: log, encoding: .utf8)
      throw Failure(arguments: arguments, output: output ?? "")
    }
  }
}
