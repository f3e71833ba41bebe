internal import ObjectBox

/// The effects of delete rules on objects that a removal does not name.
package struct RemovalEffects: Sendable {
  /// An object, by the UID of its entity.
  package struct Object: Hashable, Sendable {
    package let entity: UInt64
    package let id: UInt64
  }

  /// Objects that are also removed.
  package fileprivate(set) var removed: Set<Object> = []
  /// The UIDs of the to-one relations that end, by their object.
  package fileprivate(set) var ended: [Object: Set<UInt64>] = [:]

  package var isEmpty: Bool { removed.isEmpty && ended.isEmpty }
}

/// A removal of objects and of the objects that delete rules remove with them.
///
/// First finds the objects level by level, in one round trip each. Then checks for remaining
/// objects that restrict the removal. Only then adds the removing statements to the transaction's
/// buffer.
struct ClusterRemoval {
  private struct Member: Hashable {
    var entity: UInt32
    var id: UInt64
  }

  /// A relation between a member and an object that a delete rule affects.
  private struct Connection {
    var member: Member
    var other: Member
    var rule: DeleteRule
    /// The relation's name for messages.
    var relation: String
    /// The to-one property of the other object; nil for a standalone relation.
    var property: UInt32?
  }

  /// A statement that finds connections, and the decoding of its rows.
  private struct Search {
    var statement: Statement
    var connections: (ResultRows) -> [Connection]
  }

  private let transaction: ClusterTransaction
  private let state: WriteState
  /// Objects that are being put, which no rule may remove.
  private let kept: Set<Member>
  private var members: [Member] = []
  private var known: Set<Member> = []
  private var connections: [Connection] = []

  /// Creates an empty removal.
  ///
  /// - Parameters:
  ///   - transaction: The transaction of the removal.
  ///   - kept: IDs of the entity's objects that must not be removed.
  ///   - table: The entity.
  init(
    in transaction: ClusterTransaction,
    keeping kept: some Sequence<UInt64> = [UInt64](),
    of table: WriteTable
  ) {
    self.transaction = transaction
    state = transaction.cluster.writing
    self.kept = Set(kept.map { Member(entity: table.entityID, id: $0) })
  }

  /// Removes objects of one entity.
  ///
  /// - Parameters:
  ///   - ids: Their IDs; nil for all objects.
  ///   - table: The entity.
  ///   - check: Checks the effects before anything is removed; throws to prevent them.
  /// - Returns: The number of given objects that existed.
  /// - Throws: `ObjectBoxError.constraintViolated` when a remaining object restricts it, before anything is removed;
  ///   errors of `check`; errors of the server.
  mutating func run(
    _ ids: [UInt64]?,
    of table: WriteTable,
    checking check: (RemovalEffects) async throws -> Void = { _ in }
  ) async throws -> Int {
    let selection = "SELECT \(table.table.id.name) FROM \(table.table.name)"
    let existing =
      if let ids {
        Statement("\(selection) WHERE \(table.table.id.name) = ANY($1) FOR UPDATE") {
          $0.append(ids: ids)
        }
      } else {
        Statement("\(selection) FOR UPDATE")
      }
    // With IDs, the first level of connections comes in the same round trip.
    let searches = ids.map { self.searches($0, table) } ?? []
    let results = try await transaction.run([existing] + searches.map(\.statement))
    for id in results[0].ids().sorted() { add(Member(entity: table.entityID, id: id)) }
    let count = members.count
    var level = members
    if ids != nil {
      level = take(zip(searches, results.dropFirst()).flatMap { $0.connections($1) })
    }
    while !level.isEmpty {
      let groups = Dictionary(grouping: level, by: \.entity).sorted { $0.key < $1.key }
      let searches = groups.flatMap { entity, members in
        state.table(entity).map { self.searches(members.map(\.id), $0) } ?? []
      }
      if searches.isEmpty { break }
      let results = try await transaction.run(searches.map(\.statement))
      level = take(zip(searches, results).flatMap { $0.connections($1) })
    }
    try checkRestrictions()
    try await check(effects(behind: count))
    try addStatements()
    return count
  }

  private mutating func add(_ member: Member) {
    if !kept.contains(member), known.insert(member).inserted { members.append(member) }
  }

  /// Stores the connections of members; returns new members that rules add.
  private mutating func take(_ found: [Connection]) -> [Member] {
    let count = members.count
    for connection in found where known.contains(connection.member) {
      connections.append(connection)
      if connection.rule == .cascade { add(connection.other) }
    }
    return Array(members.dropFirst(count))
  }

  // MARK: Searching

  private func searches(_ ids: [UInt64], _ table: WriteTable) -> [Search] {
    var searches = table.incoming.map { incoming in
      let source = incoming.source
      let property = incoming.column.property
      return search(
        "SELECT \(incoming.column.name), \(source.id.name) FROM \(source.name) WHERE \(incoming.column.name) = ANY($1)",
        ids,
        table,
        source.schema.identity.id,
        incoming.rule,
        "to-one relation '\(source.schema.name).\(property.name)'",
        property.identity.id
      )
    }
    for pairs in table.relations {
      let (source, target) = (pairs.source.identity.id, pairs.schema.target.id)
      let words =
        "to-many relation from '\(pairs.source.name)' to '\(state.table(target)?.name ?? "")'"
      func add(_ end: String, _ otherEnd: String, _ other: UInt32, _ rule: DeleteRule) {
        guard rule != .nullify, let objects = state.table(other)?.table else { return }
        // The join leaves out the missing objects of pairs: rules concern objects.
        let sql =
          "SELECT p.\(end), p.\(otherEnd) FROM \(pairs.name) p JOIN \(objects.name) o "
          + "ON o.\(objects.id.name) = p.\(otherEnd) WHERE p.\(end) = ANY($1)"
        searches.append(search(sql, ids, table, other, rule, words))
      }
      if source == table.entityID { add("source", "target", target, pairs.schema.onDelete) }
      if target == table.entityID { add("target", "source", source, pairs.schema.onTargetDelete) }
    }
    return searches
  }

  private func search(
    _ sql: String,
    _ ids: [UInt64],
    _ table: WriteTable,
    _ other: UInt32,
    _ rule: DeleteRule,
    _ relation: String,
    _ property: UInt32? = nil
  ) -> Search {
    let entity = table.entityID
    return Search(statement: Statement(sql) { $0.append(ids: ids) }) { rows in
      zip(rows.ids(column: 0), rows.ids(column: 1)).map { id, otherID in
        Connection(
          member: Member(entity: entity, id: id),
          other: Member(entity: other, id: otherID),
          rule: rule,
          relation: relation,
          property: property
        )
      }
    }
  }

  // MARK: Deciding

  private func checkRestrictions() throws {
    for connection in connections
    where connection.rule == .restrict && !known.contains(connection.other) {
      let (member, other) = (connection.member, connection.other)
      throw ObjectBoxError.constraintViolated(
        message: "cannot remove '\(state.table(member.entity)?.name ?? "")' with ID \(member.id): "
          + "'\(state.table(other.entity)?.name ?? "")' with ID \(other.id) is connected with it by the "
          + "\(connection.relation), which has onDelete = \"restrict\"; remove that object as well, or "
          + "disconnect the two first"
      )
    }
  }

  /// Returns the effects on objects after the first members.
  private func effects(behind count: Int) -> RemovalEffects {
    func object(_ member: Member) -> RemovalEffects.Object? {
      state.table(member.entity).map { .init(entity: $0.entityUID, id: member.id) }
    }
    var effects = RemovalEffects()
    effects.removed = Set(members.dropFirst(count).compactMap(object))
    for connection in connections where !known.contains(connection.other) {
      guard let property = connection.property, let other = object(connection.other),
        let column = state.table(connection.other.entity)?.table.column(property: property)
      else { continue }
      effects.ended[other, default: []].insert(column.property.identity.uid)
    }
    return effects
  }

  /// Adds the statements: clear references first, then remove relation entries, then objects.
  private func addStatements() throws {
    let buffer = transaction.buffer
    var cleared: [UInt32: [UInt32: Set<UInt64>]] = [:]
    for connection in connections where !known.contains(connection.other) {
      guard let property = connection.property else { continue }
      cleared[connection.other.entity, default: [:]][property, default: []].insert(
        connection.other.id
      )
    }
    let groups = Dictionary(grouping: members, by: \.entity).mapValues { $0.map(\.id).sorted() }
    for (entity, properties) in cleared.sorted(by: { $0.key < $1.key }) {
      for (property, ids) in properties.sorted(by: { $0.key < $1.key }) {
        guard let table = state.table(entity), let column = table.table.column(property: property),
          let target = table.targetID(of: column, in: transaction.cluster.tables)
        else { continue }
        buffer.noteChanges(of: ids, in: table.entityUID)
        try buffer.add(
          Statement(
            "UPDATE \(table.table.name) SET \(column.name) = NULL "
              + "WHERE \(table.table.id.name) = ANY($1) AND \(column.name) = ANY($2)"
          ) { parameters in
            parameters.append(ids: ids.sorted())
            parameters.append(ids: groups[target] ?? [])
          }
        )
      }
    }
    for (entity, ids) in groups.sorted(by: { $0.key < $1.key }) {
      guard let table = state.table(entity) else { continue }
      try buffer.remove(ids, of: table)
    }
  }
}

extension WriteTable {
  /// Returns the ID of a to-one relation's target entity.
  fileprivate func targetID(of column: Column, in tables: ClusterTables) -> UInt32? {
    column.property.targetEntityName.flatMap { tables.table(named: $0)?.schema.identity.id }
  }
}

extension WriteBuffer {
  /// Removes objects and their entries in standalone relations, without checking other objects.
  ///
  /// - Parameters:
  ///   - ids: IDs; IDs without an object are skipped.
  ///   - table: The entity.
  ///   - receiver: Gets the number of removed objects after the flush.
  /// - Throws: `ObjectBoxError` when an unwritten row cannot be read.
  func remove(
    _ ids: [UInt64],
    of table: WriteTable,
    _ receiver: ((Int) -> Void)? = nil
  ) throws {
    for pairs in table.relations {
      for (column, entity) in [
        ("source", pairs.source.identity.id), ("target", pairs.schema.target.id),
      ] where entity == table.entityID {
        try add(
          Statement("DELETE FROM \(pairs.name) WHERE \(column) = ANY($1)") { $0.append(ids: ids) }
        )
      }
    }
    let sql = "DELETE FROM \(table.table.name) WHERE \(table.table.id.name) = ANY($1)"
    // Locks in the order of the IDs, in the same way as puts.
    if ids.count > 1 {
      try add(
        Statement(
          "SELECT FROM \(table.table.name) WHERE \(table.table.id.name) = ANY($1) "
            + "ORDER BY \(table.table.id.name) FOR UPDATE"
        ) { $0.append(ids: ids) }
      )
    }
    try add(Statement(sql) { $0.append(ids: ids) }) { receiver?($0.changedCount) }
    noteChanges(of: ids, in: table.entityUID)
  }

  /// Removes all objects of an entity without delete rules, with their relation entries and all
  /// references to them.
  func removeAll(of table: WriteTable, _ receiver: @escaping (Int) -> Void) throws {
    for incoming in table.incoming where incoming.source.schema.identity.id != table.entityID {
      let name = incoming.column.name
      try add(
        Statement("UPDATE \(incoming.source.name) SET \(name) = NULL WHERE \(name) IS NOT NULL")
      )
      noteChangesOfAll(in: incoming.source.schema.identity.uid)
    }
    for pairs in table.relations { try add(Statement("DELETE FROM \(pairs.name)")) }
    try add(Statement("DELETE FROM \(table.table.name)")) { receiver($0.changedCount) }
    noteChangesOfAll(in: table.entityUID)
  }
}
