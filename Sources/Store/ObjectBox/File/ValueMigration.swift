internal import ObjectBoxStorage

/// Fills new properties of one entity from properties of earlier models.
///
/// Runs in the write transaction that upgrades the file, before indexes are built. The new records
/// keep the values of all earlier properties, so an earlier model that comes back finds them.
struct ValueMigration {
  /// Number of objects between two reports of progress.
  private static let step = 10_000

  private let migration: EntityMigration
  private let transaction: StorageTransaction
  private let options: StoreFile.Options
  private let layouts: [RecordLayout.Definition]
  /// The entity with all properties that migrated records have.
  private let wide: EntitySchema
  /// Reads all records with these properties.
  private let records: RecordTable
  /// Makes records without the values of the function of whole objects.
  private let first: FlatBufferBuilder
  /// Makes records with these values, from records of `first`.
  private let second: FlatBufferBuilder
  /// The layout of migrated records without properties that the model lacks.
  private let visible: RecordLayout

  private var entity: EntitySchema { migration.entity }

  /// Prepares the migration of a table; the last but one of its layouts is the layout of migrated records.
  init(
    _ migration: EntityMigration,
    of stored: RecordTable,
    in transaction: StorageTransaction,
    _ options: StoreFile.Options
  ) {
    self.migration = migration
    self.transaction = transaction
    self.options = options
    layouts = stored.layouts.map(\.definition)
    let wide = migration.entity.keepingValues(of: layouts)
    let checksum = stored.checksum
    self.wide = wide
    records = RecordTable(
      entityName: wide.name,
      objects: stored.objects,
      layouts: layouts.map { RecordLayout($0, hiding: $0.hiddenIDs(in: wide), checksum: checksum) },
      currentLayout: RecordLayout(layouts[layouts.count - 2], checksum: checksum),
      checksum: checksum,
      quoting: stored.quoting
    )
    first = FlatBufferBuilder(layout: records.currentLayout)
    second = FlatBufferBuilder(layout: records.currentLayout)
    let known = Set(migration.entity.properties.map(\.identity.id))
    visible = RecordLayout(
      records.currentLayout.definition,
      hiding: Set(wide.properties.map(\.identity.id)).subtracting(known)
    )
  }

  /// The origin of a value in a migrated record: the old record, unless one of the others is set.
  private struct Step {
    let propertyID: UInt32
    var migration: PropertyMigration?
    /// True if the function of whole objects makes the value.
    var isMade = false
  }

  /// The steps of the records of one layout.
  private struct Plan {
    /// The values of a migrated record, in their order there; empty for records that need no
    /// migration.
    var steps: [Step]
    var makesValues: Bool
  }

  /// Migrates the objects of the entity.
  ///
  /// - Parameter model: The program's model.
  /// - Throws: ``ObjectBoxError/schema(message:)`` with the object and its value when a function
  ///   throws; the errors of reading and writing the file.
  /// - Complexity: O(objects).
  func run(in model: StoreSchema) throws {
    try check()
    let plans = layouts.map(plan)
    let body = try migration.object?.begin(model)
    var progress = MigrationProgress(
      entityName: entity.name,
      completedCount: 0,
      totalCount: try transaction.count(records.objects)
    )
    let report = options.onMigration
    report?(progress)
    let cursor = transaction.writeCursor(records.objects)
    var next = try cursor.first()
    while let entry = next {
      // The first put makes the entry invalid.
      let id = entry.id
      let stored = try records.reader(entry.record, id: id)
      let plan = plans[Int(RecordLayout.number(of: entry.record) ?? 0)]
      if !plan.steps.isEmpty {
        // A new checksum would hide the damage.
        try records.check(stored)
        let record = try record(plan, of: stored, body)
        let isSameSize = record.count == entry.record.count
        try cursor.put(id: id, record: record, at: isSameSize ? .current : .unknown)
        if !isSameSize { _ = try cursor.record(id: id) }
      }
      progress.completedCount += 1
      if progress.completedCount.isMultiple(of: Self.step) { report?(progress) }
      next = try cursor.next()
    }
    if !progress.completedCount.isMultiple(of: Self.step) { report?(progress) }
  }

  /// Returns the migrated record of an object, valid until the next call.
  private func record(
    _ plan: Plan,
    of stored: RecordReader,
    _ body: ObjectMigration.Body?
  ) throws -> UnsafeRawBufferPointer {
    let copied = try first.record(of: wide, id: stored.id) {
      for step in plan.steps where !step.isMade {
        guard let migration = step.migration else {
          first.scratch.copy(propertyID: step.propertyID, from: stored)
          continue
        }
        do { try migration.body(stored, first) } catch {
          throw failure(migration.failure(error, of: entity, stored, records.quoting))
        }
      }
    }
    guard plan.makesValues, let object = migration.object, let body else { return copied }
    let reader = try records.reader(copied, id: stored.id)
    let made: RecordReader
    do {
      let old = OldValues(of: stored, object.sources, entityName: entity.name)
      let present = RecordReader(record: copied, id: stored.id, layout: visible.view)
      made = try body(old, present ?? reader)
    } catch {
      throw failure(object.failure(error, of: entity, stored, records.quoting))
    }
    return try second.record(of: wide, id: stored.id) {
      for step in plan.steps {
        second.scratch.copy(propertyID: step.propertyID, from: step.isMade ? made : reader)
      }
    }
  }

  /// The error of a function of the program that threw.
  private func failure(_ words: String) -> ObjectBoxError {
    SchemaChecks(location: options.location).fault(words + "; the store stays as it was")
  }

  /// Returns the steps for the records of a layout.
  private func plan(for layout: RecordLayout.Definition) -> Plan {
    let target = records.currentLayout
    let ordered = wide.properties.filter { !$0.has(.id) }.sorted {
      target.field(propertyID: $0.identity.id).offset
        < target.field(propertyID: $1.identity.id).offset
    }
    let steps = ordered.compactMap { property -> Step? in
      let id = property.identity.id
      if layout.property(property) != nil { return Step(propertyID: id) }
      let isMade = migration.object?.propertyIDs.contains(id) ?? false
      if isMade { return Step(propertyID: id, isMade: true) }
      let single = migration.properties.first { $0.propertyID == id }
      return single.map { Step(propertyID: id, migration: $0) }
    }
    let makesValues = steps.contains(where: \.isMade)
    let isNeeded = makesValues || steps.contains { $0.migration != nil }
    return Plan(steps: isNeeded ? steps : [], makesValues: makesValues)
  }

  /// Checks the types of the old properties.
  private func check() throws {
    for stored in layouts.flatMap(\.properties) {
      let single = migration.properties.lazy.filter {
        $0.source.identity.id == stored.id && $0.source.identity.uid == stored.uid
      }.compactMap { $0.fault(reading: stored.type, of: entity) }.first
      let identity = SchemaIdentity(id: stored.id, uid: stored.uid)
      let whole = migration.object?.fault(reading: stored.type, of: identity, in: entity)
      if let fault = single ?? whole {
        throw SchemaChecks(location: options.location).fault(fault)
      }
    }
  }
}
