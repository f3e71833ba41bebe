internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Writes the effects of a decision.
struct RowWriting {
  let serverLog: ServerLog
  let rules: SyncRules

  /// Writes changes in the transaction that decided them.
  ///
  /// Takes at most two round trips, and further ones for delete rules.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - old: The rows before.
  ///   - transaction: The transaction.
  ///   - check: Checks the effects of delete rules on other objects before they are applied; throws to prevent them.
  /// - Throws: ``Rejection`` for a value that a column cannot have; `ObjectBoxError`: `constraintViolated` if a delete
  ///   rule forbids a removal, `uniqueViolation` if another transaction has stored a unique value in the meantime;
  ///   errors of `check`; `ClusterError`.
  func write(
    _ changes: Changes,
    over old: LoadedRows,
    in transaction: ClusterTransaction,
    checking check: (RemovalEffects) async throws -> Void
  ) async throws {
    var ids: [EntityUID: [UInt64]] = [:]
    var removed: [EntityUID: [UInt64]] = [:]
    var first: [Statement] = []
    var last: [Statement] = []
    let takers = takers(of: changes)
    for (key, row) in changes.rows.sorted(by: { $0.key < $1.key }) {
      guard let entity = serverLog.entity(key.entity) else { continue }
      let before = old.rows[key] ?? nil
      if let before { first += freeing(before, row, at: key, entity, takers) }
      guard let row else {
        guard let before else { continue }
        removed[key.entity, default: []].append(key.id)
        first += disconnecting(before, at: key, entity, changes)
        continue
      }
      ids[key.entity, default: []].append(key.id)
      // Pairs are separate rows: an object that only loses pairs is not written.
      var kept = before
      kept?.pairs = row.pairs
      if kept != row { last.append(try upsert(row, at: key, entity)) }
      if old.tombstones.contains(key) { last.append(forgetting(key)) }
    }
    for (key, row) in changes.rows.sorted(by: { $0.key < $1.key }) {
      guard let row, let entity = serverLog.entity(key.entity) else { continue }
      last += pairs(from: (old.rows[key] ?? nil)?.pairs ?? [], to: row.pairs, at: key, entity)
    }
    for key in changes.tombstones.sorted() where serverLog.entity(key.entity) != nil {
      last.append(burial(key))
    }
    if rules.entities.values.contains(where: { $0.mode != .arrival }) {
      first.insert(StampTrigger.deciding, at: 0)
    }
    _ = try await transaction.run(first + last)
    // Removals come last, so that delete rules find the relations after the changes.
    for (uid, ids) in removed.sorted(by: { $0.key < $1.key }) {
      guard let entity = serverLog.entity(uid) else { continue }
      try await transaction.remove(
        ids,
        entity: entity.table.schema.identity.id,
        checking: check
      )
    }
    for (entity, ids) in ids { transaction.noteChanges(of: ids, in: entity.value) }
  }

  // MARK: Objects

  /// Returns the statement that inserts or updates an object.
  private func upsert(_ row: Row, at key: ObjectKey, _ entity: SyncedEntity) throws -> Statement {
    let columns = entity.table.columns.dropFirst()
    var statement = Statement("")
    statement.parameters.append(id: key.id)
    var values = ["$1"]
    for column in columns {
      let value = row.values[column.uid] ?? .null
      if value == .null {
        statement.parameters.appendNull(column.kind.type)
      } else if !ServerValue.append(value, as: column.kind, to: &statement.parameters) {
        throw Rejection(entity: key.entity, property: column.uid, reason: .value)
      }
      values.append(column.placeholder(statement.parameters.count))
    }
    statement.parameters.append(id: row.originID.bits)
    statement.parameters.append(PostgresType.bytea, row.stamp.serverBytes)
    if row.stamps.isEmpty {
      statement.parameters.appendNull(PostgresType.bytea)
    } else {
      statement.parameters.append(PostgresType.bytea, row.stamps.serverBytes)
    }
    let count = statement.parameters.count
    values += ["$\(count - 2)", "$\(count - 1)", "$\(count)"]
    var names =
      columns.map(\.name) + [ServerColumns.originID, ServerColumns.stamp, ServerColumns.stamps]
    for index in entity.table.texts {
      let words = TextValues(index, texts: index.texts.map { row.values[$0.uid]?.textBytes })
      TextValues.append(words, of: index, to: &statement.parameters)
      names += index.columnNames
    }
    values += (count..<statement.parameters.count).map { "$\($0 + 1)" }
    let id = entity.table.id.name
    statement.sql =
      "INSERT INTO \(entity.table.name) (\(([id] + names).joined(separator: ", "))) "
      + "VALUES (\(values.joined(separator: ", "))) ON CONFLICT (\(id)) DO UPDATE SET "
      + names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return statement
  }

  /// The unique values of objects after the changes, by entity.
  private typealias Takers = [EntityUID: [UniqueKey: ObjectKey]]

  private func takers(of changes: Changes) -> Takers {
    var takers: Takers = [:]
    for (key, row) in changes.rows {
      guard let row, rules[key.entity]?.uniques.isEmpty == false else { continue }
      for unique in rules.uniqueKeys(of: row, at: key) {
        takers[key.entity, default: [:]][unique] = key
      }
    }
    return takers
  }

  /// Returns the statements that clear unique values which another changed object gets: the database checks unique
  /// values after each statement.
  private func freeing(
    _ before: Row,
    _ row: Row?,
    at key: ObjectKey,
    _ entity: SyncedEntity,
    _ takers: Takers
  ) -> [Statement] {
    guard let constraints = rules[key.entity]?.uniques, let takers = takers[key.entity] else {
      return []
    }
    let freed = Set(rules.uniqueKeys(of: before, at: key))
      .subtracting(row.map { rules.uniqueKeys(of: $0, at: key) } ?? [])
    return freed.compactMap { unique in
      // The index may treat different texts as equal, including a removed object's.
      guard row == nil || takers[unique].map({ $0 != key }) ?? false,
        let column = constraints[unique.constraint].properties.first.flatMap(entity.column)
      else { return nil }
      return Statement(
        "UPDATE \(entity.table.name) SET \(column.name) = NULL WHERE \(entity.table.id.name) = $1"
      ) { $0.append(id: key.id) }
    }
  }

  /// Returns the statements that end the relations of a removed object to other objects that the changes remove.
  ///
  /// Delete rules are applied to one entity at a time, and would forbid a removal because of an object that is removed
  /// as well.
  private func disconnecting(
    _ before: Row,
    at key: ObjectKey,
    _ entity: SyncedEntity,
    _ changes: Changes
  ) -> [Statement] {
    func isRemoved(_ target: ObjectKey) -> Bool { changes.rows[target] == .some(nil) }
    var statements: [Statement] = []
    for (property, target) in rules[key.entity]?.relations ?? [:] {
      guard let column = entity.column(property), column.property.onDelete == .restrict,
        let id = before.values[property]?.integerValue, id != 0,
        isRemoved(ObjectKey(entity: target, id: UInt64(bitPattern: id)))
      else { continue }
      statements.append(
        Statement(
          "UPDATE \(entity.table.name) SET \(column.name) = NULL WHERE \(entity.table.id.name) = $1"
        ) { $0.append(id: key.id) }
      )
    }
    let restricted = entity.pairs.filter {
      $0.schema.onDelete == .restrict || $0.schema.onTargetDelete == .restrict
    }.map { PropertyUID($0.schema.identity.uid) }
    let ended = before.pairs.filter { restricted.contains($0.relation) && isRemoved($0.target) }
    return statements + pairs(from: ended, to: [], at: key, entity)
  }

  // MARK: Tombstones

  private func burial(_ key: ObjectKey) -> Statement {
    Statement(
      "INSERT INTO \(serverLog.tombstones) (entity, id) VALUES ($1, $2) "
        + "ON CONFLICT (entity, id) DO UPDATE SET at = excluded.at"
    ) {
      $0.append(id: key.entity.value)
      $0.append(id: key.id)
    }
  }

  private func forgetting(_ key: ObjectKey) -> Statement {
    Statement("DELETE FROM \(serverLog.tombstones) WHERE entity = $1 AND id = $2") {
      $0.append(id: key.entity.value)
      $0.append(id: key.id)
    }
  }

  // MARK: Pairs

  private func pairs(
    from old: [Pair],
    to new: [Pair],
    at key: ObjectKey,
    _ entity: SyncedEntity
  ) -> [Statement] {
    entity.pairs.flatMap { table in
      let relation = PropertyUID(table.schema.identity.uid)
      let before = Set(old.filter { $0.relation == relation })
      let after = Set(new.filter { $0.relation == relation })
      let targets = Set(after.map(\.target))
      let removed = before.filter { !targets.contains($0.target) }.map {
        pair in
        Statement("DELETE FROM \(table.name) WHERE source = $1 AND target = $2") {
          $0.append(id: key.id)
          $0.append(id: pair.target.id)
        }
      }
      let added = after.subtracting(before).sorted().map { pair in
        Statement(
          "INSERT INTO \(table.name) (source, target, \(ServerColumns.dot)) VALUES ($1, $2, $3) "
            + "ON CONFLICT (source, target) DO UPDATE SET \(ServerColumns.dot) = excluded.\(ServerColumns.dot)"
        ) {
          $0.append(id: key.id)
          $0.append(id: pair.target.id)
          $0.append(pair.dot.bits)
        }
      }
      return removed + added
    }
  }
}

extension PropertyValue {
  /// The UTF-8 of a text; nil for null.
  fileprivate var textBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
