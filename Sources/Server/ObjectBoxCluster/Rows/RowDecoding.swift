internal import ObjectBox

/// Creates objects of an entity from result rows.
///
/// Reuses a buffer; one task at a time uses it.
final class RowDecoding<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let table: ClusterTable
  private let store: Store
  private let encoding: RowEncoding

  /// - Parameters:
  ///   - table: The table of the entity.
  ///   - store: The store that the objects' relations use.
  init(_ table: ClusterTable, store: Store) {
    self.table = table
    self.store = store
    encoding = RowEncoding(table)
  }

  /// Returns the objects of all rows.
  ///
  /// - Parameters:
  ///   - rows: Rows with the columns of ``ClusterTable/selection``, from `first` on.
  ///   - first: The index of the first of these columns.
  /// - Returns: An object for each row.
  /// - Throws: `ObjectBoxError` of the binding when a value cannot be converted to its property's
  ///   type.
  func objects(_ rows: ResultRows, from first: Int = 0) throws -> [E] {
    try objects(rows, 0..<rows.count, from: first)
  }

  /// Returns the object of a row.
  func object(_ rows: ResultRows, _ row: Int, from first: Int = 0) throws -> E {
    try objects(rows, row..<row + 1, from: first)[0]
  }

  /// Returns the objects of some rows; see ``objects(_:from:)``.
  func objects(
    _ rows: ResultRows,
    _ numbers: Range<Int>,
    from first: Int = 0
  ) throws -> [E] {
    // Otherwise the initializer below would write to the empty array that threads share.
    if numbers.isEmpty { return [] }
    // Loaded once: each load of a property costs reference counting.
    let (table, store, binding, view) = (table, store, E.entityBinding, table.layout.view)
    return try [E](unsafeUninitializedCapacity: numbers.count) { objects, count in
      guard let base = objects.baseAddress else { return }
      try encoding.forEachRecord(of: rows, numbers, from: first) { id, record in
        let reader = try table.reader(of: record, id: id, view)
        // A variable would be copied.
        (base + count).initialize(to: try binding.createEntity(entityReader: reader, store: store))
        count += 1
      }
    }
  }
}
