/// The entities, properties and relations of a model, or those that two models share.
package struct ModelParts: Hashable, Sendable {
  /// The parts of an entity.
  package struct Entity: Hashable, Sendable {
    /// The properties.
    package var properties: Set<PropertyUID>
    /// The standalone relations.
    package var relations: Set<PropertyUID>

    /// Creates the parts of an entity.
    package init(properties: Set<PropertyUID>, relations: Set<PropertyUID>) {
      self.properties = properties
      self.relations = relations
    }

    /// Returns true if the other entity has all these parts.
    func isPart(of other: Self) -> Bool {
      properties.isSubset(of: other.properties) && relations.isSubset(of: other.relations)
    }

    /// Returns the parts that both have.
    func intersection(_ other: Self) -> Self {
      Self(
        properties: properties.intersection(other.properties),
        relations: relations.intersection(other.relations)
      )
    }
  }

  /// The parts by entity.
  package private(set) var entities: [EntityUID: Entity] = [:]

  /// Creates a model without entities.
  package init() {}

  /// Creates the parts that descriptions name.
  package init(_ descriptions: [EntityDescription]) {
    for description in descriptions {
      self[description.entity] = Entity(
        properties: Set(description.properties.map(\.property)),
        relations: Set(description.relations)
      )
    }
  }

  /// The parts of an entity, or nil without the entity.
  package subscript(entity: EntityUID) -> Entity? {
    get { entities[entity] }
    set { entities[entity] = newValue }
  }

  /// Returns the parts that both models have.
  package func intersection(_ other: Self) -> Self {
    var result = Self()
    for (entity, parts) in entities {
      result[entity] = other[entity].map { parts.intersection($0) }
    }
    return result
  }

  /// Returns true if the other model has all these parts.
  package func isPart(of other: Self) -> Bool {
    entities.allSatisfy { entity, parts in other[entity].map(parts.isPart) ?? false }
  }

  /// Returns the sets whose objects a device with these parts can have.
  ///
  /// The device must know the compared properties and the to-one relations of links, but not the objects that these
  /// lead to. The server alone follows other links.
  package func known(_ sets: [LinkedScope]) -> [LinkedScope] {
    sets.filter { set in
      guard let known = entities[set.scope.entity]?.properties else { return false }
      return set.scope.comparisons.allSatisfy { known.contains($0.property) }
        && set.links.allSatisfy { link in
          guard case .toOne(let property) = link.relation else { return true }
          return known.contains(property)
        }
    }
  }

  /// Returns a row without unknown properties and relations; the row itself if the entity is unknown.
  package func reduced(_ row: Row, at key: ObjectKey) -> Row {
    guard let known = entities[key.entity] else { return row }
    var row = row
    row.values = row.values.filter { known.properties.contains($0.property) }
    row.stamps = row.stamps.filter { known.properties.contains($0.property) }
    row.pairs.removeAll { !known.relations.contains($0.relation) }
    return row
  }

  /// Returns a delta with reduced rows.
  package func reduced(_ delta: Delta) -> Delta {
    Delta(
      state: delta.state,
      stagingArea: delta.stagingArea,
      cursor: delta.cursor,
      scopes: delta.scopes,
      ranges: delta.ranges,
      leaves: delta.leaves,
      rows: reduced(delta.rows),
      decisions: delta.decisions,
      decidedTime: delta.decidedTime
    )
  }

  /// Returns a refinement whose part has reduced rows.
  package func reduced(_ refine: Refine) -> Refine {
    guard let part = refine.part else { return refine }
    return Refine(
      state: refine.state,
      base: refine.base,
      stagingArea: refine.stagingArea,
      part: ResetPart(ranges: part.ranges, rows: reduced(part.rows)),
      ranges: refine.ranges,
      size: refine.size,
      rest: refine.rest
    )
  }

  private func reduced(_ rows: RowBatch) -> RowBatch {
    RowBatch(rows.lazy.map { KeyedRow(key: $0.key, row: reduced($0.row, at: $0.key)) })
  }

  /// Returns the first part of a transaction that these parts lack, or nil.
  ///
  /// An insert does not need a property for which it has no value.
  func unknownPart(of transaction: SyncTransaction) -> ModelPart? {
    for operation in transaction.operations {
      let entity = operation.key.entity
      guard let known = entities[entity] else { return ModelPart(entity: entity, part: nil) }
      var part: PropertyUID?
      switch operation {
      case .insert(_, let values, _):
        part =
          values.elements.first {
            $0.value != .null && !known.properties.contains($0.property)
          }?.property
      case .update(_, let values, _):
        part = values.elements.first { !known.properties.contains($0.property) }?.property
      case .increment(_, let property, _):
        part = known.properties.contains(property) ? nil : property
      case .addPair(_, let relation, _), .removePair(_, let relation, _, _):
        part = known.relations.contains(relation) ? nil : relation
      case .delete: break
      }
      if let part { return ModelPart(entity: entity, part: part) }
    }
    return nil
  }
}

/// One part of a model.
package struct ModelPart: Hashable, Sendable {
  /// The entity.
  package let entity: EntityUID
  /// The property or relation; nil for the entity itself.
  package let part: PropertyUID?

  /// Creates a part.
  package init(entity: EntityUID, part: PropertyUID?) {
    self.entity = entity
    self.part = part
  }
}
