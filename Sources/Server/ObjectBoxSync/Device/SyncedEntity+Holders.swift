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
    let values = PropertyList(Array(zip(names, unique.values)))
    return try record(of: values, id: 0).withUnsafeBytes { record in
      try transaction.indexWriter(table)
        .holders(of: try table.records.reader(record, id: 0), in: transaction.storage)
        .min()
    }
  }
}
