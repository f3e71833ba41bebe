import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct ChangeLogTests {
  private static func personUID(_ cluster: Cluster) -> UInt64 {
    cluster.tables.table(named: "Person")?.schema.identity.uid ?? 0
  }

  /// Writes the row of a commit that changed one object, like a transaction.
  private static func row(_ cluster: Cluster, object id: UInt64) -> Statement {
    Statement(
      "INSERT INTO \(cluster.tables.commitTable) (token, entities, objects) "
        + "VALUES (gen_random_uuid(), $1, $2)"
    ) { parameters in
      parameters.append(ids: [personUID(cluster)])
      parameters.append(ids: [id])
    }
  }

  @Test func anObserverSeesTheCommitsOfAnotherProgramInTheirOrder() async throws {
    let schema = TestServer.newSchema()
    let observer = try await TestServer.cluster(in: schema)
    let writer = try await TestServer.cluster(in: schema)
    _ = try await writer.pool.run([Self.row(writer, object: 1)])
    var commits = try await observer.commits().makeAsyncIterator()
    for id in 2...4 as ClosedRange<UInt64> {
      _ = try await writer.pool.run([Self.row(writer, object: id)])
      writer.changes.didCommit()
    }
    for id in 2...4 as ClosedRange<UInt64> {
      #expect(await commits.next()?.changes == ["Person": .init(ids: [id])])
    }
  }

  @Test func aCommitThatBecomesVisibleAfterLaterOnesIsNotMissed() async throws {
    let schema = TestServer.newSchema()
    let observer = try await TestServer.cluster(in: schema)
    let writer = try await TestServer.cluster(in: schema)
    var commits = try await observer.commits().makeAsyncIterator()
    let slow = try await writer.pool.connectAlone()
    _ = try await slow.run([Statement(once: "BEGIN"), Self.row(writer, object: 1)])
    _ = try await writer.pool.run([Self.row(writer, object: 2)])
    writer.changes.didCommit()
    #expect(await commits.next()?.changes["Person"]?.ids == [2])
    _ = try await slow.run([Statement(once: "COMMIT")])
    writer.changes.didCommit()
    #expect(await commits.next()?.changes["Person"]?.ids == [1])
  }

  @Test func anObserverGoesOnAfterItsConnectionWasCut() async throws {
    let schema = TestServer.newSchema()
    let observer = try await TestServer.cluster(in: schema)
    let writer = try await TestServer.cluster(in: schema)
    var commits = try await observer.commits().makeAsyncIterator()
    _ = try await writer.pool.run([
      Statement(
        "SELECT pg_terminate_backend(pid) FROM pg_locks "
          + "WHERE locktype = 'advisory' AND mode = 'ShareLock' AND objid = $1::bigint::oid"
      ) { parameters in
        parameters.append(Int64(UInt32(bitPattern: ChangeSignal(writer.tables).key)))
      },
      Self.row(writer, object: 9),
    ])
    #expect(await commits.next()?.changes["Person"]?.ids == [9])
  }

  @Test func commitsThatWereSweptUnreadAreToldAsARefresh() async throws {
    let cluster = try await TestServer.cluster()
    var log = ChangeLog(cluster.tables)
    _ = log.take(try await cluster.pool.run(log.statements))
    _ = try await cluster.pool.run([Self.row(cluster, object: 1)])
    let commits = cluster.tables.commitTable
    _ = try await cluster.pool.run([
      Statement(
        """
        WITH gone AS (DELETE FROM \(commits) RETURNING xact)
        INSERT INTO \(commits) (token, dead, xact)
        SELECT '\(CommitLog.sweptToken)', true, max(xact::text::bigint)::text::xid8 FROM gone
        """
      )
    ])
    #expect(log.take(try await cluster.pool.run(log.statements)) == [.refresh])
    #expect(log.take(try await cluster.pool.run(log.statements)) == [])
  }

  @Test func aClosedClusterEndsItsSequences() async throws {
    let cluster = try await TestServer.cluster()
    var commits = try await cluster.commits().makeAsyncIterator()
    cluster.changes.close()
    #expect(await commits.next() == nil)
    await #expect(throws: ClusterError.self) { try await cluster.commits() }
  }
}
