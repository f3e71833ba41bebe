internal import ObjectBoxStorage

/// Finds the source objects of a to-one relation.
///
/// It reads the index of the property. Without an index it reads all objects of the entity.
package struct ToOneSources {
  private let table: EntityTable
  private let propertyID: UInt32
  private let transaction: StorageTransaction
  private let index: IndexDefinition?

  init(_ table: EntityTable, propertyID: UInt32, in transaction: StorageTransaction) {
    self.table = table
    self.propertyID = propertyID
    self.transaction = transaction
    index = table.valueIndex(on: propertyID)
  }

  /// Returns the IDs of the objects that refer to the given one, ascending.
  func ids(referringTo target: UInt64) throws -> [UInt64] {
    guard let index else { return try scan { $0 == target } }
    let key = IndexKey.bytes { index.key.write(integer: Int64(bitPattern: target), into: &$0) }
    return try ids(index, in: .key(key))
  }

  /// Returns the IDs of all objects that refer to an object, in no particular order.
  func allIDs() throws -> [UInt64] {
    guard let index else { return try scan { $0 != 0 } }
    return try ids(index, in: .values)
  }

  private func ids(_ index: IndexDefinition, in range: IndexRange) throws -> [UInt64] {
    var ids: [UInt64] = []
    try IndexScan(index, in: transaction).addIDs(in: range, to: &ids)
    return ids
  }

  private func scan(_ isWanted: (UInt64) -> Bool) throws -> [UInt64] {
    var ids: [UInt64] = []
    try table.records.forEach(in: transaction) { record in
      if isWanted(target(in: record)) { ids.append(record.id) }
    }
    return ids
  }

  /// Returns the target of a stored object, 0 for none; nil if the object is not stored.
  func target(of id: UInt64) throws -> UInt64? {
    try table.record(id, in: transaction).map(target(in:))
  }

  private func target(in record: RecordReader) -> UInt64 {
    record.targetID(propertyID: propertyID)
  }
}

extension EntityTable {
  /// Returns the index that finds objects by the values of a property; nil when there is none.
  func valueIndex(on property: UInt32) -> IndexDefinition? {
    indexes.first { $0.propertyID == property && $0.kind == .value }
  }
}
