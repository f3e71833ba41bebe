package import ObjectBoxStorage

/// The tables of a store file whose schema matches the model.
package struct StoreContent {
  var system: SystemTable?
  package var schema: StoreSchema
  package var tables: [EntityTable]
  package var relations: [RelationTable]
  package var retired = RetiredSchema()

  /// Opens the tables; upgrades the file first if its schema differs from the model.
  ///
  /// - Parameters:
  ///   - environment: The open file.
  ///   - stored: The schema in the file. This call ends its read transaction.
  ///   - model: The program's model.
  ///   - options: The options of the file.
  ///   - locks: The locks between processes; nil if no other process can have the file open.
  /// - Returns: The tables.
  /// - Throws: ``ObjectBoxError``. The file is unchanged then.
  static func load(
    from environment: StorageEnvironment,
    stored: StoredSchema,
    model: StoreSchema,
    options: StoreFile.Options,
    locks: ProcessLocks?
  ) throws -> StoreContent {
    var model = model
    model.takeRelationNames(from: stored.schema)
    let reading = stored.reading
    let version = reading.snapshotID
    let quoting = ValueQuoting(of: environment)
    let location = options.location
    let system = try openSystem(in: reading, location: location, quoting)
    let isSame = system != nil && stored.schema == model
    // Only tools use the names of relations. If another process has the store open, they are not
    // written, and the store opens without them.
    let isNamed = options.isReadOnly || stored.schema.relationNames == model.relationNames
    if let system, isSame, isNamed { return try open(model, system: system, in: stored) }
    reading.abort()
    guard !options.isReadOnly else {
      throw ObjectBoxError.schema(
        message:
          "cannot open store at '\(location)' read-only: its schema differs from the model's; "
          + "open it once without readOnly so that it is upgraded"
      )
    }
    func upgrade() throws -> StoreContent {
      try Self.upgrade(environment, from: version, to: model, options)
    }
    guard let locks else { return try upgrade() }
    // Other processes keep the schema and the table numbers in memory, where they must stay valid.
    if let upgraded = try locks.alone(upgrade) { return upgraded }
    let stored = try StoredSchema(in: environment)
    defer { stored.reading.abortUnlessEnded() }
    guard isSame, let system = try openSystem(in: stored.reading, location: location, quoting)
    else {
      throw SchemaChecks(location: location).fault(
        "its schema differs from the model's, and another process has it open; close it there so that "
          + "it is upgraded, or use the same model in both"
      )
    }
    return try open(model, system: system, in: stored)
  }

  /// Opens the tables of the schema in the file, and ends the read transaction.
  private static func open(
    _ schema: StoreSchema,
    system: SystemTable,
    in stored: StoredSchema
  ) throws -> StoreContent {
    var content = try open(schema, system: system, in: stored.reading)
    content.retired = stored.retired
    // Table handles stay valid only if the transaction that opened them commits.
    try stored.reading.commit()
    return content
  }

  /// Opens the system table; nil if there is none.
  ///
  /// A version that was checked is not checked again.
  private static func openSystem(
    in transaction: StorageTransaction,
    checksDigest: Bool = true,
    location: String,
    _ quoting: ValueQuoting
  ) throws -> SystemTable? {
    guard let table = try transaction.openTable(SystemTable.name, .plain, create: false) else {
      return nil
    }
    let system = SystemTable(table: table, quoting: quoting)
    let format = try system.format(in: transaction)
    guard format == SystemTable.formatVersion else {
      let refusal = SystemTable.refusal(of: format)
      throw SchemaChecks(location: location).fault("its file format is \(refusal)")
    }
    if checksDigest { try system.checkDigest(in: transaction) }
    return system
  }

  /// Upgrades the file; another process may have committed after the version that was checked.
  private static func upgrade(
    _ environment: StorageEnvironment,
    from checked: Int,
    to model: StoreSchema,
    _ options: StoreFile.Options
  ) throws -> StoreContent {
    let writing = try environment.beginWrite()
    do {
      let system: SystemTable
      let quoting = ValueQuoting(of: environment)
      let isChecked = writing.snapshotID == checked + 1
      if let existing = try openSystem(
        in: writing,
        checksDigest: !isChecked,
        location: options.location,
        quoting
      ) {
        system = existing
      } else {
        guard
          let table = try writing.openTable(SystemTable.name, .plain, create: true)
        else { throw StorageError(code: 0, call: "mdb_dbi_open") }
        system = SystemTable(table: table, quoting: quoting)
        try system.setFormat(in: writing)
      }
      let stored = try system.schema(in: writing)
      let comparison = try SchemaComparison(
        stored: stored,
        retired: try system.retired(in: writing),
        model: model,
        location: options.location
      ) { try system.layouts(of: $0, in: writing) }
      var content = try SchemaUpgrade(system: system, transaction: writing, options: options)
        .run(comparison, stored: stored, model: model)
      content.retired = try system.retired(in: writing)
      try system.writeDigest(in: writing)
      try writing.commit()
      return content
    } catch {
      // A failed `commit` has already ended the transaction.
      writing.abortUnlessEnded()
      throw error
    }
  }

  /// Opens the tables of the schema in the file.
  package static func open(
    _ schema: StoreSchema,
    system: SystemTable,
    in transaction: StorageTransaction
  ) throws -> StoreContent {
    let relations = try openRelations(schema, in: transaction)
    let links = EntityLinks.all(in: schema, relations: relations)
    var tables: [EntityTable] = []
    for (number, entity) in schema.entities.enumerated() {
      let id = entity.identity.id
      let objects = try openExisting(SystemTable.objects(entity: id), .objects, in: transaction)
      let checksum = RecordChecksum(entityUID: entity.identity.uid)
      let layouts = try system.layouts(of: entity, in: transaction).map {
        RecordLayout($0, hiding: $0.hiddenIDs(in: entity), checksum: checksum)
      }
      guard let current = layouts.last else {
        throw ObjectBoxError.fileCorrupt(
          message:
            "the store file has no record layout of '\(entity.name)'; \(ObjectBoxError.damageAdvice)"
        )
      }
      let records = RecordTable(
        entityName: entity.name,
        objects: objects,
        layouts: layouts,
        currentLayout: current,
        checksum: checksum,
        quoting: system.quoting
      )
      let indexes = try entity.properties.compactMap { property -> IndexDefinition? in
        guard let index = property.index, !property.hasVectorIndex else { return nil }
        let table = try openExisting(SystemTable.index(index.id), .index, in: transaction)
        return IndexDefinition(table: table, entity: entity.name, properties: [property])
      }
      let compoundIndexes = try entity.compoundIndexes.compactMap { index -> IndexDefinition? in
        let parts = entity.properties(ids: index.propertyIDs)
        guard parts.count > 1, parts.count == index.propertyIDs.count else { return nil }
        return IndexDefinition(
          table: try openExisting(SystemTable.index(index.identity.id), .index, in: transaction),
          entity: entity.name,
          properties: parts,
          isUnique: index.isUnique
        )
      }
      let derivedIndexes = try entity.indexTables.filter(\.isDerived).compactMap { index in
        let tables = try index.tables.map { try openExisting($0.name, $0.kind, in: transaction) }
        return DerivedIndexEngines.definition(ofIndex: index.id, tables: tables, in: entity)
      }
      let highest = try transaction.cursor(objects).lastObject()?.id ?? 0
      let kept = try system.sequence(entity: id, in: transaction)
      tables.append(
        EntityTable(
          number: number,
          schema: entity,
          records: records,
          indexes: indexes,
          compoundIndexes: compoundIndexes,
          links: links[number],
          derivedIndexes: derivedIndexes,
          lastID: max(highest, kept)
        )
      )
    }
    return StoreContent(system: system, schema: schema, tables: tables, relations: relations)
  }

  // MARK: Relations

  private static func openRelations(
    _ schema: StoreSchema,
    in transaction: StorageTransaction
  ) throws -> [RelationTable] {
    var opened: [RelationTable] = []
    for (number, entity) in schema.entities.enumerated() {
      for relation in entity.relations {
        let id = relation.identity.id
        guard let target = schema.index(ofEntity: relation.target.id) else {
          throw ObjectBoxError.schema(
            message: "relation \(id) of '\(entity.name)' leads to the entity with ID "
              + "\(relation.target.id), which the model lacks; run the generator again"
          )
        }
        opened.append(
          RelationTable(
            schema: relation,
            source: number,
            target: target,
            forward: try openExisting(SystemTable.relation(id), .index, in: transaction),
            backward: try openExisting(SystemTable.backlink(id), .index, in: transaction)
          )
        )
      }
    }
    return opened
  }

  package static func openExisting(
    _ name: String,
    _ kind: StorageTable.Kind,
    in transaction: StorageTransaction
  ) throws -> StorageTable {
    guard let table = try transaction.openTable(name, kind, create: false) else {
      throw ObjectBoxError.fileCorrupt(
        message: "the store file lacks its table '\(name)'; \(ObjectBoxError.damageAdvice)"
      )
    }
    return table
  }
}

/// The schema in a file that is being opened, and the read transaction that sees it.
struct StoredSchema {
  /// The read transaction, which is still open.
  let reading: StorageTransaction
  /// Empty for a new file.
  private(set) var schema = StoreSchema()
  private(set) var retired = RetiredSchema()

  /// Reads the schema of the newest version.
  ///
  /// - Throws: `StorageError` and ``ObjectBoxError`` when the schema is damaged. No transaction is
  ///   open then.
  init(in environment: StorageEnvironment) throws {
    reading = try environment.beginRead()
    guard let table = try reading.openTable(SystemTable.name, .plain, create: false) else { return }
    let system = SystemTable(table: table, quoting: ValueQuoting(of: environment))
    // ``StoreContent`` refuses a file of another version.
    guard try system.format(in: reading) == SystemTable.formatVersion else { return }
    schema = try system.schema(in: reading)
    retired = try system.retired(in: reading)
  }

  /// Number of tables, including the tables of retired elements.
  var tableCount: Int { schema.tableCount + retired.tableCount }
}

extension ValueQuoting {
  /// Makes the rule of an open file.
  init(of environment: StorageEnvironment) {
    self.init(isShown: environment.mirror?.showsValuesInErrors ?? true)
  }
}
