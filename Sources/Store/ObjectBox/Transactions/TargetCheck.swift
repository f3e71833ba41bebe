/// Refuses new relations to missing objects before a transaction commits.
///
/// It reads what the transaction changed. A removal needs no check: it clears all references to its
/// object, or is refused itself.
struct TargetCheck {
  private let transaction: Transaction
  private var tables: [EntityTable] { transaction.file.tables }

  init(_ transaction: Transaction) {
    self.transaction = transaction
  }

  /// Throws ``ObjectBoxError/constraintViolated(message:)`` if a relation that was set or added leads
  /// to no object.
  func run() throws {
    for (number, changes) in transaction.notedChanges.sorted(by: { $0.key < $1.key }) {
      try checkToOnes(of: tables[number], changes)
      try checkPairs(changes)
    }
  }

  private func checkToOnes(of table: EntityTable, _ changes: EntityChanges) throws {
    let relations = tables.toOnes(of: table)
    guard !relations.isEmpty else { return }
    // Objects put together often have the same target.
    var known = [UInt64](repeating: 0, count: relations.count)
    for (id, change) in changes.objectsByID {
      let changed: PropertySet =
        switch change {
        case .inserted: .all
        case .updated(let set): set
        case .removed: []
        }
      guard relations.contains(where: { changed.contains(PropertySet(index: $0.index)) }),
        let record = try table.record(id, in: transaction.storage)
      else { continue }
      for (place, relation) in relations.enumerated()
      where changed.contains(PropertySet(index: relation.index)) {
        let property = table.schema.properties[relation.index]
        let target = record.targetID(propertyID: property.identity.id)
        if target == 0 || target == known[place] { continue }
        guard try relation.target.contains(target, in: transaction.storage) else {
          throw refusal(
            "'\(table.name)' with ID \(id) refers by '\(property.name)' to "
              + "'\(relation.target.name)' with ID \(target)"
          )
        }
        known[place] = target
      }
    }
  }

  private func checkPairs(_ changes: EntityChanges) throws {
    let storage = transaction.storage
    let pairs = changes.changedPairs.sorted {
      ($0.relation, $0.source, $0.target) < ($1.relation, $1.source, $1.target)
    }
    for pair in pairs {
      guard let relation = transaction.file.relation(id: pair.relation),
        try relation.contains(source: pair.source, target: pair.target, in: storage)
      else { continue }
      let (source, target) = (tables[relation.source], tables[relation.target])
      let link =
        "'\(source.name)' with ID \(pair.source) refers by '\(relation.schema.title)' to "
        + "'\(target.name)' with ID \(pair.target)"
      guard try target.contains(pair.target, in: storage) else { throw refusal(link) }
      guard try source.contains(pair.source, in: storage) else {
        throw refusal(link, missing: "object with the relation")
      }
    }
  }

  private func refusal(_ link: String, missing: String = "target") -> ObjectBoxError {
    .constraintViolated(
      message: "cannot commit: \(link), and there is no such \(missing); put it in the same "
        + "transaction, or clear the relation (the store has refusesDanglingRelations)"
    )
  }
}
