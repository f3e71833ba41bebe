internal import ObjectBox

/// Brings the schema of a database to that of a model.
enum SchemaUpgrade {
  static func run(_ tables: ClusterTables, on connection: Connection) async throws {
    var sql = ["CREATE SCHEMA IF NOT EXISTS \(tables.namespace)"]
    for table in tables.all {
      var columns = table.columns.map {
        "\($0.name) \($0.kind.sql)\($0.isID ? " PRIMARY KEY" : "")"
      }
      columns += table.columns.compactMap { column in
        column.foldedName.map { "\($0) \(column.kind.sql)" }
      }
      sql.append("CREATE TABLE IF NOT EXISTS \(table.name) (\(columns.joined(separator: ", ")))")
    }
    for pairs in tables.allPairs {
      sql.append(
        "CREATE TABLE IF NOT EXISTS \(pairs.name) "
          + "(source bigint, target bigint, PRIMARY KEY (source, target))"
      )
      sql.append("CREATE INDEX ON \(pairs.name) (target, source)")
    }
    sql += tables.catalogueStatements
    _ = try await connection.run(sql.map(Statement.init(once:)))
  }
}
