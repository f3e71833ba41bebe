internal import ObjectBox

/// The record of an object to store, independent of the object.
struct RecordRow: Sendable {
  var id: UInt64
  /// The bytes of the record, in the layout of its ``ClusterTable``.
  var record: [UInt8]

  /// Passes a reader of the record to a body.
  func reading<T>(
    _ table: ClusterTable,
    _ body: (RecordReader) throws -> T
  ) throws -> T {
    try record.withUnsafeBytes { try body(table.reader(of: $0, id: id, table.layout.view)) }
  }
}

/// Encodes objects of an entity to records.
///
/// Reuses a buffer; one task at a time uses it.
final class RecordEncoding<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let table: ClusterTable
  // Stored separately: each load through another object costs reference counting.
  private let schema: EntitySchema
  private let layout: RecordLayout
  private let builder: FlatBufferBuilder
  private let binding = E.entityBinding
  /// True if the entity is a class.
  let isClass = E.self is AnyClass

  init(_ table: ClusterTable) {
    self.table = table
    schema = table.schema
    layout = table.layout
    builder = FlatBufferBuilder(layout: table.layout)
  }

  /// Returns the record of an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - id: The object's ID, or the ID that it gets.
  ///   - store: The store that the object's relations use.
  /// - Returns: The record, with values that PostgreSQL can hold.
  /// - Throws: `ObjectBoxError`: `illegalArgument` for a value that cannot be stored, other cases
  ///   from the binding.
  func row(of object: E, id: UInt64, store: Store) throws -> RecordRow {
    let bytes = try binding.record(of: object, id: id, in: builder, schema, store)
    try table.check(table.reader(of: bytes, id: id, layout.view))
    return RecordRow(id: id, record: [UInt8](bytes))
  }
}
