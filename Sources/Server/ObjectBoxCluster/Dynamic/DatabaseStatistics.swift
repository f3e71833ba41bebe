internal import ObjectBox

/// The use of a database, as far as the connection's role may see it.
package struct DatabaseStatistics: Sendable {
  /// A table of the schema.
  package struct Table: Sendable {
    package var name: String
    /// A description of its objects or pairs; nil for the catalogue's and earlier models' tables.
    package var content: String?
    /// The server's estimate of the number of rows.
    package var rows: Int
    /// The size in bytes without indexes, including values stored outside the rows.
    package var bytes: Int
    package var indexBytes: Int
  }

  /// An index of a table.
  package struct Index: Sendable {
    package var name: String
    package var table: String
    /// The entity and its properties, or the pairs of a relation; nil for an index of another
    /// table.
    package var content: String?
    package var bytes: Int
    /// The number of searches since the server began to count.
    package var searches: Int
  }

  /// A replica of the server.
  package struct Replica: Sendable {
    package var name: String
    /// The server's term, such as `streaming`.
    package var state: String
    package var isSynchronous: Bool
    /// The number of log bytes not replayed yet; nil when unknown.
    package var lag: Int?
  }

  package var serverVersion: String
  /// True if the server itself is a replica.
  package var isReplica: Bool
  /// The size of the whole database in bytes.
  package var databaseBytes: Int
  /// The number of connections to the database, and the server's limit.
  package var connections: (count: Int, limit: Int)
  package var tables: [Table]
  package var indexes: [Index]
  /// The replicas; nil if the role may not see them.
  package var replicas: [Replica]?
}

extension MovingOut {
  /// Reads the use of the database, in one round trip.
  ///
  /// - Throws: ``ClusterError``.
  package func statistics() async throws -> DatabaseStatistics {
    func ofSchema(_ sql: String) -> Statement {
      Statement(sql) { $0.append(tables.namespaceName) }
    }
    let rows = try await database.run([
      Statement(
        """
        SELECT split_part(current_setting('server_version'), ' ', 1), pg_is_in_recovery(), pg_database_size(current_database()),
          (SELECT numbackends FROM pg_stat_database WHERE datname = current_database()),
          current_setting('max_connections')::int, pg_has_role('pg_read_all_stats', 'USAGE')
        """
      ),
      ofSchema(
        """
        SELECT c.relname::text, coalesce(nullif(c.reltuples, -1)::bigint, pg_stat_get_live_tuples(c.oid)),
          pg_table_size(c.oid), pg_indexes_size(c.oid)
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind = 'r' ORDER BY c.relname
        """
      ),
      ofSchema(
        """
        SELECT c.relname::text, t.relname::text, pg_relation_size(c.oid), pg_stat_get_numscans(c.oid)
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
          JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 ORDER BY t.relname, c.relname
        """
      ),
      Statement(
        """
        SELECT application_name, state, sync_state <> 'async', pg_wal_lsn_diff(
          CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, replay_lsn
        )::bigint FROM pg_stat_replication ORDER BY application_name
        """
      ),
    ])
    let server = rows[0]
    let contents = contents
    return DatabaseStatistics(
      serverVersion: server.text(0, 0) ?? "",
      isReplica: server.bool(0, 1) ?? false,
      databaseBytes: server.number(0, 2),
      connections: (server.number(0, 3), server.number(0, 4)),
      tables: (0..<rows[1].count).map { row in
        let name = rows[1].text(row, 0) ?? ""
        return DatabaseStatistics.Table(
          name: name,
          content: contents[name],
          rows: rows[1].number(row, 1),
          bytes: rows[1].number(row, 2),
          indexBytes: rows[1].number(row, 3)
        )
      },
      indexes: (0..<rows[2].count).map { row in
        let (name, table) = (rows[2].text(row, 0) ?? "", rows[2].text(row, 1) ?? "")
        let properties = tables.properties(ofConstraint: name).map { entity, properties in
          "\(entity.name).\(properties.map(\.name).joined(separator: ", "))"
        }
        return DatabaseStatistics.Index(
          name: name,
          table: table,
          content: properties ?? contents[table],
          bytes: rows[2].number(row, 2),
          searches: rows[2].number(row, 3)
        )
      },
      replicas: server.bool(0, 5) ?? false ? replicas(rows[3]) : nil
    )
  }

  /// The descriptions of objects or pairs, by table name.
  private var contents: [String: String] {
    var contents: [String: String] = [:]
    for table in tables.all { contents[table.schema.name] = "objects of \(table.schema.name)" }
    for pairs in tables.allPairs {
      let target = tables.table(entity: pairs.schema.target.id)?.schema.name ?? ""
      contents[pairs.tableName] = "pairs from \(pairs.source.name) to \(target)"
    }
    return contents
  }

  private func replicas(_ rows: ResultRows) -> [DatabaseStatistics.Replica] {
    (0..<rows.count).map { row in
      DatabaseStatistics.Replica(
        name: rows.text(row, 0) ?? "",
        state: rows.text(row, 1) ?? "",
        isSynchronous: rows.bool(row, 2) ?? false,
        lag: rows.anyInteger(row, 3).map(Int.init)
      )
    }
  }
}

extension MovingOut {
  /// The number up to which objects are counted; above it the server's estimate is used.
  package static let countedObjects = 100_000

  /// Returns the number of objects of each entity, in the order of the schema, in one round trip.
  ///
  /// - Returns: The numbers, and whether each is an estimate, since an exact count reads a whole
  ///   table.
  /// - Throws: ``ClusterError``.
  package func objectCounts() async throws -> [(count: Int, isEstimate: Bool)] {
    let limit = Self.countedObjects
    let rows = try await database.run(
      tables.all.map { table in
        Statement(
          "SELECT count(*), (SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass($1)) "
            + "FROM (SELECT FROM \(table.name) LIMIT \(limit + 1)) AS q"
        ) { $0.append(table.name) }
      }
    )
    return rows.map { rows in
      let count = rows.number(0, 0)
      return count > limit ? (max(count, rows.number(0, 1)), true) : (count, false)
    }
  }
}

extension ResultRows {
  fileprivate func number(_ row: Int, _ column: Int) -> Int { Int(anyInteger(row, column) ?? 0) }
}
