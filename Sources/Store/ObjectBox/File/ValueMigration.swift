internal import ObjectBoxStorage

/// Fills new properties of one entity from properties of earlier models.
///
/// Runs in the write transaction that upgrades the file, before indexes are built. The new records
/// keep the values of all earlier properties, so an earlier model that comes back finds them.
struct ValueMigration {
  /// Number of objects between two reports of progress.
  private static let step = 10_000

  let transaction: StorageTransaction
  let model: StoreSchema
  let location: String
  let report: (@Sendable (MigrationProgress) -> Void)?

  /// The origin of a value in a migrated record.
  private enum Step {
    case copy(propertyID: UInt32)
    case migrate(PropertyMigration)
    /// The function of whole objects makes the value.
    case make(propertyID: UInt32)

    var isMigration: Bool { if case .copy = self { false } else { true } }
    var isMade: Bool { if case .make = self { true } else { false } }
  }

  /// The steps of the records of one layout.
  private struct Plan {
    /// The values of a migrated record, in their order there; empty for records that need no
    /// migration.
    var steps: [Step]
    var makesValues: Bool
  }

  /// Migrates the objects of an entity.
  ///
  /// - Parameters:
  ///   - migration: The entity, and the functions to run.
  ///   - layouts: The layouts in the file. The last but one is the layout of migrated records.
  ///   - stored: The table of records.
  /// - Throws: ``ObjectBoxError/schema(message:)`` with the object and its value when a function
  ///   throws; the errors of reading and writing the file.
  /// - Complexity: O(objects).
  func run(
    _ migration: EntityMigration,
    _ layouts: [RecordLayout.Definition],
    in stored: RecordTable
  ) throws {
    let entity = migration.entity
    let wide = entity.keepingValues(of: layouts)
    let (objects, checksum) = (stored.objects, stored.checksum)
    let records = RecordTable(
      entityName: entity.name,
      objects: objects,
      layouts: layouts.map { RecordLayout($0, hiding: $0.hiddenIDs(in: wide), checksum: checksum) },
      currentLayout: RecordLayout(layouts[layouts.count - 2], checksum: checksum),
      checksum: checksum,
      quoting: stored.quoting
    )
    try check(migration, layouts)
    let plans = layouts.map { plan(migration, of: wide, for: $0, in: records.currentLayout) }
    let encoder = try MigratedRecordEncoder(migration, wide, records, model)
    var progress = MigrationProgress(
      entityName: entity.name,
      completedCount: 0,
      totalCount: try transaction.count(objects)
    )
    report?(progress)
    let cursor = transaction.writeCursor(objects)
    var next = try cursor.first()
    while let entry = next {
      // The first put makes the entry invalid.
      let id = entry.id
      let stored = try records.reader(entry.record, id: id)
      let plan = plans[Int(RecordLayout.number(of: entry.record) ?? 0)]
      if !plan.steps.isEmpty {
        // A new checksum would hide the damage.
        try records.check(stored)
        let record: UnsafeRawBufferPointer
        do { record = try encoder.record(plan, of: stored) } catch let failure as Failure {
          throw SchemaChecks(location: location).fault(
            failure.words + "; the store stays as it was"
          )
        }
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

  /// A function of the program that threw, in words.
  private struct Failure: Error {
    var words: String
  }

  /// Makes the migrated records of an entity.
  private struct MigratedRecordEncoder {
    private let entity: EntitySchema
    private let wide: EntitySchema
    private let records: RecordTable
    /// Makes records without the values of the function of whole objects.
    private let first: FlatBufferBuilder
    /// Makes records with these values, from records of `first`.
    private let second: FlatBufferBuilder
    /// The layout of migrated records without properties that the model lacks.
    private let visible: RecordLayout
    private let object: ObjectMigration?
    private let body: ObjectMigration.Body?

    init(
      _ migration: EntityMigration,
      _ wide: EntitySchema,
      _ records: RecordTable,
      _ model: StoreSchema
    ) throws {
      entity = migration.entity
      self.wide = wide
      self.records = records
      first = FlatBufferBuilder(layout: records.currentLayout)
      second = FlatBufferBuilder(layout: records.currentLayout)
      let known = Set(entity.properties.map(\.identity.id))
      visible = RecordLayout(
        records.currentLayout.definition,
        hiding: Set(wide.properties.map(\.identity.id)).subtracting(known)
      )
      object = migration.object
      body = try object?.begin(model)
    }

    /// Returns the migrated record of an object, valid until the next call.
    func record(_ plan: Plan, of stored: RecordReader) throws -> UnsafeRawBufferPointer {
      let copied = try first.record(of: wide, id: stored.id) {
        for step in plan.steps {
          switch step {
          case .copy(let id): first.scratch.copy(propertyID: id, from: stored)
          case .migrate(let migration):
            do { try migration.body(stored, first) } catch {
              throw Failure(words: migration.failure(error, of: entity, stored, records.quoting))
            }
          case .make: break
          }
        }
      }
      guard plan.makesValues, let object, let body else { return copied }
      let reader = try records.reader(copied, id: stored.id)
      let made: RecordReader
      do {
        let old = OldValues(of: stored, object.sources, entityName: entity.name)
        let present = RecordReader(record: copied, id: stored.id, layout: visible.view)
        made = try body(old, present ?? reader)
      } catch {
        throw Failure(words: object.failure(error, of: entity, stored, records.quoting))
      }
      return try second.record(of: wide, id: stored.id) {
        for step in plan.steps {
          switch step {
          case .copy(let id): second.scratch.copy(propertyID: id, from: reader)
          case .migrate(let migration):
            second.scratch.copy(propertyID: migration.propertyID, from: reader)
          case .make(let id): second.scratch.copy(propertyID: id, from: made)
          }
        }
      }
    }
  }

  /// Returns the steps for the records of a layout.
  private func plan(
    _ migration: EntityMigration,
    of wide: EntitySchema,
    for layout: RecordLayout.Definition,
    in target: RecordLayout
  ) -> Plan {
    let ordered = wide.properties.filter { !$0.has(.id) }.sorted {
      target.field(propertyID: $0.identity.id).offset
        < target.field(propertyID: $1.identity.id).offset
    }
    let steps = ordered.compactMap { property -> Step? in
      let id = property.identity.id
      if layout.property(property) != nil { return .copy(propertyID: id) }
      if migration.object?.propertyIDs.contains(id) == true { return .make(propertyID: id) }
      return migration.properties.first { $0.propertyID == id }.map(Step.migrate)
    }
    let isNeeded = steps.contains(where: \.isMigration)
    return Plan(steps: isNeeded ? steps : [], makesValues: steps.contains(where: \.isMade))
  }

  /// Checks the types of the old properties.
  private func check(
    _ migration: EntityMigration,
    _ layouts: [RecordLayout.Definition]
  ) throws {
    let entity = migration.entity
    for stored in layouts.flatMap(\.properties) {
      let single = migration.properties.lazy.filter {
        $0.source.identity.id == stored.id && $0.source.identity.uid == stored.uid
      }.compactMap { $0.fault(reading: stored.type, of: entity) }.first
      let identity = SchemaIdentity(id: stored.id, uid: stored.uid)
      let whole = migration.object?.fault(reading: stored.type, of: identity, in: entity)
      if let fault = single ?? whole {
        throw SchemaChecks(location: location).fault(fault)
      }
    }
  }
}
