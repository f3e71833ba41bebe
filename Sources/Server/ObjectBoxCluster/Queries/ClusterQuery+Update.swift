public import ObjectBox

extension ClusterQuery {
  /// Sets properties of all results to new values, without making objects: by one UPDATE statement.
  ///
  /// The effect equals a get and a put of each result by ascending ID, also for unique values and observers. Properties
  /// that are not set keep their stored values. An object that already has the values counts as changed, as with a put.
  ///
  ///     let updated = try await notes.query { Note.stars == 0 }.update {
  ///       $0.set(Note.isPinned, to: false)
  ///       $0.set(Note.created, to: nil)
  ///     }
  ///
  /// Runs in the query's transaction, or in a new one. One round trip; but if a set value is unique and replaces the
  /// object that has it, the results are read and put again.
  ///
  /// - Parameter change: Sets the values; called once, before anything is sent.
  /// - Returns: The number of results; 0 if no value was set.
  /// - Throws: The error of the block; `ObjectBoxError`: `illegalArgument` for a value that
  ///   PostgreSQL cannot hold, and for the ID; `uniqueViolation`. ``ClusterError``.
  @discardableResult
  public func update(_ change: (inout ObjectUpdate<E>) throws -> Void) async throws -> UInt64 {
    try check()
    var update = ObjectUpdate<E>()
    try change(&update)
    guard !update.values.isEmpty else { return 0 }
    let table = try table()
    let values = try RecordUpdate(
      update.values,
      of: table.schema,
      in: FlatBufferBuilder(layout: table.layout)
    )
    try RecordRow(id: 0, record: values.values).reading(table, table.check)
    guard case .newest(let cluster) = source else { return try await run(values, of: table) }
    return try await cluster.write { transaction in
      var query = self
      query.source = .transaction(transaction)
      return try await query.run(values, of: table)
    }
  }

  /// Changes the results in the query's transaction.
  private func run(_ values: RecordUpdate, of table: ClusterTable) async throws -> UInt64 {
    guard case .transaction(let transaction) = source else { return 0 }
    let write = try transaction.buffer.table(table.schema.identity.id)
    let properties = Set(values.properties.map(\.identity.id))
    let replaces = write.uniques.contains { unique in
      unique.replaces && unique.properties.contains { properties.contains($0.identity.id) }
    }
    var plain = self
    plain.selection.orders = []
    let run = try await plain.run()
    if replaces { return try await put(values, run, write, transaction) }
    let columns = write.columns.filter { properties.contains($0.column.property.identity.id) }
    let statement = try RecordRow(id: 0, record: values.values).reading(table) {
      try run.update(columns, to: $0)
    }
    let ids = try await transaction.run([statement])[0].ids()
    transaction.buffer.noteChanges(of: ids, in: write.entityUID)
    return UInt64(ids.count)
  }

  /// Puts the records of the results with new values.
  private func put(
    _ values: RecordUpdate,
    _ run: QueryRun,
    _ write: WriteTable,
    _ transaction: ClusterTransaction
  ) async throws -> UInt64 {
    let table = write.table
    let found = try await transaction.run([run.objects(offset: 0, limit: 0)])[0]
    let builder = FlatBufferBuilder(layout: table.layout)
    var rows: [RecordRow] = []
    try RowEncoding(table).forEachRecord(of: found, 0..<found.count) { id, record in
      let reader = try table.reader(of: record, id: id, table.layout.view)
      rows.append(RecordRow(id: id, record: [UInt8](try values.record(from: reader, in: builder))))
    }
    let buffer = transaction.buffer
    let isAlone = !transaction.cluster.writing.mayReplaceLinked(write.entityID)
    for row in rows {
      try buffer.add(row, of: write.entityID, isNew: false, mode: .put)
      if isAlone { continue }
      // A row may replace an earlier one, which must be stored to be removed with its relations.
      try await buffer.removeReplaced(in: transaction)
      _ = try await transaction.run([])
    }
    _ = try await transaction.run([])
    return UInt64(rows.count)
  }
}

extension QueryRun {
  /// Returns the statement that changes the results and returns their IDs.
  ///
  /// - Parameters:
  ///   - columns: The columns to change.
  ///   - record: A record with the new values.
  /// - Returns: The statement.
  /// - Throws: `ObjectBoxError` when the condition does not fit the model.
  fileprivate func update(_ columns: [WriteColumn], to record: RecordReader) throws -> Statement {
    var rendering = ConditionRendering(tables)
    let alias = rendering.newAlias()
    let assignments = columns.map { column in
      let value = rendering.parameter { parameters in
        parameters.appendOptional(column.column.kind.type) { column.append(record, to: &$0) }
      }
      return "\(column.name) = \(column.column.insertion(value))"
    }
    var sql = "UPDATE \(table.name) AS \(alias) SET \(assignments.joined(separator: ", "))"
    if let condition { sql += " WHERE \(try rendering.sql(condition, of: table, as: alias))" }
    return Statement(sql + " RETURNING \(alias).\(table.id.name)", rendering.parameters)
  }
}
