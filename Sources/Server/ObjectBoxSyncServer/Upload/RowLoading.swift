internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Reads the rows that a decision needs, in the database transaction that stores the decision.
struct RowLoading {
  let serverLog: ServerLog
  let cluster: Cluster
  let rules: SyncRules
  /// The identity of the user whose transaction is decided.
  var user = ""

  /// A statement, and the meaning of its rows.
  private enum Search {
    case objects(SyncedEntity, ids: [UInt64])
    case tombstones(EntityUID, ids: [UInt64])
    case holder(UniqueKey, Statement)
    case sources(ObjectKey, SyncedEntity, RelationPairs)
    case outcomes([TransactionToken])
  }

  /// Reads all needed rows in one round trip, and new IDs in one more.
  ///
  /// - Parameters:
  ///   - needs: The rows that the decision lacks.
  ///   - loaded: The rows that were read before; gets the new ones.
  ///   - transaction: The transaction.
  /// - Throws: ``ServerLogError/corrupt(message:)``, `ClusterError`, `ObjectBoxError`.
  func load(
    _ needs: Needs,
    into loaded: inout LoadedRows,
    in transaction: ClusterTransaction
  ) async throws {
    var searches: [Search] = []
    for (uid, keys) in Dictionary(grouping: needs.keys, by: \.entity) {
      for key in keys { loaded.rows[key] = .some(nil) }
      guard let entity = serverLog.entity(uid) else { continue }
      let ids = keys.map(\.id).sorted()
      searches += [.objects(entity, ids: ids), .tombstones(uid, ids: ids)]
    }
    for unique in needs.uniques {
      loaded.holders[unique] = .some(nil)
      if let statement = holder(of: unique) { searches.append(.holder(unique, statement)) }
    }
    for target in needs.targets {
      loaded.sources[target] = []
      for entity in serverLog.entities {
        for pairs in entity.pairs where pairs.schema.target.uid == target.entity.value {
          searches.append(.sources(target, entity, pairs))
        }
      }
    }
    if !needs.makers.isEmpty {
      for maker in needs.makers { loaded.outcomes[maker] = .some(nil) }
      searches.append(.outcomes(Array(needs.makers)))
    }
    // A sequential scan of a small table would count as a read of the whole table in SERIALIZABLE, so that each other
    // write to the table would be a conflict.
    let settings = Statement("SET LOCAL enable_seqscan = off")
    let statements = [settings] + searches.flatMap(statements)
    var results = try await transaction.run(statements).dropFirst()
    for search in searches { try take(&results, of: search, into: &loaded) }
    for (uid, count) in needs.freshIDs {
      guard let entity = serverLog.entity(uid) else { continue }
      let missing = count - (loaded.freshIDs[uid]?.count ?? 0)
      let ranges = try await cluster.reserveIDs(missing, entity: entity.table.schema.identity.id)
      loaded.freshIDs[uid, default: []] += ranges.flatMap(Array.init)
    }
  }

  // MARK: Statements

  private func statements(_ search: Search) -> [Statement] {
    switch search {
    case .objects(let entity, let ids): ServerRows.statements(entity, ids: ids)
    case .tombstones(let entity, let ids):
      [
        Statement(
          "SELECT id FROM \(serverLog.tombstones) WHERE entity = $1 AND id = ANY ($2)"
        ) {
          $0.append(id: entity.value)
          $0.append(ids: ids)
        }
      ]
    case .holder(_, let statement): [statement]
    case .sources(let target, _, let pairs):
      [Statement("SELECT source FROM \(pairs.name) WHERE target = $1") { $0.append(id: target.id) }]
    case .outcomes(let makers):
      [
        // This user must not learn the outcome of other users' transactions.
        Statement(
          """
          SELECT token, verdict FROM \(serverLog.decisions)
          WHERE token = ANY ($1) AND owner = $2
          """
        ) {
          $0.append(tokens: makers)
          $0.append(PostgresType.bytea, Array(user.utf8))
        }
      ]
    }
  }

  /// Returns the statement that finds the object with unique values; nil when no object has them.
  private func holder(of unique: UniqueKey) -> Statement? {
    guard let entity = serverLog.entity(unique.entity), let rules = rules[unique.entity],
      rules.uniques.indices.contains(unique.constraint)
    else { return nil }
    var conditions: [String] = []
    var statement = Statement("")
    for (property, value) in zip(rules.uniques[unique.constraint].properties, unique.values) {
      guard let column = entity.column(property),
        ServerValue.append(value, as: column.kind, to: &statement.parameters)
      else { return nil }
      // This form uses the unique index: a scan of the table would make each other write a conflict.
      conditions.append(
        column.equality(column.name, column.placeholder(statement.parameters.count))
      )
    }
    statement.sql =
      "SELECT \(entity.table.id.name) FROM \(entity.table.name) "
      + "WHERE \(conditions.joined(separator: " AND ")) LIMIT 1"
    return statement
  }

  // MARK: Results

  private func take(
    _ results: inout ArraySlice<ResultRows>,
    of search: Search,
    into loaded: inout LoadedRows
  ) throws {
    let rows = results.removeFirst()
    switch search {
    case .objects(let entity, _):
      var objects = ServerRows(entity)
      _ = try objects.add(rows)
      objects.addPairs(results.prefix(entity.pairs.count))
      results = results.dropFirst(entity.pairs.count)
      for (id, row) in objects.rows { loaded.rows[ObjectKey(entity: entity.uid, id: id)] = row }
    case .tombstones(let entity, _):
      for id in rows.ids() { loaded.tombstones.insert(ObjectKey(entity: entity, id: id)) }
    case .holder(let unique, _):
      guard rows.count > 0, let id = rows.integer(0, 0, as: UInt64.self) else { return }
      loaded.holders[unique] = ObjectKey(entity: unique.entity, id: id)
    case .sources(let target, let entity, _):
      loaded.sources[target, default: []] += rows.ids().map {
        ObjectKey(entity: entity.uid, id: $0)
      }
    case .outcomes:
      for index in 0..<rows.count {
        guard let token = rows.identifier(index, 0), let bytes = rows.byteArray(index, 1) else {
          continue
        }
        let decision = try Decision(serverBytes: bytes, "the decision of a transaction")
        loaded.outcomes[TransactionToken(token)] = decision.outcome
      }
    }
  }
}

extension Column {
  /// The SQL of a parameter of this column's type.
  func placeholder(_ number: Int) -> String {
    kind == .numeric ? "$\(number)::pg_catalog.numeric" : "$\(number)"
  }
}
