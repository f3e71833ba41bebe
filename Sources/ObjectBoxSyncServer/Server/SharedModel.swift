internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The entities and properties that a device and the server both know.
struct SharedModel: Sendable {
  /// What both know.
  let entities: [EntityDescription]
  private let properties: [EntityUID: Set<PropertyUID>]
  private let relations: [EntityUID: Set<PropertyUID>]
  /// True if rows need not be reduced.
  private let isComplete: Bool

  /// Compares the models.
  ///
  /// - Parameters:
  ///   - device: The device's model.
  ///   - hub: The server's.
  /// - Throws: ``Refused`` for a property that has another type on the device.
  init(_ device: [EntityDescription], _ hub: Hub) throws {
    var entities: [EntityDescription] = []
    var isComplete = true
    for own in hub.entities.map({ EntityDescription($0.table.schema) }) {
      guard let other = device.first(where: { $0.entity == own.entity }) else { continue }
      var shared: [PropertyDescription] = []
      for property in own.properties {
        guard let same = other.properties.first(where: { $0.property == property.property }) else {
          isComplete = false
          continue
        }
        guard same.type == property.type else {
          throw Refused(
            .model,
            "the property with UID \(property.property.value) of the entity with UID \(own.entity.value) has the type "
              + "\(same.type) on the device and \(property.type) on the server; use one model.json for both"
          )
        }
        shared.append(property)
      }
      let relations = own.relations.filter(other.relations.contains)
      if relations.count < own.relations.count { isComplete = false }
      entities.append(
        EntityDescription(entity: own.entity, properties: shared, relations: relations)
      )
    }
    self.entities = entities
    self.isComplete = isComplete
    properties = Dictionary(
      uniqueKeysWithValues: entities.map { ($0.entity, Set($0.properties.map(\.property))) }
    )
    relations = Dictionary(uniqueKeysWithValues: entities.map { ($0.entity, Set($0.relations)) })
  }

  /// Returns the scopes whose objects the device can have: it must know the compared properties.
  func known(_ scopes: [Scope]) -> [Scope] {
    scopes.filter { scope in
      guard let known = properties[scope.entity] else { return false }
      return scope.comparisons.allSatisfy { known.contains($0.property) }
    }
  }

  /// Returns a row without the properties and relations that the device does not know.
  func reduced(_ row: Row, at key: ObjectKey) -> Row {
    guard !isComplete, let known = properties[key.entity] else { return row }
    var row = row
    row.values = row.values.filter { known.contains($0.property) }
    row.stamps = row.stamps.filter { known.contains($0.property) }
    let relations = relations[key.entity] ?? []
    row.pairs.removeAll { !relations.contains($0.relation) }
    return row
  }

  /// Returns a cut with reduced rows.
  func reduced(_ cut: Cut) -> Cut {
    guard !isComplete else { return cut }
    return Cut(
      state: cut.state,
      stage: cut.stage,
      cursor: cut.cursor,
      scopes: cut.scopes,
      ranges: cut.ranges,
      leaves: cut.leaves,
      rows: reduced(cut.rows),
      verdicts: cut.verdicts
    )
  }

  /// Returns a refinement whose part has reduced rows.
  func reduced(_ refine: Refine) -> Refine {
    guard !isComplete, let part = refine.part else { return refine }
    return Refine(
      state: refine.state,
      base: refine.base,
      stage: refine.stage,
      part: ResetPart(ranges: part.ranges, rows: reduced(part.rows)),
      ranges: refine.ranges,
      size: refine.size,
      rest: refine.rest
    )
  }

  private func reduced(_ rows: [KeyedRow]) -> [KeyedRow] {
    rows.map { KeyedRow(key: $0.key, row: reduced($0.row, at: $0.key)) }
  }
}
