package import ObjectBox
package import ObjectBoxSyncProtocol

extension SyncRules {
  /// Returns the conflict rules of a model's synchronized entities.
  ///
  /// Device and server both derive the rules from their models by this function, so a device forecasts what the server
  /// decides.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - resolutions: The functions that resolve conflicts, by entity; on a server only.
  package init(_ model: StoreSchema, resolutions: [EntityUID: Conflict.Resolution] = [:]) {
    let synchronized = model.entities.filter(\.isSynchronized)
    let uids = Dictionary(
      synchronized.map { ($0.name, EntityUID($0.identity.uid)) },
      uniquingKeysWith: { first, _ in first }
    )
    let entities = synchronized.map { (EntityUID($0.identity.uid), EntityRules($0, uids)) }
    self.init(
      Dictionary(entities, uniquingKeysWith: { first, _ in first }),
      resolutions: resolutions
    )
  }
}

extension EntitySchema {
  /// True if objects of the entity are synchronized.
  package var isSynchronized: Bool { flags & EntityFlags.syncEnabled.rawValue != 0 }

  /// True if a function of the server may resolve conflicts of the objects.
  package var isResolvable: Bool { flags & EntityFlags.syncResolve.rawValue != 0 }
}

extension EntityRules {
  /// Returns the conflict rules of an entity.
  ///
  /// With a property `syncClock`, the later write wins by the clocks of the devices; with `syncPrecedence`, the greater
  /// value wins before that. With `propertyClocks`, the later write of each property wins. Otherwise the write that is
  /// received last wins. With `resolve`, devices also send what a function of the server needs to decide.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - uids: The synchronized entities by their names.
  fileprivate init(_ entity: EntitySchema, _ uids: [String: EntityUID]) {
    func first(_ flag: PropertyFlags) -> PropertySchema? {
      entity.properties.first { $0.has(flag) }
    }
    let properties = entity.properties.filter { $0.has(.unique) && !$0.has(.id) }
    let uniques = properties.map { property in
      UniqueProperties(
        [PropertyUID(property.identity.uid)],
        rule: property.has(.uniqueOnConflictReplace)
          ? .replace : property.has(.uniqueOnConflictMerge) ? .merge : .reject
      )
    }
    let compound = entity.compoundIndexes.filter(\.isUnique).map { index in
      let members = entity.properties(ids: index.propertyIDs)
      return UniqueProperties(members.map { PropertyUID($0.identity.uid) }, rule: .reject)
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
      precedence: first(.syncPrecedence).map { PropertyUID($0.identity.uid) },
      sendsBase: entity.isResolvable,
      relations: Dictionary(
        entity.properties.compactMap { property in
          property.targetEntityName.flatMap { uids[$0] }
            .map { (PropertyUID(property.identity.uid), $0) }
        },
        uniquingKeysWith: { first, _ in first }
      )
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
          type: UInt32($0.type.rawValue),
          conflictFlags: $0.flags & Self.conflictFlags(of: $0)
        )
      },
      relations: entity.relations.map { PropertyUID($0.identity.uid) },
      conflictFlags: entity.flags & EntityFlags.syncPropertyClocks.rawValue
    )
  }

  /// The flags of a property that a device's forecasts depend on; they must be equal on both sides.
  private static func conflictFlags(of property: PropertySchema) -> UInt32 {
    if property.has(.id) { return 0 }
    let flags: [PropertyFlags] = [
      .unique, .uniqueOnConflictReplace, .uniqueOnConflictMerge, .syncCounter, .syncClock,
      .syncPrecedence,
    ]
    return flags.reduce(0) { $0 | UInt32($1.rawValue) }
  }
}
