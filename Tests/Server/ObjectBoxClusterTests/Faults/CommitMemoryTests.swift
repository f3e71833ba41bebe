import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct CommitMemoryTests {
  /// Opens a cluster as one of several programs that share a database.
  private func program(
    in schema: String,
    _ configure: (inout Cluster.Configuration) -> Void = { _ in }
  ) async throws -> Cluster {
    var configuration = TestServer.configuration(in: schema)
    configure(&configuration)
    return try await Cluster(configuration: configuration)
  }

  /// Makes the token of a past commit.
  private func token(secondsAgo: Double) -> CommitToken {
    var bytes = UUID().uuid
    let time = UInt64((Date().timeIntervalSince1970 - secondsAgo) * 1_000)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: time >> (40 - 8 * index)) }
      bytes[6] = bytes[6] & 0x0F | 0x70
    }
    return CommitToken(uuid: UUID(uuid: bytes))
  }

  /// Inserts the row of a past commit.
  private func commit(_ token: CommitToken, secondsAgo: Double, in cluster: Cluster) async throws {
    let row = Statement(
      "INSERT INTO \(cluster.tables.commitTable) (token, at) "
        + "VALUES ($1::text::uuid, clock_timestamp() - make_interval(secs => $2))"
    ) { parameters in
      parameters.append(token.description)
      parameters.append(secondsAgo)
    }
    _ = try await cluster.pool.run([row])
  }

  private func sweep(by cluster: Cluster) async throws {
    try await Housekeeping.sweep(CommitLog(cluster.tables), cluster.pool)
  }

  @Test func `a commit whose row was swept is forgotten, and not rolled back`() async throws {
    let schema = TestServer.newSchema()
    let forgetful = try await program(in: schema) { $0.commitMemory = .seconds(60) }
    let other = try await program(in: schema)
    let done = token(secondsAgo: 600)
    try await commit(done, secondsAgo: 600, in: other)
    try await sweep(by: forgetful)
    #expect(try await other.outcome(of: done) == .forgotten)
    // Asked again, although there is a row by now.
    #expect(try await other.outcome(of: done) == .forgotten)
    #expect(try await other.outcome(of: token(secondsAgo: 0)) == .rolledBack)
  }

  @Test func `a program that asks for a shorter memory is told, and the longer one is kept`()
    async throws
  {
    let schema = TestServer.newSchema()
    let long = try await program(in: schema) { $0.commitMemory = .seconds(3_600) }
    let told = Guarded<[String]>([])
    let short = try await program(in: schema) { configuration in
      configuration.commitMemory = .seconds(60)
      configuration.onUnheardFailure = { failure in told.withLock { $0.append("\(failure)") } }
    }
    #expect(told.withLock { $0.count } == 1)
    #expect(told.withLock { $0.first }?.contains("commitMemory") == true)
    let done = token(secondsAgo: 600)
    try await commit(done, secondsAgo: 600, in: long)
    try await sweep(by: short)
    #expect(try await long.outcome(of: done) == .committed)
    #expect(try await short.outcome(of: done) == .committed)
  }

  @Test func `a program that asks for a longer memory raises it for all`() async throws {
    let schema = TestServer.newSchema()
    let short = try await program(in: schema) { $0.commitMemory = .seconds(60) }
    let long = try await program(in: schema) { $0.commitMemory = .seconds(7_200) }
    let unconcerned = try await program(in: schema)
    let done = token(secondsAgo: 4_000)
    try await commit(done, secondsAgo: 4_000, in: long)
    try await sweep(by: short)
    try await sweep(by: unconcerned)
    #expect(try await unconcerned.outcome(of: done) == .committed)
    try await commit(token(secondsAgo: 8_000), secondsAgo: 8_000, in: long)
    try await sweep(by: short)
    #expect(try await long.pool.run([count(in: long)])[0].firstInteger == 1)
  }

  private func count(in cluster: Cluster) -> Statement {
    Statement("SELECT count(*) FROM \(cluster.tables.commitTable) WHERE NOT dead")
  }

  @Test func `a database without a memory of its own keeps rows for an hour`() async throws {
    let cluster = try await program(in: TestServer.newSchema())
    try await commit(token(secondsAgo: 3_000), secondsAgo: 3_000, in: cluster)
    try await commit(token(secondsAgo: 4_000), secondsAgo: 4_000, in: cluster)
    try await sweep(by: cluster)
    #expect(try await cluster.pool.run([count(in: cluster)])[0].firstInteger == 1)
  }

  @Test func `a commit in doubt whose row was swept is not done again`() async throws {
    let cluster = try await program(in: TestServer.newSchema()) { $0.commitMemory = .seconds(60) }
    let done = token(secondsAgo: 600)
    try await commit(done, secondsAgo: 600, in: cluster)
    try await sweep(by: cluster)
    let error = await #expect(throws: ClusterError.self) { try await cluster.decideInPlace(done) }
    guard case .commitOutcomeUnknown(done, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `tokens have the time of the server`() async throws {
    let cluster = try await program(in: TestServer.newSchema())
    let time = try await cluster.pool.withConnection { connection in
      // Simulates a machine whose clock is a day behind.
      connection.noteServerTime(86_400_000)
      return try #require(connection.serverTime)
    }
    #expect(time >= 86_400_000)
    #expect(CommitToken.new(at: time).milliseconds == time)
  }
}
