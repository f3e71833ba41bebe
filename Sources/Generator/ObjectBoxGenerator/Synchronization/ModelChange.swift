/// One difference between the sources and the model, and its effect on stored data.
package struct ModelChange: Hashable, Sendable {
  /// The change in words, with entity and property, such as "property 'rating' of entity 'Note' is
  /// new".
  package var text: String
  package var effect: DataEffect
  /// Position of the declaration; nil for an element that only the model has.
  package var position: SourcePosition?
  /// The removed element that was probably renamed to this one.
  var renamed: LikelyRename.Gone?
  /// Other removed elements that may have been renamed to this one.
  var candidates: [LikelyRename.Gone] = []
  /// The names of the new elements that may be this removed one.
  var successors: [String] = []
  /// The change of a property's type that stores of the old model refuse; nil for other changes.
  var retyping: Retyping?
  /// True if an annotation of the element states its UID.
  var hasUID = false

  package var renamedUID: UInt64? { renamed?.uid }

  /// The removed elements that may have been renamed to this one, the likely one first.
  var formerElements: [LikelyRename.Gone] { (renamed.map { [$0] } ?? []) + candidates }

  /// Returns every difference between two models.
  ///
  /// A likely rename is one change that combines the added and the removed element. `schema` is the
  /// schema of the sources, with the IDs of the new model.
  static func between(_ old: ModelDocument, _ new: ModelDocument, schema: Schema) -> [ModelChange] {
    let differences = ModelComparison.differences(from: old, to: new)
    let places = Places(schema)
    let migrated = Migrated(new)
    // A new element whose annotation states a UID is new on purpose.
    let meant = places.requestedUIDs.union(migrated.targets)
    let search = LikelyRename.find(from: old, to: new)
    let renames = search.likely.filter { !meant.contains($0.new) }
    let candidates = search.candidates.filter { !meant.contains($0.new) }
    var changes = differences.compactMap { difference -> ModelChange? in
      let uid = difference.uid
      if difference.isRemoval, renames.contains(where: { $0.old.uid == uid }) { return nil }
      let rename = renames.first { $0.new == uid }
      let others = candidates.first { difference.isAddition && $0.new == uid }?.old ?? []
      let isKnown = migrated.sources.contains(uid)
      return ModelChange(
        text: rename?.text ?? difference.text,
        effect: migrated.effect(of: difference) ?? rename?.old.effect ?? difference.consequence,
        position: places.position(of: difference),
        renamed: rename?.old,
        candidates: others.filter { $0 != rename?.old && !migrated.sources.contains($0.uid) },
        successors: difference.isRemoval && !isKnown
          ? candidates.filter { $0.old.contains { $0.uid == uid } }.map(\.newName) : [],
        retyping: retyping(of: difference, from: old, to: new),
        hasUID: places.requestedUIDs.contains(difference.uid)
      )
    }
    if changes.isEmpty, old != new {
      let text =
        old.newUIDPool == nil
        ? "the model file leaves out what the sources say"
        : "the model keeps a pool of UIDs that is used up"
      changes.append(ModelChange(text: text, effect: DataEffect.notStored, position: nil))
    }
    return changes
  }

  private static func retyping(
    of difference: ModelDifference,
    from old: ModelDocument,
    to new: ModelDocument
  ) -> Retyping? {
    guard difference.kind == .propertyRetyped else { return nil }
    for entity in new.entities {
      guard let after = entity.properties[uid: difference.uid],
        let before = old.entities[uid: entity.id.uid]?.properties[uid: difference.uid]
      else { continue }
      return Retyping(from: before, to: after, of: entity)
    }
    return nil
  }

  /// The properties of a model that a migration fills, and their old properties, by UID.
  private struct Migrated {
    let targets: Set<UInt64>
    /// The targets that the function of whole objects fills.
    private let objectTargets: Set<UInt64>
    let sources: Set<UInt64>

    init(_ model: ModelDocument) {
      let properties = model.entities.flatMap(\.properties)
      let single = properties.filter { $0.migratedFrom != nil }
      let whole = properties.filter { !$0.migratedFromProperties.isEmpty }
      objectTargets = Set(whole.map(\.id.uid))
      targets = objectTargets.union(single.map(\.id.uid))
      sources = Set(single.compactMap(\.migratedFrom?.uid))
        .union(whole.flatMap(\.migratedFromProperties).map(\.uid))
    }

    /// The effect of a difference if it belongs to a migration; nil for another difference.
    func effect(of difference: ModelDifference) -> DataEffect? {
      switch difference.kind {
      case .propertyAdded where objectTargets.contains(difference.uid): .propertyMigratedByObject
      case .propertyAdded where targets.contains(difference.uid): .propertyMigrated
      case .propertyRemoved where sources.contains(difference.uid): .propertyMigratedAway
      default: nil
      }
    }
  }

  /// Positions of a schema's declarations, by the UIDs of the model.
  private struct Places {
    private var declarations: [UInt64: SourcePosition] = [:]
    private var entities: [String: SourcePosition] = [:]
    /// UIDs in annotations.
    private(set) var requestedUIDs: Set<UInt64> = []

    init(_ schema: Schema) {
      for entity in schema.entities {
        entities[entity.databaseName] = entity.position
        note(entity.modelID, entity.position, entity.uid)
        for property in entity.properties {
          note(property.modelID, property.position, property.uid)
        }
        for relation in entity.relations where relation.isStandalone {
          note(relation.modelID, relation.position, relation.uid)
        }
        for index in entity.compoundIndexes { note(index.modelID, index.position, .none) }
        for index in entity.fullTextIndexes { note(index.modelID, index.position, .none) }
      }
    }

    private mutating func note(_ id: ModelID?, _ position: SourcePosition, _ request: UIDRequest) {
      if let id { declarations[id.uid] = position }
      switch request {
      case .value(let uid): requestedUIDs.insert(uid)
      case .shared(let uids): requestedUIDs.formUnion(uids)
      case .none, .tell: break
      }
    }

    /// Position of the changed element, or of the entity that had it.
    func position(of difference: ModelDifference) -> SourcePosition? {
      declarations[difference.uid] ?? difference.entity.flatMap { entities[$0] }
    }
  }
}
