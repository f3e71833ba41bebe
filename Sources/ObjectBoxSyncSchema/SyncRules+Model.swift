package import ObjectBox
package import ObjectBoxSyncProtocol

extension SyncRules {
  /// Returns the conflict rules of a model's synchronized entities.
  ///
  /// Device and server take them from their models by this function, so that a device forecasts what
  /// the server decides.
  package init(_ model: StoreSchema) {
    var entities: [EntityUID: EntityRules] = [:]
    for entity in model.entities where entity.isSynchronized {
      entities[EntityUID(entity.identity.uid)] = EntityRules(entity)
    }
    self.init(entities)
  }
}

extension EntitySchema {
  /// True if objects take part in synchronization.
  package var isSynchronized: Bool { flags & EntityFlags.syncEnabled.rawValue != 0 }
}

extension EntityRules {
  /// Returns the conflict rules of an entity.
  ///
  /// A property with `syncClock` lets the later write win by the clocks of the devices, one with
  /// `syncPrecedence` before it; with `propertyClocks` the later write of each property wins.
  /// Otherwise the last received write wins.
  fileprivate init(_ entity: EntitySchema) {
    func first(_ flag: PropertyFlags) -> PropertySchema? {
      entity.properties.first { $0.has(flag) }
    }
    let properties = entity.properties.filter { $0.has(.unique) && !$0.has(.id) }
    let uniques = properties.map { property in
      UniqueConstraint(
        [PropertyUID(property.identity.uid)],
        rule: property.has(.uniqueOnConflictReplace)
          ? .replace : property.has(.uniqueOnConflictMerge) ? .merge : .reject
      )
    }
    let compound = entity.compoundIndexes.filter(\.isUnique).map { index in
      let members = index.propertyIDs.compactMap { id in
        entity.properties.first { $0.identity.id == id }
      }
      return UniqueConstraint(members.map { PropertyUID($0.identity.uid) }, rule: .reject)
    }
    let mode: ConflictMode
    if entity.flags & EntityFlags.syncPropertyClocks.rawValue != 0 {
      mode = .propertyClock
    } else {
      mode = first(.syncClock) == nil && first(.syncPrecedence) == nil ? .arrival : .objectClock
    }
    self.init(
      mode: mode,
      uniques: uniques + compound,
      counters: Set(
        entity.properties.filter { $0.has(.syncCounter) }.map { PropertyUID($0.identity.uid) }
      ),
      precedence: first(.syncPrecedence).map { PropertyUID($0.identity.uid) }
    )
  }
}

extension EntityDescription {
  /// Returns the description of a synchronized entity for the peer.
  package init(_ entity: EntitySchema) {
    self.init(
      entity: EntityUID(entity.identity.uid),
      properties: entity.properties.map {
        PropertyDescription(
          property: PropertyUID($0.identity.uid),
          type: UInt32($0.type.rawValue)
        )
      },
      relations: entity.relations.map { PropertyUID($0.identity.uid) }
    )
  }
}
