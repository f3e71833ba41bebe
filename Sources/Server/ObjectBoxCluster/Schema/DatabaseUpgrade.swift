package import ObjectBox

/// Changes a database's schema to a model's schema.
///
/// All steps run in one transaction, so a failing step leaves the schema unchanged. Programs that
/// open at the same time wait for each other: the first one upgrades.
package struct DatabaseUpgrade {
  /// The number of texts that are folded at once.
  private static let foldedAtOnce = 5_000
  /// The number of attempts of an upgrade when other programs' statements cause deadlocks.
  private static let attempts = 3

  var tables: ClusterTables
  private let mayBeOlder: Bool
  private let finally: [String]
  private let onMigration: (@Sendable (MigrationProgress) -> Void)?
  private let batchMinimum: Int

  /// - Parameters:
  ///   - tables: The tables of the model.
  ///   - mayBeOlder: True to accept a model that was replaced by a newer one.
  ///   - finally: Statements at the end of an upgrade.
  ///   - onMigration: Receives the progress of migrations of values.
  ///   - batchMinimum: The number of rows from which values are made before the upgrade.
  package init(
    _ tables: ClusterTables,
    mayBeOlder: Bool = false,
    finally: [String] = [],
    onMigration: (@Sendable (MigrationProgress) -> Void)? = nil,
    batchMinimum: Int = MigrationBatches.usualMinimum
  ) {
    self.tables = tables
    self.mayBeOlder = mayBeOlder
    self.finally = finally
    self.onMigration = onMigration
    self.batchMinimum = batchMinimum
  }

  /// Upgrades the schema; takes one round trip when it is up to date.
  ///
  /// - Parameter connection: An idle connection.
  /// - Returns: The server's extension for nearest neighbours; nil without it.
  /// - Throws: ``ClusterError``: `schemaNewer`, `schemaConflict`;
  ///   ``ObjectBoxError/uniqueViolation(message:)`` when objects break a new rule; `schemaConflict`
  ///   also when the function of a migration throws;
  ///   ``ServerFailure``. The schema is then unchanged.
  @discardableResult
  func run(on connection: Connection) async throws -> VectorExtension? {
    try SchemaNames.check(tables)
    if let present = try await present(on: connection) {
      if present.needsWords { try await fill(on: connection) }
      return present.vectors
    }
    try await makeBatches(on: connection)
    let vectors = try await repeating { try await upgrade(on: connection, to: .usual) }
    try await fill(on: connection)
    return vectors
  }

  /// Computes the values of migrations of many rows before the upgrade locks the tables.
  private func makeBatches(on connection: Connection) async throws {
    guard tables.model.entities.contains(where: \.mayMigrate) else { return }
    let batches = try await inTransaction(on: connection) {
      let stored = try await SchemaCatalogue(tables, on: connection)
      var found: [MigrationBatches] = []
      for step in try steps(from: stored) {
        guard case .migrate(_, let batches?) = step.work else { continue }
        if try await batches.begin(from: batchMinimum, on: connection) { found.append(batches) }
      }
      return found
    }
    do {
      for batch in batches { try await batch.fill(on: connection, report: onMigration) }
    } catch {
      let failure = error as? ServerFailure
      let isInterrupted =
        error is CancellationError || failure?.isCancellation == true
        || failure?.isConnectionLost == true
      // After an interruption, the next opening continues.
      if !isInterrupted { for batch in batches { try? await batch.drop(on: connection) } }
      throw error
    }
  }

  /// Splits the texts without words; if the role may not write, other programs do it.
  private func fill(on connection: Connection) async throws {
    try await TextFilling(tables: tables).runIfPermitted(on: connection)
  }

  /// The target state of an upgrade.
  enum Goal {
    case usual
    /// Without constraints and indexes, while objects are copied into the database.
    case copying
    /// Complete, after the copy.
    case copied
  }

  /// Upgrades the schema for a copy into the database.
  func run(to goal: Goal, on connection: Connection) async throws {
    try SchemaNames.check(tables)
    _ = try await repeating { try await upgrade(on: connection, to: goal) }
  }

  private func repeating<T>(_ body: () async throws -> T) async throws -> T {
    for _ in 1..<Self.attempts {
      do { return try await body() } catch let failure as ServerFailure where failure.isConflict {}
    }
    return try await body()
  }

  /// Returns the vector extension of an up-to-date schema; nil when an upgrade is needed.
  private func present(
    on connection: Connection
  ) async throws -> (vectors: VectorExtension?, needsWords: Bool)? {
    do {
      let results = try await connection.run(
        [tables.modelCheck] + tables.vectorIndexCheck + [tables.textColumnCheck]
      )
      let rows = results[0]
      guard rows.count > 0 else { return nil }
      try SchemaCatalogue.check(format: rows.anyInteger(0, 0), in: tables.namespace)
      if rows.bool(0, 1) ?? false { throw Self.incomplete(tables) }
      guard rows.bool(0, 2) ?? false else { return nil }
      let present = VectorIndexes(results[1], results[2])
      // A role without ownership cannot make indexes either; it works without them.
      let isOwner = rows.bool(0, 3) ?? false
      let needsTexts = tables.needsTexts(PresentTexts(results[3]))
      if isOwner, present.isIncomplete(in: tables) || needsTexts { return nil }
      return (present.vectors, !tables.allTexts.isEmpty && !needsTexts)
    } catch let failure as ServerFailure where failure.state == ServerFailure.State.undefinedTable {
      return nil
    }
  }

  static func incomplete(_ tables: ClusterTables) -> ClusterError {
    .schemaConflict(
      message:
        "a copy into the schema \(tables.namespace) is not complete; run the same 'objectbox copy' again to "
        + "complete it, or drop the schema"
    )
  }

  // MARK: Upgrade

  private func upgrade(on connection: Connection, to goal: Goal) async throws -> VectorExtension? {
    try await inTransaction(on: connection) {
      let stored = try await SchemaCatalogue(tables, on: connection)
      try await run(try steps(from: stored, to: goal), on: connection)
      return stored.neighbors.vectors
    }
  }

  /// Runs a body in a transaction while no other upgrade of the schema runs.
  ///
  /// Uses READ COMMITTED: a snapshot taken before the lock would miss the changes of other
  /// upgrades.
  package func inTransaction<T>(
    on connection: Connection,
    _ body: () async throws -> T
  ) async throws -> T {
    do {
      _ = try await connection.run([
        Statement(once: "BEGIN ISOLATION LEVEL READ COMMITTED"),
        // Creating an index over many objects takes a long time.
        Statement(once: "SET LOCAL statement_timeout = 0"),
        Statement("SELECT pg_advisory_xact_lock($1)") { $0.append(lockKey) },
        // A lock on a table that is new to the transaction makes the session drop its cached missing names. Otherwise
        // `to_regclass` would still report them missing after another program has created them.
        Statement("SELECT EXISTS (SELECT FROM pg_namespace)"),
      ])
      let result = try await body()
      _ = try await connection.run([Statement(once: "COMMIT")])
      return result
    } catch {
      // Without a connection there is no transaction to roll back.
      _ = try? await connection.run([Statement(once: "ROLLBACK")])
      throw error
    }
  }

  /// Returns the steps of an upgrade; empty when the schema is up to date.
  func steps(from stored: SchemaCatalogue, to goal: Goal = .usual) throws -> [SchemaStep] {
    let isSame = stored.number > 0 && tables.modelText == ClusterTables.text(of: stored.model)
    switch goal {
    case .usual:
      if stored.isCopying { throw Self.incomplete(tables) }
      if isSame, !stored.neighbors.isIncomplete(in: tables), !tables.needsTexts(stored.texts) {
        return []
      }
    case .copying: if isSame && stored.isCopying { return [] }
    case .copied: if isSame && !stored.isCopying { return [] }
    }
    if stored.number > 0, !isSame { try checkAge(stored) }
    return try SchemaDifference(stored, tables, hasConstraints: goal != .copying).steps
      + finally.map { SchemaStep($0) }
  }

  private func run(_ steps: [SchemaStep], on connection: Connection) async throws {
    var index = 0
    while index < steps.count {
      let batch = steps[index...].prefix { if case .sql = $0.work { true } else { false } }
      do {
        _ = try await connection.run(
          batch.map { Statement(once: $0.text) }
        )
      } catch let failure as ServerFailure {
        guard let statement = failure.statement,
          let error = batch[batch.startIndex + statement].purpose.error(
            failure,
            in: tables.namespace
          )
        else { throw failure }
        throw error
      }
      index += batch.count
      guard index < steps.count else { return }
      switch steps[index].work {
      case .sql: continue
      case .fold(let table, let id, let column, let folded):
        try await fold(table, id, column, folded, on: connection)
      case .migrate(let migration, nil):
        try await migration.run(on: connection, in: tables.namespace, report: onMigration)
      case .migrate(_, let batches?):
        try await batches.finish(on: connection, report: onMigration)
      }
      index += 1
    }
  }

  private func fold(
    _ table: String,
    _ id: String,
    _ column: String,
    _ folded: String,
    on connection: Connection
  ) async throws {
    var last: UInt64 = 0
    while true {
      let rows = try await connection.run([
        Statement(
          "SELECT \(id), \(column) FROM \(table) WHERE \(id) > $1 AND \(column) IS NOT NULL "
            + "ORDER BY \(id) LIMIT \(Self.foldedAtOnce)"
        ) { $0.append(id: last) }
      ])[0]
      guard rows.count > 0 else { return }
      let ids = rows.ids()
      let texts = (0..<rows.count).map { row in rows.bytes(row, 1).map(FoldedText.bytes) ?? [] }
      _ = try await connection.run([
        Statement(
          "UPDATE \(table) AS t SET \(folded) = v.text FROM unnest($1, $2) AS v(id, text) WHERE t.\(id) = v.id"
        ) { parameters in
          parameters.append(ids: ids)
          parameters.append(
            PostgresType.textArray,
            of: PostgresType.text,
            count: texts.count
          ) { array in
            for text in texts { array.append(text) }
          }
        }
      ])
      last = ids.last ?? last
    }
  }

  // MARK: Age

  /// Refuses a model that a newer one has replaced, and a model unrelated to the stored one.
  private func checkAge(_ stored: SchemaCatalogue) throws {
    let pairs = Self.lastElements(of: stored.model, tables.model)
    for (kind, old, new) in pairs where old.id == new.id && old.id != 0 && old.uid != new.uid {
      throw ClusterError.schemaConflict(
        message:
          "cannot use the schema \(tables.namespace): its last \(kind) has the UID \(old.uid), the model says "
          + "\(new.uid), so they are no versions of one model; restore the model file from version control"
      )
    }
    if mayBeOlder { return }
    let behind = pairs.first { $0.1.id > $0.2.id }
    guard behind != nil || stored.hadWanted else { return }
    let reason =
      behind.map { "its last \($0.0) has ID \($0.1.id), the model of this program says \($0.2.id)" }
      ?? "the model of this program was in use before"
    throw ClusterError.schemaNewer(
      message:
        "the schema \(tables.namespace) was upgraded by a program with a newer model: \(reason); update this "
        + "program, or, to bring the schema back, open it once with 'configuration.acceptsOlderModel = true'"
    )
  }

  private static func lastElements(
    of stored: StoreSchema,
    _ model: StoreSchema
  ) -> [(String, SchemaIdentity, SchemaIdentity)] {
    var all = [
      ("entity", stored.lastEntity, model.lastEntity),
      ("index", stored.lastIndex, model.lastIndex),
      ("relation", stored.lastRelation, model.lastRelation),
    ]
    for entity in model.entities {
      guard let old = stored.entity(uid: entity.identity.uid) else { continue }
      all.append(("property of '\(entity.name)'", old.lastProperty, entity.lastProperty))
    }
    return all
  }

  /// The number of the lock.
  private var lockKey: Int64 { Self.hash("objectbox \(tables.namespace)") }

  /// Returns the FNV-1a hash of a text.
  static func hash(_ text: String) -> Int64 {
    Int64(bitPattern: text.utf8.stableDigest)
  }
}

extension EntitySchema {
  /// True if the program has a function that migrates values of the entity.
  fileprivate var mayMigrate: Bool {
    let ids = Set(properties.map(\.identity.id))
    return !migrations(filling: ids).isEmpty || objectMigration(filling: ids) != nil
  }
}
