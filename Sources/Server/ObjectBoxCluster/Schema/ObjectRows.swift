internal import ObjectBox

/// Fills the new columns of rows by a function of whole objects, and by functions of single
/// properties, which run first.
struct ObjectRows {
  private let migration: ObjectMigration
  private let migrations: [PropertyMigration]
  private let entity: EntitySchema
  private let target: ClusterTable
  private let body: ObjectMigration.Body
  /// Builds records without the values of the function of whole objects.
  private let builder: FlatBufferBuilder
  private let layout: RecordLayout
  /// The IDs of the properties in the rows, in the order of their values in records.
  private let kept: [UInt32]
  /// The IDs of the new properties, in the order of their values in records of `target`.
  private let filled: [UInt32]

  /// - Parameters:
  ///   - whole: The function of whole objects.
  ///   - migrations: The functions of single properties.
  ///   - entity: The entity in the model.
  ///   - target: The ID and the new columns.
  /// - Throws: `ObjectBoxError` when the context of the bindings cannot be created.
  init(
    _ whole: ColumnMigration.Whole,
    _ migrations: [PropertyMigration],
    _ entity: EntitySchema,
    _ target: ClusterTable
  ) throws {
    migration = whole.migration
    self.migrations = migrations
    self.entity = entity
    self.target = target
    body = try whole.migration.begin(whole.model)
    layout = RecordLayout(of: entity)
    builder = FlatBufferBuilder(layout: layout)
    kept = Self.ordered(whole.kept, in: layout)
    filled = Self.ordered(target.schema.properties, in: target.layout)
  }

  private static func ordered(
    _ properties: [PropertySchema],
    in layout: RecordLayout
  ) -> [UInt32] {
    properties.filter { !$0.has(.id) }.map(\.identity.id).sorted {
      layout.field(propertyID: $0).offset < layout.field(propertyID: $1).offset
    }
  }

  /// Returns a record of `target` with the new values of a row.
  ///
  /// - Parameters:
  ///   - old: The row as a record.
  ///   - output: A builder in the layout of `target`.
  /// - Returns: The bytes, valid until the next use of the builder.
  /// - Throws: ``MigrationFailure`` when a function throws; `ObjectBoxError` for a value that cannot
  ///   be stored.
  func record(
    of old: RecordReader,
    in output: FlatBufferBuilder
  ) throws -> UnsafeRawBufferPointer {
    let id = old.objectID
    let bytes = try builder.record(of: entity, id: id) {
      for id in kept { builder.scratch.copy(propertyID: id, from: old) }
      for migration in migrations { try migration.fill(builder, from: old, of: entity) }
    }
    let present = try target.reader(of: bytes, id: id, layout.view)
    let made: RecordReader
    do {
      made = try body(OldValues(of: old, migration.sources, entityName: entity.name), present)
    } catch {
      throw MigrationFailure(words: migration.failure(error, of: entity, old, .shown))
    }
    return try output.record(of: target.schema, id: id) {
      for id in filled {
        let isMade = migration.propertyIDs.contains(id)
        output.scratch.copy(propertyID: id, from: isMade ? made : present)
      }
    }
  }
}

/// The error of a migration's function, in words.
struct MigrationFailure: Error {
  var words: String
}

extension PropertyMigration {
  /// Passes the new value of a row to a builder.
  ///
  /// Throws ``MigrationFailure`` when the function throws.
  func fill(_ builder: FlatBufferBuilder, from old: RecordReader, of entity: EntitySchema) throws {
    do { try body(old, builder) } catch {
      throw MigrationFailure(words: failure(error, of: entity, old, .shown))
    }
  }
}
