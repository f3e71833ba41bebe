internal import ObjectBox

/// The record of an object that is to be stored, apart from the object.
struct RecordRow: Sendable {
  var id: UInt64
  /// The bytes of the record, in the layout of its ``ClusterTable``.
  var record: [UInt8]

  /// Passes a reader of the record to a body.
  func reading<T>(
    _ table: ClusterTable,
    _ body: (FlatBufferReader) throws -> T
  ) throws -> T {
    try record.withUnsafeBytes { bytes in
      guard let reader = FlatBufferReader(record: bytes, id: id, layout: table.layout.view) else {
        throw ObjectBoxError.illegalState(
          message: "a record of '\(table.schema.name)' is shorter than its layout"
        )
      }
      return try body(reader)
    }
  }
}

/// Encodes objects of an entity to records.
///
/// A class, since it owns a buffer that it reuses; one task at a time uses it.
final class RecordEncoding<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let table: ClusterTable
  private let builder: FlatBufferBuilder
  /// True when the objects are instances of a class.
  let isClass = E.self is AnyClass

  init(_ table: ClusterTable) {
    self.table = table
    builder = FlatBufferBuilder(layout: table.layout)
  }

  /// Returns the record of an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - id: The ID that it has or gets.
  ///   - store: The store that its relations ask.
  /// - Returns: The record, whose values a server can hold.
  /// - Throws: `ObjectBoxError`: `illegalArgument` for a value that cannot be stored, others of the binding.
  func row(of object: E, id: UInt64, store: Store) throws -> RecordRow {
    builder.scratch.begin(layout: table.layout)
    try E.entityBinding.collect(
      fromEntity: object,
      id: id,
      propertyCollector: builder,
      store: store
    )
    let bytes = try builder.scratch.finish(of: table.schema, id: id)
    if let reader = FlatBufferReader(record: bytes, id: id, layout: table.layout.view) {
      try table.check(reader)
    }
    return RecordRow(id: id, record: [UInt8](bytes))
  }
}
