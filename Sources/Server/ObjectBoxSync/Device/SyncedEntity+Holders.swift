internal import ObjectBox
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

extension SyncedEntity {
  /// Returns the ID of the stored object that has unique values; nil if they are free.
  ///
  /// It compares only a record with these values, so that no other constraint can find an object.
  func holder(
    of unique: UniqueKey,
    _ rules: SyncRules,
    in transaction: Transaction
  ) throws -> UInt64? {
    guard let constraints = rules[uid]?.uniques, unique.constraint < constraints.count else {
      return nil
    }
    let names = constraints[unique.constraint].properties
    let builder = FlatBufferBuilder(layout: table.records.currentLayout)
    let record = try builder.record(of: table.schema, id: 0, keeping: nil) { set in
      for (name, value) in zip(names, unique.values) {
        _ = properties.first { $0.uid == name }?.schema.set(syncValue: value, set)
      }
    }
    let reader = try table.records.reader(record, id: 0)
    return try transaction.indexWriter(table)
      .holders(of: reader, in: transaction.storage)
      .min()
  }
}
