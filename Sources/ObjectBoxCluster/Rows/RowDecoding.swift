internal import ObjectBox

/// Makes objects of an entity from the rows of a result.
///
/// A class, since it owns a buffer that it reuses; one task at a time uses it.
final class RowDecoding<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let table: ClusterTable
  private let store: Store
  private let builder: FlatBufferBuilder

  /// - Parameters:
  ///   - table: The table of the entity.
  ///   - store: The store that the relations of the objects ask.
  init(_ table: ClusterTable, store: Store) {
    self.table = table
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
    try objects(rows, 0..<rows.count, from: first)
  }

  /// Returns the object of a row.
  func object(_ rows: ResultRows, _ row: Int, from first: Int = 0) throws -> E {
    try objects(rows, row..<row + 1, from: first)[0]
  }

  private func objects(
    _ rows: ResultRows,
    _ numbers: Range<Int>,
    from first: Int
  ) throws -> [E] {
    rows.checkHas(numbers, columns: first..<first + table.columns.count)
    // Loaded once, since each load of a property costs a change of a reference count.
    let (table, store, builder, binding) = (table, store, builder, E.entityBinding)
    let (layout, view, scratch) = (table.layout, table.layout.view, builder.scratch)
    return try withExtendedLifetime(rows) {
      try table.readForms.withUnsafeBufferPointer { forms in
        try [E](unsafeUninitializedCapacity: numbers.count) { objects, count in
          for row in numbers {
            guard let id = rows.uncheckedBytes(row, first).flatMap(UInt64.init(bigEndianBytes:))
            else {
              throw ObjectBoxError.illegalState(
                message: "a row of '\(table.schema.name)' has no ID"
              )
            }
            scratch.begin(layout: layout)
            for (form, column) in forms {
              guard let bytes = rows.uncheckedBytes(row, first + column) else { continue }
              form.collect(bytes, in: builder)
            }
            let record = try scratch.finish(of: table.schema, id: id)
            guard let reader = FlatBufferReader(record: record, id: id, layout: view) else {
              throw ObjectBoxError.illegalState(
                message: "a record of '\(table.schema.name)' is shorter than its layout"
              )
            }
            let object = try binding.createEntity(entityReader: reader, store: store)
            objects.initializeElement(at: count, to: object)
            count += 1
          }
        }
      }
    }
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
