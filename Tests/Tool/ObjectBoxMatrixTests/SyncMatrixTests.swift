import Foundation
import ObjectBox
import ObjectBoxSync
import ObjectBoxSyncServer
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

#if OBJECTBOX_WEBSOCKETS

  /// The same values on two devices, and in the tables of their server.
  struct SyncMatrixTests {
    private struct Device {
      let folder: TemporaryDirectory
      let rows: Box<Row>
      let client: any SyncClient

      init(_ server: RunningSyncServer) throws {
        folder = try TemporaryDirectory()
        let store = try Store(directoryPath: folder.path + "/store")
        rows = store.box()
        client = try Sync.makeClient(
          configuration: .init(store: store, url: "ws://127.0.0.1:\(server.port)")
        )
        try client.start()
      }

      /// Puts all rows in one transaction, and expects the server to accept it.
      func put(_ all: [Row]) async throws {
        try rows.put(all)
        for await count in client.decisions where count == 0 { break }
        let reasons = try client.rejections().flatMap(\.parts).map { part in
          "\(part.entity) \(part.property ?? "") \(part.reason)"
        }
        #expect(reasons == [])
        #expect(client.lastError == nil)
      }

      /// Waits until all rows come from a step, and returns them in the order of their IDs.
      func wait(for step: Int) async throws -> [Row] {
        func all() throws -> [Row]? {
          let all = try rows.all().sorted { $0.id < $1.id }
          return all.isEmpty || all.contains { $0.single != step } ? nil : all
        }
        let commits = try SyncedStore(rows.store)
        if let all = try all() { return all }
        for await _ in commits.changes {
          if let all = try all() { return all }
        }
        return []
      }
    }

    private let columns = Columns<Row>.all(hasZeros: false)

    /// Gives objects the values of the rows that come some places later.
    private func fill(_ rows: inout [Row], _ step: Int) {
      for number in rows.indices {
        for column in columns { column.fill(&rows[number], (number + step) % Matrix.count) }
        rows[number].single = step
      }
    }

    private func expect(_ rows: [Row], _ step: Int, _ who: String) {
      for (number, row) in rows.enumerated() {
        for column in columns {
          #expect(
            column.isRead(row, (number + step) % Matrix.count),
            "\(column.name), row \(number) on \(who)"
          )
        }
      }
    }

    @Test(
      .tags(.slow),
      .timeLimit(.minutes(5)),
      .enabled(if: ClusterMatrixTests.address != nil, ClusterMatrixTests.reason)
    )
    func `devices and plain SQL exchange the values of the rows`() async throws {
      let address = try #require(ClusterMatrixTests.address)
      var configuration = Cluster.Configuration(address)
      configuration.schema = "synced matrix \(UUID().uuidString)"
      let cluster = try await Cluster(configuration: configuration)
      let server = try await SyncServer(
        cluster: cluster,
        listen: .init(port: 0),
        authenticate: .none,
        report: { Issue.record("\($0)") }
      ) {
        rule(Row.self)
        write(Row.self)
        rule(Holder.self)
        write(Holder.self)
      }
      .start()
      let (a, b) = (try Device(server), try Device(server))

      var rows = (0..<Matrix.count).map { _ in Row() }
      fill(&rows, 0)
      try await a.put(rows)
      expect(try await a.wait(for: 0), 0, "the writer")
      rows = try await b.wait(for: 0)
      #expect(rows.count == Matrix.count)
      expect(rows, 0, "the reader")

      // Nulls get values, and values nulls.
      for step in 1...3 {
        fill(&rows, step)
        try await (step % 2 == 1 ? b : a).put(rows)
        rows = try await (step % 2 == 1 ? a : b).wait(for: step)
        expect(rows, step, "the reader")
        expect(try await cluster.box(for: Row.self).all(), step, "the cluster")
      }

      // The columns of one row get the values of another one's.
      let connection = try await Connection([("dbname", address)])
      let table = "\"\(configuration.schema)\".\"Row\""
      let names = columns.map { "\"\($0.property)\"" }.joined(separator: ", ")
      let values = columns.map { "source.\"\($0.property)\"" }.joined(separator: ", ")
      _ = try await connection.run([
        Statement(
          once: """
            UPDATE \(table) AS target SET single = 4, (\(names)) = (SELECT \(values) FROM \(table) AS source
            WHERE source.id = coalesce((SELECT min(id) FROM \(table) AS next WHERE next.id > target.id),
              (SELECT min(id) FROM \(table))))
            """
        )
      ])
      expect(try await a.wait(for: 4), 4, "a device, by SQL")
      expect(try await b.wait(for: 4), 4, "another device, by SQL")
      await server.stop()
      await cluster.close()
    }
  }

#endif
