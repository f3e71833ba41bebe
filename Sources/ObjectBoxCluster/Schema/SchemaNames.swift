internal import ObjectBox

/// Checks that a model can have tables at all.
enum SchemaNames {
  /// The bytes at which PostgreSQL cuts names.
  private static let longest = 63
  /// The columns that a table can have.
  private static let mostColumns = 1_600
  /// The columns that each table has.
  private static let systemColumns: Set<String> = [
    "cmax", "cmin", "ctid", "tableoid", "xmax", "xmin",
  ]
  /// The beginning of the names of the library's own tables, columns and constraints.
  static let ownPrefix = "objectbox_"

  /// Refuses names that PostgreSQL cuts or has itself.
  ///
  /// - Parameter tables: The tables of the model.
  /// - Throws: ``ClusterError/schemaConflict(message:)`` with the reason.
  static func check(_ tables: ClusterTables) throws {
    let size = tables.namespaceName.utf8.count
    guard (1...longest).contains(size), !tables.namespaceName.utf8.contains(0) else {
      throw ClusterError.schemaConflict(
        message:
          "the name of the schema has \(size) bytes, and PostgreSQL keeps names of 1 to \(longest); choose "
          + "another 'configuration.schema'"
      )
    }
    for entity in tables.model.entities {
      try check(entity.name, "entity '\(entity.name)'", room: 0)
      guard entity.properties.contains(where: { $0.has(.id) }) else {
        throw refusal(
          "entity '\(entity.name)'",
          "it has no ID property, by which its rows are known"
        )
      }
      var columns = 0
      for property in entity.properties {
        let isFolded = Column(property).foldedName != nil
        columns += isFolded ? 2 : 1
        let title = "property '\(entity.name).\(property.name)'"
        try check(property.name, title, room: isFolded ? Column.foldedSuffix.utf8.count : 0)
        if systemColumns.contains(property.name) {
          throw refusal(
            title,
            "each table has a column '\(property.name)' of PostgreSQL's own; rename the property"
          )
        }
        if property.name.hasSuffix(Column.foldedSuffix) {
          throw refusal(
            title,
            "names that end with '\(Column.foldedSuffix)' are those of folded texts; rename it"
          )
        }
      }
      if columns > mostColumns {
        throw refusal(
          "entity '\(entity.name)'",
          "it needs \(columns) columns, and a table has at most \(mostColumns); split the entity"
        )
      }
    }
  }

  private static func check(_ name: String, _ title: String, room: Int) throws {
    if name.utf8.count + room > longest {
      throw refusal(
        title,
        "its name has \(name.utf8.count) bytes, and PostgreSQL cuts names"
          + (room > 0 ? " of texts at \(longest - room)" : " at \(longest)") + "; shorten it"
      )
    }
    if name.utf8.contains(0) {
      throw refusal(title, "its name has the character U+0000; rename it")
    }
    if name.hasPrefix(ownPrefix) {
      throw refusal(title, "names with '\(ownPrefix)' are those of the library's tables; rename it")
    }
  }

  private static func refusal(_ title: String, _ reason: String) -> ClusterError {
    .schemaConflict(message: "\(title) cannot be kept on PostgreSQL: \(reason)")
  }
}
