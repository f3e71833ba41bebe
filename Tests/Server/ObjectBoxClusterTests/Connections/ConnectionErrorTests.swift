import Foundation
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: ServerPlace.socketPath != nil, TestServer.reason), .onServer)
struct ConnectionErrorTests {
  private func error(opening address: String) async -> ClusterError? {
    var configuration = Cluster.Configuration(address)
    configuration.schema = TestServer.newSchema()
    return await #expect(throws: ClusterError.self) {
      _ = try await Cluster(configuration: configuration)
    }
  }

  private func name(_ error: ClusterError?) -> String {
    error.map { String($0.description.prefix { $0 != ":" }) } ?? "none"
  }

  private var folder: String { ServerPlace.socketFolder ?? "" }

  @Test(arguments: [
    "postgresql://secret:se%zzcret@db1/app", "postgresql://user:secret@[::1/app",
    "postgresql://user:sec\"ret@host:1/db?nonsense", "host=db password='secret", "secret",
    "postgresql://user:my@secret@host/db",
  ])
  func `an address that cannot be read is refused without its password`(address: String) async {
    let error = await error(opening: address)
    #expect(name(error) == "invalidAddress")
    #expect(error?.message.contains("cret") == false)
  }

  @Test func `a host that does not exist, one without a server and no socket are told apart`()
    async
  {
    let unknown = await error(opening: "postgresql://user:secret@no-such-host.invalid/app")
    #expect(name(unknown) == "unknownHost")
    #expect(unknown?.message.contains("secret") == false)
    #expect(name(await error(opening: "postgresql://127.0.0.1:1/app")) == "connectionRefused")
    #expect(name(await error(opening: "postgresql:///app?host=/nowhere")) == "connectionRefused")
  }

  @Test func `a wrong password, a database and a role that are not there are told apart`()
    async throws
  {
    let missing = await error(opening: "postgresql:///nothing?host=\(folder)&user=postgres")
    #expect(name(missing) == "databaseMissing")
    let stranger = await error(opening: "postgresql:///postgres?host=\(folder)&user=stranger")
    #expect(name(stranger) == "authenticationFailed")
    let server = try PretendedServer(.refusing(state: "28P01", "password authentication failed"))
    let wrong = await error(
      opening: "postgresql://user:secret@127.0.0.1:\(server.port)/app?sslmode=disable"
    )
    #expect(name(wrong) == "authenticationFailed")
    #expect(wrong?.message.contains("secret") == false)
  }

  @Test func `a role without rights is told`() async throws {
    let other = try await TestServer.cluster()
    let role = "reader_\(UInt32.random(in: 0 ..< .max))"
    _ = try await other.pool.run([Statement(once: "CREATE ROLE \(role) LOGIN")])
    let refused = await error(opening: "postgresql:///postgres?host=\(folder)&user=\(role)")
    #expect(name(refused) == "notPermitted")
    _ = try await other.pool.run([Statement(once: "DROP ROLE \(role)")])
  }

  @Test func `a server that is too old is told with its version`() async throws {
    let server = try PretendedServer(.accepting(version: "14.9"))
    let old = await error(opening: "postgresql://u@127.0.0.1:\(server.port)/app?sslmode=disable")
    #expect(name(old) == "serverTooOld")
    #expect(old?.message.contains("14.9") == true)
    // Observers and copies have separate connections.
    let configuration = Cluster.Configuration(
      "postgresql://u@127.0.0.1:\(server.port)/app?sslmode=disable"
    )
    let pool = try ConnectionPool(configuration)
    let alone = await #expect(throws: ClusterError.self) { _ = try await pool.connectAlone() }
    #expect(name(alone) == "serverTooOld")
  }

  @Test func `a server without free connections is told`() async throws {
    let server = try PretendedServer(.refusing(state: "53300", "sorry, too many clients already"))
    let full = await error(opening: "postgresql://u@127.0.0.1:\(server.port)/app?sslmode=disable")
    #expect(name(full) == "tooManyConnections")
  }

  @Test func `a server that does not answer ends the wait`() async throws {
    let server = try PretendedServer(.silent)
    var configuration = Cluster.Configuration(
      "postgresql://u@127.0.0.1:\(server.port)/app?sslmode=disable"
    )
    configuration.connectTimeout = .seconds(2)
    let error = await #expect(throws: ClusterError.self) {
      _ = try await Cluster(configuration: configuration)
    }
    #expect(name(error) == "cannotConnect")
  }

  @Test func `of several hosts the one that is there is used`() async throws {
    let path = folder.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    var configuration = Cluster.Configuration(
      "postgresql://postgres@127.0.0.1:1,\(path):5432/postgres?target_session_attrs=read-write"
    )
    configuration.schema = TestServer.newSchema()
    let cluster = try await Cluster(configuration: configuration)
    #expect(try await cluster.pool.run([Statement("SELECT 1")])[0].firstInteger == 1)
  }

  @Test func `a session that may only read is told at a write, whose outcome is known`()
    async throws
  {
    let schema = TestServer.newSchema()
    let writing = try await TestServer.cluster(in: schema)
    var configuration = Cluster.Configuration(
      "postgresql:///postgres?host=\(folder)&user=postgres&options=-c%20default_transaction_read_only%3Don"
    )
    configuration.schema = schema
    configuration.reconnectTime = .milliseconds(100)
    let cluster = try await Cluster(configuration: configuration)
    let error = await #expect(throws: ClusterError.self) {
      try await cluster.box(for: Person.self).put(Person())
    }
    #expect(name(error) == "serverReadOnly")
    #expect(try await writing.box(for: Person.self).count() == 0)
  }

  @Test func `a primary is not accepted where a replica is asked for`() async {
    let address = "postgresql:///postgres?host=\(folder)&user=postgres&target_session_attrs=standby"
    #expect(name(await error(opening: address)) == "serverReadOnly")
  }

  @Test(arguments: [
    ("53100", "diskFull"), ("57014", "statementTimeout"), ("42501", "notPermitted"),
    ("25006", "serverReadOnly"), ("40001", "conflict"), ("53300", "tooManyConnections"),
    ("26000", "connectionNotKept"), ("XX000", "server"),
  ])
  func `codes of the server have errors of their own`(state: String, expected: String) throws {
    let failure = ServerFailure(state: state, message: "words")
    let error = try #require(failure.error as? ClusterError)
    #expect(name(error) == expected)
    #expect(error.message.contains("words"))
  }
}
