internal import ObjectBox
internal import ObjectBoxDynamic

/// The outcome of a put of a salvaged object.
enum SalvagedPut {
  case stored
  /// The object is stored; the objects with these IDs held its unique values, and were removed.
  case replaced([UInt64])
  /// An object with the ID is already stored.
  case exists
  /// Other objects hold its unique values.
  case taken([UInt64])
  /// The object has an invalid value.
  case refused(String)
}

extension StoredVersion {
  /// Returns whether an object has the ID.
  func contains(_ id: UInt64, entity: Int) throws -> Bool {
    try file.translating { try file.tables[entity].contains(id, in: transaction.storage) }
  }
}

extension StoredWriting {
  /// Stores a salvaged object, unless an object has its ID.
  ///
  /// - Parameters:
  ///   - record: The record in the damaged file, in any layout.
  ///   - entity: The index of the entity.
  ///   - isCertain: Whether it may take unique values of stored objects, which have lower IDs and
  ///     are older.
  /// - Returns: The outcome; only `stored` and `replaced` store the object.
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  func salvage(
    _ record: RecordReader,
    entity: Int,
    isCertain: Bool
  ) throws -> SalvagedPut {
    let table = file.tables[entity]
    let id = record.objectID
    guard try !table.contains(id, in: transaction.storage) else { return .exists }
    let writer = try ObjectWriter(table, in: transaction)
    let isNew = id > table.highestID
    table.raise(to: id)
    return try state.withBuilder(writer.layout) { builder in
      let copy = try builder.record(of: table.schema, id: id) {
        for property in table.schema.properties where !property.has(.id) {
          builder.collect(record.exact(property), of: property)
        }
      }
      var replaced: [UInt64] = []
      if table.hasIndexes {
        let reader = try table.records.reader(copy, id: id)
        let holders = try transaction.indexWriter(table).holders(
          of: reader,
          in: transaction.storage
        )
        replaced = holders.sorted()
        if !isCertain, !replaced.isEmpty { return .taken(replaced) }
      }
      // Without delete rules: the damage removed nothing.
      for holder in replaced { _ = try writer.removeAlone(id: holder) }
      do {
        try writer.put(copy, id: id, isNew: isNew && replaced.isEmpty, mode: .put)
      } catch ObjectBoxError.illegalArgument(let message) {
        return .refused(message)
      }
      return replaced.isEmpty ? .stored : .replaced(replaced)
    }
  }
}
