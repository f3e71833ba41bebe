internal import ObjectBox

/// Makes objects of an entity from the rows of a result.
///
/// A class, since it owns a buffer that it reuses; one task at a time uses it.
final class RowDecoding<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let table: ClusterTable
  private let schema: EntitySchema
  private let forms: [ColumnForm]
  private let store: Store
  private let builder: FlatBufferBuilder

  /// - Parameters:
  ///   - table: The table of the entity.
  ///   - store: The store that the relations of the objects ask.
  init(_ table: ClusterTable, store: Store) {
    self.table = table
    schema = table.schema
    forms = table.forms
    self.store = store
    builder = FlatBufferBuilder(layout: table.layout)
  }

  /// Returns the objects of all rows.
  ///
  /// - Parameters:
  ///   - rows: Their columns are those of ``ClusterTable/selection``, from `first` on.
  ///   - first: The index of the first of these columns.
  /// - Returns: An object for each row.
  /// - Throws: `ObjectBoxError` of the binding, when a value cannot be converted to the type of its property.
  func objects(_ rows: ResultRows, from first: Int = 0) throws -> [E] {
    var objects: [E] = []
    objects.reserveCapacity(rows.count)
    for row in 0..<rows.count { objects.append(try object(rows, row, from: first)) }
    return objects
  }

  /// Returns the object of a row.
  func object(_ rows: ResultRows, _ row: Int, from first: Int = 0) throws -> E {
    guard let id = rows.integer(row, first, as: UInt64.self) else {
      throw ObjectBoxError.illegalState(message: "a row of '\(table.schema.name)' has no ID")
    }
    builder.scratch.begin(layout: table.layout)
    for index in 1..<forms.count {
      if let bytes = rows.bytes(row, first + index) { forms[index].collect(bytes, in: builder) }
    }
    let record = try builder.scratch.finish(of: schema, id: id)
    guard let reader = FlatBufferReader(record: record, id: id, layout: table.layout.view) else {
      throw ObjectBoxError.illegalState(
        message: "a record of '\(table.schema.name)' is shorter than its layout"
      )
    }
    return try E.entityBinding.createEntity(entityReader: reader, store: store)
  }
}

extension Column {
  /// Returns the milliseconds since 1970 of a timestamptz, in microseconds since 2000; rounded down, since other
  /// tools may store more.
  static func milliseconds(ofTimestamp microseconds: Int64) -> Int64 {
    let quotient = microseconds / 1_000
    let isBelow = microseconds % 1_000 < 0
    return quotient - (isBelow ? 1 : 0) + ColumnKind.epoch
  }
}

extension UnsafeRawBufferPointer {
  /// The elements of an array of one dimension in PostgreSQL's binary form, without nulls; see `array_send`.
  var elements: [UnsafeRawBufferPointer] {
    func number(at offset: Int) -> Int? {
      guard offset + 4 <= count else { return nil }
      return Int32(bigEndianBytes: UnsafeRawBufferPointer(rebasing: self[offset..<offset + 4]))
        .map { Int($0) }
    }
    guard number(at: 0) ?? 0 > 0, let size = number(at: 12) else { return [] }
    var all: [UnsafeRawBufferPointer] = []
    all.reserveCapacity(Swift.min(size, count / 4))
    var offset = 20
    for _ in 0..<size {
      guard let length = number(at: offset) else { return all }
      offset += 4
      if length < 0 { continue }
      guard offset + length <= count else { return all }
      all.append(UnsafeRawBufferPointer(rebasing: self[offset..<offset + length]))
      offset += length
    }
    return all
  }

  /// The elements of an array of numbers.
  func numbers<T: FixedWidthInteger>(_ type: T.Type) -> [T] {
    elements.compactMap { T(bigEndianBytes: $0) }
  }
}
