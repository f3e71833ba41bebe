package import ObjectBox

/// A new object, or new values of a stored one.
package struct DynamicEdit: Sendable {
  /// The ID of the entity.
  package var entity: UInt32
  /// The ID of the object; nil for a new one.
  package var id: UInt64?
  /// The targets of to-one relations, by the IDs of their entities.
  package var targets: [(entity: UInt32, id: UInt64)]
  /// Checks whether the edit is allowed for the stored objects, and throws otherwise.
  ///
  /// Gets the object's record, nil when there is none, and the indices of the missing targets. Runs
  /// again when the transaction conflicts with others.
  package var check: @Sendable (_ stored: RecordReader?, _ missing: [Int]) throws -> Void
  /// Passes the new values to a function; other properties keep their values.
  package var fill: @Sendable (_ set: (PropertySchema, ExactValue) -> Void) throws -> Void

  package init(
    entity: UInt32,
    id: UInt64?,
    targets: [(entity: UInt32, id: UInt64)],
    check: @escaping @Sendable (RecordReader?, [Int]) throws -> Void,
    fill: @escaping @Sendable ((PropertySchema, ExactValue) -> Void) throws -> Void
  ) {
    self.entity = entity
    self.id = id
    self.targets = targets
    self.check = check
    self.fill = fill
  }
}

/// Edits of objects, each of them one transaction.
extension DynamicCluster {
  /// Stores a new object, or changes the named properties of a stored one.
  ///
  /// - Parameter edit: The object, its values and the checks.
  /// - Returns: The ID of the object.
  /// - Throws: The errors of the edit's functions; `ObjectBoxError` for values that cannot be stored; ``ClusterError``.
  package func put(_ edit: DynamicEdit) async throws -> UInt64 {
    let table = try table(edit.entity)
    return try await write { transaction in
      let targets = try edit.targets.map { try exists($0.id, in: self.table($0.entity)) }
      let reading = edit.id.map { id in
        Statement(table.selectOne) { $0.append(id: id) }
      }
      let rows = try await transaction.run([modelCheck] + targets + [reading].compactMap(\.self))
      try checkModel(rows[0])
      let missing = edit.targets.indices.filter { !(rows[1 + $0].bool(0, 0) ?? false) }
      var stored: RecordRow?
      if edit.id != nil, let found = rows.last, found.count > 0 {
        stored = try RowEncoding(table.table).row(found, 0)
      }
      let buffer = transaction.buffer
      let id = try await self.id(of: edit, table, buffer)
      let row = try encode(edit, stored, missing, id, table.table)
      try buffer.add(row, of: edit.entity, isNew: edit.id == nil, mode: .put)
      try await buffer.removeReplaced(in: transaction)
      return id
    }
  }

  private func id(
    of edit: DynamicEdit,
    _ table: WriteTable,
    _ buffer: WriteBuffer
  ) async throws -> UInt64 {
    if let id = edit.id { return id }
    var id: UInt64 = 0
    try await buffer.encoding { id = try buffer.chooseID(given: 0, mode: .put, table) }
    return id
  }

  private func encode(
    _ edit: DynamicEdit,
    _ stored: RecordRow?,
    _ missing: [Int],
    _ id: UInt64,
    _ table: ClusterTable
  ) throws -> RecordRow {
    func record(_ reader: RecordReader?) throws -> RecordRow {
      try edit.check(reader, missing)
      let builder = FlatBufferBuilder(layout: table.layout)
      // The builder owns the bytes.
      return try withExtendedLifetime(builder) {
        let bytes = try builder.record(
          of: table.schema,
          id: id,
          keeping: reader,
          edit.fill
        )
        return RecordRow(id: id, record: [UInt8](bytes))
      }
    }
    let row = try stored.map { try $0.reading(table) { try record($0) } } ?? record(nil)
    try row.reading(table) { try table.check($0) }
    return row
  }

  /// Removes objects, and applies the model's delete rules.
  ///
  /// - Parameters:
  ///   - ids: IDs; IDs without an object are skipped.
  ///   - entity: The ID of the entity.
  /// - Returns: The number of given IDs that had an object.
  /// - Throws: `ObjectBoxError.constraintViolated` when a relation forbids it; ``ClusterError``.
  package func remove(_ ids: [UInt64], of entity: UInt32) async throws -> Int {
    let table = try table(entity)
    let ids = Set(ids.filter { $0 <= IDCounters.maximumID }).sorted()
    return try await write { transaction in
      try checkModel(try await transaction.run([modelCheck])[0])
      var removal = ClusterRemoval(in: transaction, of: table)
      return try await removal.run(ids, of: table)
    }
  }

  /// Adds targets to a standalone relation of an object, and removes others from it.
  ///
  /// - Parameters:
  ///   - relation: The ID of the relation.
  ///   - source: The ID of the object at the relation's source.
  ///   - added: IDs of objects at the relation's target end.
  ///   - removed: IDs like `added`; objects that are not related are skipped.
  /// - Throws: `ObjectBoxError`: `notFound` when the source or an added target does not exist,
  ///   `illegalArgument` for a relation that the model lacks; ``ClusterError``.
  package func relate(
    _ relation: UInt32,
    of source: UInt64,
    add added: [UInt64],
    remove removed: [UInt64]
  ) async throws {
    guard let pairs = cluster.tables.pairs(relation: relation) else {
      throw ObjectBoxError.illegalArgument(message: "the database has no relation \(relation)")
    }
    let target = try table(pairs.schema.target.id)
    let ends = [(try table(pairs.source.identity.id), source)] + added.map { (target, $0) }
    try await write { transaction in
      let rows = try await transaction.run([modelCheck] + ends.map { exists($0.1, in: $0.0) })
      try checkModel(rows[0])
      for (end, row) in zip(ends, rows.dropFirst()) where !(row.bool(0, 0) ?? false) {
        throw ObjectBoxError.notFound(message: "there is no '\(end.0.name)' with ID \(end.1)")
      }
      for id in added {
        transaction.buffer.set(RelationPair(source: source, target: id), of: relation, to: true)
      }
      for id in removed {
        transaction.buffer.set(RelationPair(source: source, target: id), of: relation, to: false)
      }
    }
  }

  private func write<R>(_ body: (ClusterTransaction) async throws -> R) async throws -> R {
    // Otherwise the server's refusal would look like a replica's, and start the search for a primary.
    guard !cluster.pool.configuration.isReadOnly else {
      throw ObjectBoxError.readOnly(
        message: "the database was opened to be read only; open it to write"
      )
    }
    return try await cluster.write(body)
  }

  private func table(_ entity: UInt32) throws -> WriteTable {
    guard let table = cluster.writing.table(entity) else {
      throw ObjectBoxError.illegalArgument(message: "the database has no entity \(entity)")
    }
    return table
  }

  private func exists(_ id: UInt64, in table: WriteTable) -> Statement {
    let (name, column) = (table.table.name, table.table.id.name)
    return Statement("SELECT EXISTS (SELECT FROM \(name) WHERE \(column) = $1)") {
      // No ID is above the greatest signed number.
      $0.append(id: id)
    }
  }
}
