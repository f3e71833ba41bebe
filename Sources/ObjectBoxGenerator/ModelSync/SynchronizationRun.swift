/// One synchronisation: the state that grows while the entities are gone through.
///
/// New elements get their IDs in the order of the reference: of each entity first the properties as
/// declared, the index of each before the property itself, then the entity.
struct SynchronizationRun {
  /// Records have 16 bits for the place of a property; the runtime's `EntityBuilder` asks for the same.
  private static let greatestPropertyID = UInt32(UInt16.max / 2 - 2)

  private let old: ModelDocument
  private var model: ModelDocument
  private var known: Set<UInt64>
  private let pool: Set<UInt64>
  private let retired: Set<UInt64>
  private var diagnostics: [Diagnostic] = []
  private var told: [UInt64] = []
  /// What the findings that tell a new UID say when it is not kept, by their place among all.
  private var currentUIDs: [Int: DiagnosticMessage] = [:]
  private var matchedEntities: [UInt64: SchemaEntity] = [:]
  private var matchedProperties: [UInt64: SourcePosition] = [:]
  /// The declarations of relations by their UIDs.
  private var relationPlaces: [UInt64: SourcePosition] = [:]
  private var requestedUIDs: [UInt64: SourceSpan] = [:]
  private(set) var uids: UIDGenerator

  init(old: ModelDocument, uids: UIDGenerator) {
    self.old = old
    self.uids = uids
    model = old
    known = old.knownUIDs
    pool = Set(old.newUIDPool ?? [])
    retired = Set(old.retiredEntityUIDs + old.retiredPropertyUIDs + old.retiredRelationUIDs)
  }

  mutating func synchronize(_ schema: Schema) -> ModelSynchronizer.Result {
    var schema = schema
    var entities: [ModelDocument.Entity] = []
    for index in schema.entities.indices {
      if let entity = synchronize(&schema.entities[index]) { entities.append(entity) }
    }
    let kept = Set(entities.map(\.id.uid))
    let gone = old.entities.filter { !kept.contains($0.id.uid) }
    setTargets(&schema, &entities)
    guard diagnostics.isEmpty else {
      var unchanged = old
      if !told.isEmpty { unchanged.newUIDPool = (old.newUIDPool ?? []) + told }
      // Other faults come first: a UID that is asked for again would only fill the pool.
      let onlyTold = diagnostics.count == told.count
      if !onlyTold {
        for (place, message) in currentUIDs { diagnostics[place].message = message }
      }
      return ModelSynchronizer.Result(
        schema: schema,
        model: onlyTold ? unchanged : old,
        diagnostics: diagnostics,
        changes: [],
        retiredEntityNames: [],
        writesModelDespiteErrors: onlyTold
      )
    }
    for entity in gone {
      model.retiredEntityUIDs.append(entity.id.uid)
      for property in entity.properties { retire(property) }
      for relation in entity.relations { model.retiredRelationUIDs.append(relation.id.uid) }
      model.retiredIndexUIDs += entity.compoundIndexes.map(\.id.uid)
    }
    model.entities = entities.sorted { $0.id.id < $1.id.id }
    model.newUIDPool = nil
    sortNewRetired()
    return ModelSynchronizer.Result(
      schema: schema,
      model: model,
      diagnostics: [],
      changes: [],
      retiredEntityNames: gone.map(\.name),
      writesModelDespiteErrors: false
    )
  }

  // MARK: Entities

  private mutating func synchronize(_ entity: inout SchemaEntity) -> ModelDocument.Entity? {
    let title = "entity '\(entity.databaseName)'"
    let lookup = match(
      title,
      entity.uid,
      name: entity.databaseName,
      at: entity.position,
      among: old.entities.map { ($0.id, $0.name) },
      isOwnerNew: false,
      annotation: entity.uidPlace
    )
    guard let lookup else { return nil }
    let existing = old.entities.first { $0.id == lookup.existing }
    if let existing {
      if let other = matchedEntities[existing.id.uid] {
        let message = DiagnosticMessage.sameElement(
          "entities",
          other.typeName,
          entity.typeName,
          uid: existing.id.uid
        )
        report(message, at: entity.position, other: other.position)
        return nil
      }
      matchedEntities[existing.id.uid] = entity
    }
    var new = ModelDocument.Entity(
      id: existing?.id ?? .none,
      lastPropertyID: existing?.lastPropertyID ?? .none,
      name: entity.databaseName
    )
    new.flags = entity.flags
    new.externalName = entity.externalName
    for index in entity.properties.indices {
      synchronize(
        &entity.properties[index],
        of: &new,
        existing: existing,
        title: entity.databaseName
      )
    }
    let kept = Set(new.properties.map(\.id.uid))
    for property in existing?.properties ?? [] where !kept.contains(property.id.uid) {
      retire(property)
    }
    for index in entity.relations.indices where entity.relations[index].isStandalone {
      synchronize(
        &entity.relations[index],
        of: &new,
        existing: existing,
        title: entity.databaseName
      )
    }
    let keptRelations = Set(new.relations.map(\.id.uid))
    for relation in existing?.relations ?? [] where !keptRelations.contains(relation.id.uid) {
      model.retiredRelationUIDs.append(relation.id.uid)
    }
    synchronizeIndexes(of: &entity, into: &new, existing: existing)
    // In the order of the file, so that moving declarations around changes nothing.
    new.properties.sort { $0.id.id < $1.id.id }
    new.relations.sort { $0.id.id < $1.id.id }
    if existing == nil {
      new.id = ModelID(
        id: next(after: model.lastEntityID, "lastEntityId", title, at: entity.position),
        uid: lookup.uid ?? draw(at: entity.position)
      )
      model.lastEntityID = new.id
    }
    entity.modelID = new.id
    entity.lastPropertyID = new.lastPropertyID
    return new
  }

  // MARK: Properties

  private mutating func synchronize(
    _ property: inout SchemaProperty,
    of entity: inout ModelDocument.Entity,
    existing: ModelDocument.Entity?,
    title owner: String
  ) {
    let title = "property '\(property.databaseName)' of entity '\(owner)'"
    let lookup = match(
      title,
      property.uid,
      name: property.databaseName,
      at: property.position,
      among: existing?.properties.map { ($0.id, $0.name) } ?? [],
      isOwnerNew: existing == nil,
      annotation: property.uidPlace
    )
    guard let lookup else { return }
    let before = existing?.properties.first { $0.id == lookup.existing }
    if let before, let other = entity.properties.first(where: { $0.id == before.id }) {
      report(
        .sameElement(
          "properties of entity '\(owner)'",
          other.name,
          property.databaseName,
          uid: before.id.uid
        ),
        at: property.position,
        other: matchedProperties[before.id.uid]
      )
      return
    }
    if let before {
      matchedProperties[before.id.uid] = property.position
      if !(1...Self.greatestPropertyID).contains(before.id.id) {
        report(
          .propertyIDOutOfRange(title, before.id.id, greatest: Self.greatestPropertyID),
          at: property.position
        )
      }
    }
    var new = ModelDocument.Property(id: before?.id ?? .none, name: property.databaseName)
    if property.flags.contains(.indexed) {
      if let index = before?.indexID {
        new.indexID = index
      } else {
        let index = ModelID(
          id: next(after: model.lastIndexID, "lastIndexId", title, at: property.position),
          uid: draw(at: property.position)
        )
        new.indexID = index
        model.lastIndexID = index
      }
    } else if let index = before?.indexID {
      model.retiredIndexUIDs.append(index.uid)
    }
    if before == nil {
      new.id = ModelID(
        id: next(
          after: entity.lastPropertyID,
          "lastPropertyId",
          title,
          at: property.position,
          greatest: Self.greatestPropertyID
        ),
        uid: lookup.uid ?? draw(at: property.position)
      )
      entity.lastPropertyID = new.id
    }
    new.type = property.type?.rawValue
    new.flags = property.flags
    new.relationTarget = property.relationTarget
    new.externalName = property.externalName
    new.externalType = property.externalType
    new.collation = property.collation
    new.onDelete = property.onDelete?.stated
    property.modelID = new.id
    property.indexID = new.indexID
    entity.properties.append(new)
  }

  // MARK: Indexes over several properties

  /// An index is the same as long as it is over the same properties in the same order.
  private mutating func synchronizeIndexes(
    of entity: inout SchemaEntity,
    into new: inout ModelDocument.Entity,
    existing: ModelDocument.Entity?
  ) {
    for place in entity.compoundIndexes.indices {
      let index = entity.compoundIndexes[place]
      let ids = index.properties.compactMap { name in
        entity.properties.first { $0.name == name }?.modelID
      }
      // A property that is in fault has been told.
      guard ids.count == index.properties.count else { continue }
      let before = existing?.compoundIndexes.first {
        $0.propertyIDs.map(\.uid) == ids.map(\.uid)
      }
      let id =
        before?.id
        ?? ModelID(
          id: next(
            after: model.lastIndexID,
            "lastIndexId",
            "an index of entity '\(new.name)'",
            at: index.position
          ),
          uid: draw(at: index.position)
        )
      if before == nil { model.lastIndexID = id }
      entity.compoundIndexes[place].modelID = id
      entity.compoundIndexes[place].propertyIDs = ids
      new.compoundIndexes.append(
        ModelDocument.CompoundIndex(id: id, isUnique: index.isUnique, propertyIDs: ids)
      )
    }
    let kept = Set(new.compoundIndexes.map(\.id.uid))
    for index in existing?.compoundIndexes ?? [] where !kept.contains(index.id.uid) {
      model.retiredIndexUIDs.append(index.id.uid)
    }
    new.compoundIndexes.sort { $0.id.id < $1.id.id }
  }

  // MARK: Relations

  private mutating func synchronize(
    _ relation: inout SchemaRelation,
    of entity: inout ModelDocument.Entity,
    existing: ModelDocument.Entity?,
    title owner: String
  ) {
    let title = "relation '\(relation.name)' of entity '\(owner)'"
    let lookup = match(
      title,
      relation.uid,
      name: relation.name,
      at: relation.position,
      among: existing?.relations.map { ($0.id, $0.name) } ?? [],
      isOwnerNew: existing == nil,
      annotation: relation.uidPlace
    )
    guard let lookup else { return }
    if let found = lookup.existing,
      let other = entity.relations.first(where: { $0.id == found })
    {
      let message = DiagnosticMessage.sameElement(
        "relations of entity '\(owner)'",
        other.name,
        relation.name,
        uid: found.uid
      )
      report(message, at: relation.position, other: relationPlaces[found.uid])
      return
    }
    let id: ModelID
    if let found = lookup.existing {
      id = found
    } else {
      let uid = lookup.uid ?? draw(at: relation.position)
      let number = next(
        after: model.lastRelationID,
        "lastRelationId",
        title,
        at: relation.position
      )
      id = ModelID(id: number, uid: uid)
      model.lastRelationID = id
    }
    relation.modelID = id
    relationPlaces[id.uid] = relation.position
    entity.relations.append(
      ModelDocument.Relation(
        id: id,
        name: relation.name,
        externalName: relation.externalName,
        externalType: relation.externalType,
        targetID: .none,
        onDelete: relation.onDelete?.stated,
        onTargetDelete: relation.onTargetDelete?.stated
      )
    )
  }

  /// Sets the target of each relation, which may have got its ID after the owner, and what backlinks
  /// are the reverse of.
  private func setTargets(_ schema: inout Schema, _ entities: inout [ModelDocument.Entity]) {
    let targets = Dictionary(
      schema.entities.map { ($0.qualifiedName, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for owner in schema.entities.indices {
      for place in schema.entities[owner].relations.indices {
        let relation = schema.entities[owner].relations[place]
        guard let target = targets[relation.targetType] else { continue }
        schema.entities[owner].relations[place].targetID = target.modelID
        switch relation.kind {
        case .standalone, .backlink:
          for entity in entities.indices where entities[entity].id == schema.entities[owner].modelID
          {
            for index in entities[entity].relations.indices
            where entities[entity].relations[index].id == relation.modelID {
              entities[entity].relations[index].targetID = target.modelID ?? .none
            }
          }
        case .reverseOfToOne(let name):
          let property = target.properties.first { $0.name == name }
          schema.entities[owner].relations[place].modelID = property?.modelID
        case .reverseOfToMany(let name):
          let other = target.relations.first { $0.name == name }
          schema.entities[owner].relations[place].modelID = other?.modelID
        }
      }
    }
  }

  // MARK: Finding elements

  /// What a declaration stands for: an element of the old model, or a new one with or without a UID
  /// from the pool.
  private struct Match {
    var existing: ModelID?
    var uid: UInt64?
  }

  /// Finds the element of a declaration by UID or name; nil comes with a finding at the annotation,
  /// and so does an element whose UID is asked for.
  private mutating func match(
    _ title: String,
    _ request: UIDRequest,
    name: String,
    at position: SourcePosition,
    among elements: [(id: ModelID, name: String)],
    isOwnerNew: Bool,
    annotation: SourceSpan? = nil
  ) -> Match? {
    let place = annotation ?? SourceSpan(position: position, length: 0)
    let named = elements.first { $0.name.lowercased() == name.lowercased() }
    switch request {
    case .none: return Match(existing: named?.id, uid: nil)
    case .tell:
      guard let named else {
        diagnostics.append(Diagnostic(.uidNeedsValue(title), at: place))
        return nil
      }
      let fresh = draw(at: position)
      told.append(fresh)
      let message = DiagnosticMessage.tellUID(title, current: named.id.uid, new: fresh)
      let fix = annotation.map { FixIt.renaming($0, uid: named.id.uid) }
      currentUIDs[diagnostics.count] = .tellCurrentUID(title, current: named.id.uid)
      diagnostics.append(Diagnostic(message, at: place, fixIts: fix.map { [$0] } ?? []))
      // The element is known, so that what stands within can be checked as well.
      return Match(existing: named.id, uid: nil)
    case .value(let uid):
      if let other = requestedUIDs[uid] {
        diagnostics.append(
          Diagnostic(
            .uidUsedTwice(uid, title),
            at: place,
            notes: [Diagnostic(.otherPlace, at: other)]
          )
        )
        return nil
      }
      requestedUIDs[uid] = place
      if let found = elements.first(where: { $0.id.uid == uid }) {
        return Match(existing: found.id, uid: nil)
      }
      if pool.contains(uid) { return Match(existing: nil, uid: uid) }
      let message: DiagnosticMessage =
        retired.contains(uid)
        ? .retiredElement(uid, title)
        : isOwnerNew ? .uidNotInPool(uid, title) : .noSuchElement(uid, title)
      diagnostics.append(Diagnostic(message, at: place))
      return nil
    }
  }

  /// Returns the ID after the last one of its kind; a finding when there is none is told.
  private mutating func next(
    after last: ModelID,
    _ key: String,
    _ title: String,
    at position: SourcePosition,
    greatest: UInt32 = .max
  ) -> UInt32 {
    if last.id < greatest { return last.id + 1 }
    report(.outOfIDs(title, key: key, last: last.id), at: position)
    return last.id
  }

  private mutating func draw(at position: SourcePosition) -> UInt64 {
    guard let uid = uids.next(excluding: known.union(pool)) else {
      report(.outOfUIDs(last: uids.lastDrawn), at: position)
      return 0
    }
    known.insert(uid)
    return uid
  }

  private mutating func report(
    _ message: DiagnosticMessage,
    at position: SourcePosition,
    other: SourcePosition? = nil
  ) {
    let notes = other.map { [Diagnostic(.earlierDeclaration, at: $0)] } ?? []
    diagnostics.append(Diagnostic(message, at: position, notes: notes))
  }

  // MARK: Retiring

  private mutating func retire(_ property: ModelDocument.Property) {
    model.retiredPropertyUIDs.append(property.id.uid)
    if let index = property.indexID { model.retiredIndexUIDs.append(index.uid) }
  }

  /// Sorts what this run added, behind what was there.
  private mutating func sortNewRetired() {
    func sorted(_ list: [UInt64], _ count: Int) -> [UInt64] {
      Array(list.prefix(count)) + list.dropFirst(count).sorted()
    }
    model.retiredEntityUIDs = sorted(model.retiredEntityUIDs, old.retiredEntityUIDs.count)
    model.retiredIndexUIDs = sorted(model.retiredIndexUIDs, old.retiredIndexUIDs.count)
    model.retiredPropertyUIDs = sorted(model.retiredPropertyUIDs, old.retiredPropertyUIDs.count)
    model.retiredRelationUIDs = sorted(model.retiredRelationUIDs, old.retiredRelationUIDs.count)
  }
}
