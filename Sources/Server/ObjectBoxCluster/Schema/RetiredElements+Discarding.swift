internal import ObjectBox

extension Cluster {
  /// Removes the data of entities, relations and properties that the model no longer has.
  ///
  /// Otherwise the database keeps their objects, links and values for a later model with the same
  /// UIDs.
  ///
  /// - Returns: Their last names, such as `Note` and `Note.stars`.
  /// - Throws: ``ClusterError``; everything is then kept.
  /// - Complexity: Six round trips, during which other programs' statements on the tables wait.
  @discardableResult
  public func discardRetiredData() async throws -> [String] {
    try await pool.withConnection { try await DatabaseUpgrade(tables).discardRetired(on: $0) }
  }
}

extension DatabaseUpgrade {
  /// Drops all retired elements, and returns their names.
  func discardRetired(on connection: Connection) async throws -> [String] {
    try await inTransaction(on: connection) {
      let stored = try await SchemaCatalogue(tables, on: connection)
      let names = try await connection.run([
        Statement("SELECT name FROM \(tables.retiredTable) ORDER BY since, uid")
      ])[0]
      let discarded = (0..<names.count).compactMap { names.text($0, 0) }
      _ = try await connection.run(
        drops(of: stored.retired, stored.model).map(Statement.init(once:))
      )
      return discarded
    }
  }

  private func drops(of retired: RetiredElements, _ model: StoreSchema) -> [String] {
    func name(_ uid: UInt64) -> String {
      "\(tables.namespace).\(RetiredElements.name(uid).quotedName)"
    }
    var sql = retired.entities.map { "DROP TABLE \(name($0.identity.uid))" }
    sql += retired.relations.map { "DROP TABLE \(name($0.uid))" }
    for property in retired.properties {
      // The columns of a retired entity are dropped with its table.
      guard let entity = model.entity(uid: property.entity) else { continue }
      let column = RetiredElements.name(property.schema.identity.uid)
      sql.append(
        "ALTER TABLE \(tables.namespace).\(entity.name.quotedName) DROP COLUMN \(column.quotedName), "
          + "DROP COLUMN IF EXISTS \((column + Column.foldedSuffix).quotedName)"
      )
    }
    return sql + ["DELETE FROM \(tables.retiredTable)"]
  }
}
