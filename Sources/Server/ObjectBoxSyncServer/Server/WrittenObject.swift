internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// An object that a device writes, before or after the write, for functions of the program.
struct WrittenObject {
  let cluster: Cluster
  let serverLog: ServerLog
  let entity: SyncedEntity
  let key: ObjectKey
  let values: PropertyList<PropertyValue>
  /// The pairs of standalone relations from the object.
  var pairs: [Pair] = []
  /// Returns an object that this one refers to; nil for a missing one.
  var related: (ObjectKey) throws -> Row? = { _ in nil }

  /// Returns the object.
  ///
  /// - Throws: `ObjectBoxError` when a value does not fit its property.
  func object<E>(_ type: E.Type) throws -> E
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try withRecord { try cluster.object(type, in: $0) }
  }

  /// Returns true if the object fulfils a condition; links in it follow relations of the object.
  ///
  /// - Throws: `ObjectBoxError` when the condition does not fit the entity, or a value its property;
  ///   ``SyncServerError`` for another relation.
  func fulfils(_ condition: Condition) throws -> Bool {
    // Reads nothing if the object's own properties suffice.
    if try passes(replacingLinks(of: condition) { _ in false }) { return true }
    if condition.links.isEmpty { return false }
    return try passes(replacingLinks(of: condition, by: fulfils))
  }

  private func passes(_ condition: Condition) throws -> Bool {
    let filter = try RecordFilter(condition, entity: entity.table.schema)
    return try withRecord { filter.passes($0) }
  }

  private func replacingLinks(
    of condition: Condition,
    by result: (LinkCondition) throws -> Bool
  ) throws -> Condition {
    switch condition {
    case .property: condition
    case .all(let parts): .all(try parts.map { try replacingLinks(of: $0, by: result) })
    case .any(let parts): .any(try parts.map { try replacingLinks(of: $0, by: result) })
    case .link(let link): try result(link) ? .all([]) : .any([])
    }
  }

  private func fulfils(_ link: LinkCondition) throws -> Bool {
    let followed = try RuleConditions(entity, in: serverLog).followed(by: link)
    let targets: [ObjectKey]
    switch followed.relation {
    case .toOne(let property):
      let id = values[property]?.integerValue ?? 0
      // Also requested if the relation is empty, since a later operation may set it.
      targets = [ObjectKey(entity: followed.target.uid, id: UInt64(bitPattern: id))]
    case .standalone(let relation, _):
      targets = pairs.filter { $0.relation == relation }.map(\.target)
    case .toOneBacklink, .standaloneBacklink:
      // The server refuses such rules when it starts.
      return false
    }
    // Requests all objects before the test, so that they are read at once.
    let rows = try targets.map { ($0, try related($0)) }
    return try rows.contains { key, row in
      guard let row else { return false }
      let object = WrittenObject(
        cluster: cluster,
        serverLog: serverLog,
        entity: followed.target,
        key: key,
        values: row.values,
        pairs: row.pairs,
        related: related
      )
      return try object.fulfils(link.condition)
    }
  }

  private func withRecord<T>(_ body: (RecordReader) throws -> T) throws -> T {
    var wrong: PropertySchema?
    let result = try cluster.withRecord(of: entity.table, id: key.id) { set in
      for column in entity.table.columns {
        guard let value = values[column.uid] else { continue }
        if !column.property.set(syncValue: value, set) { wrong = wrong ?? column.property }
      }
    } _: { record in
      wrong == nil ? try body(record) : nil
    }
    guard let result else {
      throw Rejection(
        entity: key.entity,
        property: wrong.map { PropertyUID($0.identity.uid) },
        reason: .value
      )
    }
    return result
  }
}
