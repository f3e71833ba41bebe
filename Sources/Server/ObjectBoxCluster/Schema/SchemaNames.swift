internal import ObjectBox

/// Checks that PostgreSQL can have tables for a model.
enum SchemaNames {
  /// The length in bytes to which PostgreSQL cuts names.
  private static let longest = 63
  /// PostgreSQL's limit of columns in a table.
  private static let mostColumns = 1_600
  /// PostgreSQL's system columns, which every table has.
  private static let systemColumns: Set<String> = [
    "cmax", "cmin", "ctid", "tableoid", "xmax", "xmin",
  ]
  /// The prefix of the library's own tables, columns and constraints.
  static let ownPrefix = "objectbox_"

  /// Refuses names that PostgreSQL would cut or reserves.
  ///
  /// - Parameter tables: The tables of the model.
  /// - Throws: ``ClusterError/schemaConflict(message:)`` with the reason.
  static func check(_ tables: ClusterTables) throws {
    let size = tables.namespaceName.utf8.count
    guard (1...longest).contains(size) else {
      throw ClusterError.schemaConflict(
        message:
          "the name of the schema has \(size) bytes, and PostgreSQL keeps names of 1 to \(longest); choose "
          + "another 'configuration.schema'"
      )
    }
    if let scalar = invisible(in: tables.namespaceName) {
      throw ClusterError.schemaConflict(
        message:
          "the name of the schema, '\(visible(tables.namespaceName))', has \(words(scalar)); choose another "
          + "'configuration.schema'"
      )
    }
    try checkCharacters(of: tables.model) { refusal($0, $1 + "; rename it") }
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
        if property.name.utf8.reversed().starts(with: Column.foldedSuffix.utf8.reversed()) {
          throw refusal(
            title,
            "names that end with '\(Column.foldedSuffix)' are those of folded texts; rename it"
          )
        }
      }
      columns += 3 * entity.fullTextIndexes.count
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
    if name.utf8.starts(with: ownPrefix.utf8) {
      throw refusal(title, "names with '\(ownPrefix)' are those of the library's tables; rename it")
    }
  }

  // MARK: Characters

  /// Refuses names with control and format characters, which are invisible in SQL and messages.
  ///
  /// Models may come from stores, files and catalogues of other authors.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - error: Makes the error from an element's title and the reason.
  /// - Throws: That error.
  static func checkCharacters(
    of model: StoreSchema,
    _ error: (_ title: String, _ reason: String) -> ClusterError
  ) throws {
    func check(_ name: String, _ title: String) throws {
      guard let scalar = invisible(in: name) else { return }
      throw error(title, "its name has \(words(scalar))")
    }
    for entity in model.entities {
      let title = visible(entity.name)
      try check(entity.name, "entity '\(title)'")
      for property in entity.properties {
        try check(property.name, "property '\(title).\(visible(property.name))'")
      }
      for relation in entity.relations {
        try check(relation.title, "relation '\(title).\(visible(relation.title))'")
      }
    }
  }

  private static func invisible(in name: String) -> Unicode.Scalar? {
    name.unicodeScalars.first(where: isInvisible)
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Describes a character, such as "the control or format character U+200D".
  private static func words(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
    return "the control or format character U+\(zeros)\(digits)"
  }

  /// A name with its invisible characters escaped.
  private static func visible(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      if isInvisible(scalar) {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func refusal(_ title: String, _ reason: String) -> ClusterError {
    .schemaConflict(message: "\(title) cannot be kept on PostgreSQL: \(reason)")
  }
}
