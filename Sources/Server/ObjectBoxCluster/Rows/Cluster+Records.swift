package import ObjectBox

extension Cluster {
  /// Creates a record, and passes a reader of it to a body.
  ///
  /// - Parameters:
  ///   - table: The table of the entity.
  ///   - id: The object's ID.
  ///   - fill: Gets a function that sets the value of a property; the others are null.
  ///   - body: Gets the reader, which is valid until it returns.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body; `ObjectBoxError` for values that a record cannot have.
  package func withRecord<T>(
    of table: ClusterTable,
    id: UInt64,
    _ fill: ((PropertySchema, ExactValue) -> Void) throws -> Void,
    _ body: (RecordReader) throws -> T
  ) throws -> T {
    let builder = FlatBufferBuilder(layout: table.layout)
    // The builder owns the bytes.
    return try withExtendedLifetime(builder) {
      let bytes = try builder.record(of: table.schema, id: id, keeping: nil, fill)
      return try body(table.reader(of: bytes, id: id, table.layout.view))
    }
  }

  /// Returns the object of a record.
  ///
  /// - Throws: `ObjectBoxError` when a value cannot be converted to its property's type.
  package func object<E>(_ type: E.Type, in record: RecordReader) throws -> E
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try E.entityBinding.createEntity(entityReader: record, store: shape)
  }

  /// Creates the record of an object, and passes a reader of it to a body.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - table: The table of its entity.
  ///   - id: The ID of the record, whatever the object's ID is.
  ///   - body: Gets the reader, which is valid until it returns.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body; `ObjectBoxError` for values that the database cannot have.
  package func withRecord<E, T>(
    of object: E,
    in table: ClusterTable,
    id: UInt64,
    _ body: (RecordReader) throws -> T
  ) throws -> T
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try RecordEncoding<E>(table).row(of: object, id: id, store: shape).reading(table, body)
  }
}
