internal import ObjectBox

/// A step of an upgrade of the schema.
struct SchemaStep: Sendable {
  enum Work: Sendable {
    case sql(String)
    /// Folds the texts of a column in this program: PostgreSQL's `lower()` folds differently.
    case fold(table: String, id: String, column: String, folded: String)
    /// Fills new columns by functions of this program, or with values that were computed before the upgrade.
    case migrate(ColumnMigration, MigrationBatches?)
  }

  /// The purpose, which decides the error of a failed step.
  enum Purpose: Sendable {
    case structure
    /// Creates the table of the named element.
    case table(String)
    /// Changes the type of the named property, between two named types.
    case retype(String, from: String, to: String)
    /// Makes properties unique; names the entity and them.
    case unique(String)
  }

  var work: Work
  var purpose = Purpose.structure

  init(_ sql: String, _ purpose: Purpose = .structure) {
    work = .sql(sql)
    self.purpose = purpose
  }

  init(folding column: String, to folded: String, of table: String, id: String) {
    work = .fold(table: table, id: id, column: column, folded: folded)
  }

  init(_ migration: ColumnMigration, _ batches: MigrationBatches?) {
    work = .migrate(migration, batches)
  }

  /// The step as SQL text.
  var text: String {
    switch work {
    case .sql(let sql): sql
    case .fold(let table, let id, let column, let folded):
      "UPDATE \(table) SET \(folded) = $1 WHERE \(id) = $2 -- for each text of \(column), folded by the client"
    case .migrate(let migration, _): migration.text
    }
  }
}

extension SchemaStep.Purpose {
  /// Returns the public error of a failed step; nil if the step has no specific error.
  func error(_ failure: ServerFailure, in namespace: String) -> (any Error)? {
    switch (self, failure.state) {
    case (.table(let name), ServerFailure.State.duplicateTable):
      ClusterError.schemaConflict(
        message:
          "the schema \(namespace) has a table or index '\(name)' already, which no model made; rename it, or "
          + "choose another schema by 'configuration.schema'"
      )
    case (.retype(let name, let from, let to), let state) where state.hasPrefix("22"):
      ClusterError.schemaConflict(
        message:
          "'\(name)' is stored as \(from) and the model says \(to), and not all values are such; change them "
          + "before, with the model as it was"
      )
    case (.unique(let name), ServerFailure.State.uniqueViolation):
      ObjectBoxError.uniqueViolation(
        message:
          "cannot make '\(name)' unique: several objects hold the same value; change them before, with the "
          + "model as it was"
      )
    default: nil
    }
  }
}

extension ServerFailure.State {
  static let duplicateTable = "42P07"
}
