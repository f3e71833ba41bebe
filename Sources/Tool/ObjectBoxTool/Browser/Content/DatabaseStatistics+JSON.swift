internal import ObjectBoxCluster
internal import ObjectBoxJSON

extension DatabaseStatistics {
  /// Returns the statistics for the page.
  ///
  /// - Parameters:
  ///   - label: The names of the database.
  ///   - version: The snapshot that the statistics are from.
  /// - Returns: A JSON object.
  func json(_ label: ContentLabel, _ version: String) -> String {
    var writer = JSONWriter()
    var members: BrowserAPI.Members = [
      ("store", { $0.string(label.address) }), ("version", { $0.string(version) }),
      ("server", { $0.string("PostgreSQL \(serverVersion)") }),
      ("isReplica", { $0.boolean(isReplica) }), ("databaseBytes", { $0.integer(databaseBytes) }),
      ("connections", { $0.integer(connections.count) }),
      ("maximumConnections", { $0.integer(connections.limit) }),
      ("tables", { $0.list(tables) { Self.write($1, to: &$0) } }),
      ("indexes", { $0.list(indexes) { Self.write($1, to: &$0) } }),
    ]
    if let replicas {
      members.append(("replicas", { $0.list(replicas) { Self.write($1, to: &$0) } }))
    }
    writer.object(members)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func write(_ table: Table, to writer: inout JSONWriter) {
    writer.object([
      ("name", { $0.string(table.name) }), ("content", { $0.string(orNull: table.content) }),
      ("rows", { $0.integer(table.rows) }), ("bytes", { $0.integer(table.bytes) }),
      ("indexBytes", { $0.integer(table.indexBytes) }),
    ])
  }

  private static func write(_ index: Index, to writer: inout JSONWriter) {
    writer.object([
      ("name", { $0.string(index.name) }), ("table", { $0.string(index.table) }),
      ("content", { $0.string(orNull: index.content) }),
      ("bytes", { $0.integer(index.bytes) }), ("searches", { $0.integer(index.searches) }),
    ])
  }

  private static func write(_ replica: Replica, to writer: inout JSONWriter) {
    writer.object([
      ("name", { $0.string(replica.name) }), ("state", { $0.string(replica.state) }),
      ("isSynchronous", { $0.boolean(replica.isSynchronous) }),
      (
        "lag",
        { writer in
          if let lag = replica.lag { writer.integer(lag) } else { writer.raw("null") }
        }
      ),
    ])
  }
}
