internal import ObjectBoxStorage

/// Clears references of restored elements to objects that were removed while the elements were
/// retired.
///
/// Runs in the write transaction that upgrades the file, before indexes are built.
struct DanglingReferences {
  let content: StoreContent
  let transaction: StorageTransaction

  /// Clears restored to-one relations whose targets are missing, and removes restored links with a
  /// missing end.
  ///
  /// - Complexity: O(objects) for each to-one relation and O(links) for each standalone relation.
  func clear(_ comparison: SchemaComparison) throws {
    for (entity, property) in comparison.restoredToOnes {
      guard
        let source = content.tables.first(where: { $0.schema.identity == entity.identity }),
        let target = content.tables.target(of: property)
      else { continue }
      try clear(property.identity.id, of: source.records, target: target.records)
    }
    for schema in comparison.restoredRelations {
      guard let relation = content.relations.first(where: { $0.schema == schema }) else { continue }
      for (source, target) in try relation.links(in: transaction)
      where try !exists(source, in: relation.source) || !exists(target, in: relation.target) {
        try relation.remove(source: source, target: target, in: transaction)
      }
    }
  }

  private func exists(_ id: UInt64, in table: Int) throws -> Bool {
    try content.tables[table].contains(id, in: transaction)
  }

  private func clear(_ propertyID: UInt32, of source: RecordTable, target: RecordTable) throws {
    var dangling: [UInt64] = []
    try source.forEach(in: transaction) { record in
      let id = record.targetID(propertyID: propertyID)
      if id != 0, try transaction.get(target.objects, id: id) == nil { dangling.append(record.id) }
    }
    let writing = transaction.writeCursor(source.objects)
    for id in dangling {
      guard let stored = try writing.record(id: id) else { continue }
      let reader = try source.reader(stored, id: id)
      let copy = try source.bytes(of: reader, setting: propertyID, to: nil)
      try copy.withUnsafeBytes { try writing.put(id: id, record: $0) }
    }
  }
}
