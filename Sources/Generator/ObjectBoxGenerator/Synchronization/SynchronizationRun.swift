/// The state of one synchronisation.
///
/// New elements get their IDs in ObjectBox's order. Of each entity, the properties come first, as
/// declared, each after its own index. Relations follow, then indexes over several properties, and
/// last the entity itself.
struct SynchronizationRun {
  /// Slots of properties have 16 bits.
  ///
  /// The runtime's `EntityBuilder` has the same limit.
  private static let greatestPropertyID = UInt32(UInt16.max / 2 - 2)

  private let old: ModelDocument
  private var model: ModelDocument
  private var known: Set<UInt64>
  private let pool: Set<UInt64>
  private let retired: Set<UInt64>
  private var diagnostics: [Diagnostic] = []
  private var told: [UInt64] = []
  /// Number of findings that answer a bare `uid`.
  private var answerCount = 0
  /// Messages that replace findings with a new UID when that UID is not kept, by the indexes of the
  /// findings.
  private var currentUIDs: [Int: DiagnosticMessage] = [:]
  /// Declarations of known elements, by UID.
  ///
  /// Properties and relations belong to the current entity.
  private var matched: [ElementKind: [UInt64: any ModelDeclaration]] = [:]
  private var requestedUIDs: [UInt64: SourceSpan] = [:]
  private var shared = SharedUIDs()
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
    setTargets(&schema, &entities)
    finishShared()
    var result = ModelSynchronizer.Result(schema: schema, model: old, diagnostics: diagnostics)
    guard diagnostics.isEmpty else {
      // A UID is kept only if there are no other errors: otherwise each further run would add one
      // to the pool.
      result.writesModelDespiteErrors = diagnostics.count == answerCount
      if result.writesModelDespiteErrors {
        result.model.newUIDPool = (old.newUIDPool ?? []) + told
      } else {
        for (place, message) in currentUIDs { result.diagnostics[place].message = message }
      }
      return result
    }
    model.entities = entities.sortedByID
    model.newUIDPool = nil
    for kind in ElementKind.allCases {
      let living = Set(model.ids(of: kind))
      let gone = old.ids(of: kind).filter { !living.contains($0) }
      model[keyPath: kind.retired] += gone.map(\.uid).sorted()
    }
    result.model = model
    let gone = old.entities.filter { model.entities[uid: $0.id.uid] == nil }
    result.retiredEntityNames = gone.map(\.name)
    return result
  }

  // MARK: Elements

  private mutating func synchronize(_ entity: inout SchemaEntity) -> ModelDocument.Entity? {
    let title = ElementKind.entity.title(entity.databaseName)
    guard let match = match(entity, title, among: old.entities) else { return nil }
    matched[.property] = [:]
    matched[.relation] = [:]
    var new = ModelDocument.Entity()
    new.take(entity)
    new.lastPropertyID = match.existing?.lastPropertyID ?? .none
    for index in entity.properties.indices {
      synchronize(&entity.properties[index], of: &new, match.existing)
    }
    for index in entity.relations.indices where entity.relations[index].isStandalone {
      synchronize(&entity.relations[index], of: &new, match.existing)
    }
    synchronizeIndexes(of: &entity, into: &new, match.existing)
    synchronizeFullTextIndexes(of: &entity, into: &new, match.existing)
    // In the order of the file: moving a declaration changes nothing.
    new.properties = new.properties.sortedByID
    new.relations = new.relations.sortedByID
    new.id = match.existing?.id ?? newID(of: .entity, title, at: entity.position, uid: match.uid)
    entity.modelID = new.id
    entity.lastPropertyID = new.lastPropertyID
    return new
  }

  private mutating func synchronize(
    _ property: inout SchemaProperty,
    of entity: inout ModelDocument.Entity,
    _ existing: ModelDocument.Entity?
  ) {
    let title = ElementKind.property.title(property.databaseName, of: entity.name)
    guard var match = match(property, title, of: entity, among: existing?.properties) else {
      return
    }
    if property.migration != nil {
      let migration = MigrationMatch(
        of: property,
        title,
        match.existing,
        among: existing?.properties
      )
      property.migration?.source = migration.source
      if migration.isNew { match.existing = nil }
      diagnostics += migration.diagnostics
    }
    if property.objectMigration != nil {
      let migration = ObjectMigrationMatch(
        of: property,
        title,
        match.existing,
        among: existing?.properties
      )
      property.objectMigration?.sources = migration.sources
      if migration.isNew { match.existing = nil }
      diagnostics += migration.diagnostics
    }
    let greatest = Self.greatestPropertyID
    if let id = match.existing?.id.id, !(1...greatest).contains(id) {
      report(.propertyIDOutOfRange(title, id, greatest: greatest), at: property.position)
    }
    var new = ModelDocument.Property()
    new.take(property)
    if property.flags.contains(.indexed) {
      new.indexID = match.existing?.indexID ?? newID(of: .index, title, at: property.position)
    }
    let last = entity.lastPropertyID
    new.id =
      match.existing?.id
      ?? newID(after: last, of: .property, title, at: property.position, uid: match.uid)
    if match.existing == nil { entity.lastPropertyID = new.id }
    property.modelID = new.id
    property.indexID = new.indexID
    entity.properties.append(new)
  }

  private mutating func synchronize(
    _ relation: inout SchemaRelation,
    of entity: inout ModelDocument.Entity,
    _ existing: ModelDocument.Entity?
  ) {
    let title = ElementKind.relation.title(relation.name, of: entity.name)
    guard let match = match(relation, title, of: entity, among: existing?.relations) else { return }
    var new = ModelDocument.Relation()
    new.take(relation)
    new.id =
      match.existing?.id
      ?? newID(of: .relation, title, at: relation.position, uid: match.uid)
    relation.modelID = new.id
    entity.relations.append(new)
  }

  /// Matches indexes by their lists of properties.
  private mutating func synchronizeIndexes(
    of entity: inout SchemaEntity,
    into new: inout ModelDocument.Entity,
    _ existing: ModelDocument.Entity?
  ) {
    for place in entity.compoundIndexes.indices {
      var index = entity.compoundIndexes[place]
      index.propertyIDs = index.properties.compactMap { name in
        entity.properties.first { $0.name == name }?.modelID
      }
      // A faulty property has a finding of its own.
      guard index.propertyIDs.count == index.properties.count else { continue }
      var found = ModelDocument.CompoundIndex()
      found.take(index)
      let before = existing?.compoundIndexes.first { $0.propertyUIDs == found.propertyUIDs }
      found.id =
        before?.id
        ?? newID(of: .index, "an index of entity '\(new.name)'", at: index.position)
      index.modelID = found.id
      entity.compoundIndexes[place] = index
      new.compoundIndexes.append(found)
    }
    new.compoundIndexes = new.compoundIndexes.sortedByID
  }

  /// Matches full-text indexes by their names and their lists of properties.
  private mutating func synchronizeFullTextIndexes(
    of entity: inout SchemaEntity,
    into new: inout ModelDocument.Entity,
    _ existing: ModelDocument.Entity?
  ) {
    for place in entity.fullTextIndexes.indices {
      var index = entity.fullTextIndexes[place]
      for column in index.columns.indices {
        let name = index.columns[column].property
        index.columns[column].propertyID = entity.properties.first { $0.name == name }?.modelID
      }
      // A faulty property has a finding of its own.
      guard index.propertyIDs.count == index.columns.count else { continue }
      // By ID: moving a declaration does not change the columns.
      index.columns.sort { ($0.propertyID?.id ?? 0) < ($1.propertyID?.id ?? 0) }
      var found = ModelDocument.FullTextIndex()
      found.take(index)
      let before = existing?.fullTextIndexes.first {
        $0.givenName == found.givenName && $0.propertyUIDs == found.propertyUIDs
      }
      found.id =
        before?.id
        ?? newID(of: .index, "a full-text index of entity '\(new.name)'", at: index.position)
      index.modelID = found.id
      entity.fullTextIndexes[place] = index
      new.fullTextIndexes.append(found)
    }
    new.fullTextIndexes = new.fullTextIndexes.sortedByID
  }

  /// Sets the target of each relation and the counterpart of each backlink.
  ///
  /// Runs last, since a target may get its ID after the owner.
  private func setTargets(_ schema: inout Schema, _ entities: inout [ModelDocument.Entity]) {
    let targets = Dictionary(
      schema.entities.map { ($0.qualifiedName, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for owner in schema.entities.indices {
      let entity = entities.firstIndex { $0.id == schema.entities[owner].modelID }
      for place in schema.entities[owner].relations.indices {
        var relation = schema.entities[owner].relations[place]
        guard let target = targets[relation.targetType] else { continue }
        relation.targetID = target.modelID
        switch relation.kind {
        case .standalone, .backlink:
          guard let entity,
            let index = entities[entity].relations.firstIndex(where: { $0.id == relation.modelID })
          else { break }
          entities[entity].relations[index].targetID = target.modelID ?? .none
        case .reverseOfToOne(let name):
          relation.modelID = target.properties.first { $0.name == name }?.modelID
        case .reverseOfToMany(let name):
          relation.modelID = target.relations.first { $0.name == name }?.modelID
        }
        schema.entities[owner].relations[place] = relation
      }
    }
  }

  // MARK: Finding elements

  /// A match in the old model; without an element for a new one, perhaps with its UID from the pool.
  private typealias Match<Element> = (existing: Element?, uid: UInt64?)

  /// Finds the element of a declaration; returns nil and reports a finding when another declaration
  /// has it.
  private mutating func match<Element: ModelElement>(
    _ declaration: Element.Declaration,
    _ title: String,
    of owner: ModelDocument.Entity? = nil,
    among elements: [Element]?
  ) -> Match<Element>? where Element.Declaration: ModelDeclaration {
    let match = find(declaration, title, of: owner, among: elements)
    guard let uid = match?.existing?.id.uid else { return match }
    if let other = matched[Element.kind]?[uid] {
      let all = owner.map { "\(Element.Declaration.plural) of entity '\($0.name)'" }
      let message = DiagnosticMessage.sameElement(
        all ?? Element.Declaration.plural,
        other.nameInFindings,
        declaration.nameInFindings,
        uid: uid
      )
      report(message, at: declaration.position, other: other.position)
      return nil
    }
    matched[Element.kind, default: [:]][uid] = declaration
    return match
  }

  /// Finds the element of a declaration by UID or name; `elements` is nil for a new entity.
  ///
  /// A nil result comes with a finding at the annotation. A bare `uid` is answered by a finding
  /// too.
  private mutating func find<Element: ModelElement>(
    _ declaration: Element.Declaration,
    _ title: String,
    of owner: ModelDocument.Entity?,
    among elements: [Element]?
  ) -> Match<Element>? where Element.Declaration: ModelDeclaration {
    let place = declaration.uidPlace ?? SourceSpan(position: declaration.position, length: 0)
    let named = elements?[name: declaration.databaseName]
    switch declaration.uid {
    case .none: return (named, nil)
    case .shared(let uids): return findShared(uids, declaration, title, place, among: elements)
    case .tell:
      let migration = named.flatMap { Self.migration(of: declaration, from: $0, in: owner) }
      if let ancestor = declaration.ancestor {
        shared.note([], of: "'\(ancestor.name).\(declaration.nameInSwift)'", at: place)
        guard let named else { return (nil, nil) }
        let fresh = draw(at: declaration.position)
        told.append(fresh)
        shared.tell(
          .init(
            entity: owner?.name ?? "",
            current: named.id.uid,
            new: fresh,
            migration: migration
          ),
          at: place
        )
        return (named, nil)
      }
      guard let named else {
        diagnostics.append(Diagnostic(.uidNeedsValue(title), at: place))
        return nil
      }
      let fresh = draw(at: declaration.position)
      told.append(fresh)
      answerCount += 1
      let uid = named.id.uid
      let message = DiagnosticMessage.tellUID(title, current: uid, new: fresh, migration: migration)
      currentUIDs[diagnostics.count] = .tellCurrentUID(title, current: uid, migration: migration)
      // With its own UID, a property of another type would be refused.
      let fix =
        migration == nil ? declaration.uidPlace.map { FixIt.renaming($0, uids: [uid]) } : nil
      diagnostics.append(Diagnostic(message, at: place, fixIts: fix.map { [$0] } ?? []))
      // Returned despite the finding: the parts of the element are checked as well.
      return (named, nil)
    case .value(let uid):
      if let other = requestedUIDs[uid] {
        let notes = [Diagnostic(.otherPlace, at: other)]
        diagnostics.append(Diagnostic(.uidUsedTwice(uid, title), at: place, notes: notes))
        return nil
      }
      requestedUIDs[uid] = place
      if let found = elements?[uid: uid] { return (found, nil) }
      if pool.contains(uid) { return (nil, uid) }
      let message: DiagnosticMessage =
        retired.contains(uid)
        ? .retiredElement(uid, title)
        : elements == nil ? .uidNotInPool(uid, title) : .noSuchElement(uid, title)
      diagnostics.append(Diagnostic(message, at: place))
      return nil
    }
  }

  /// Returns the annotation that keeps the values of a property whose type changes; nil for other
  /// declarations.
  private static func migration(
    of declaration: any ModelDeclaration,
    from element: any ModelElement,
    in owner: ModelDocument.Entity?
  ) -> String? {
    guard let property = declaration as? SchemaProperty, let owner,
      let old = element as? ModelDocument.Property
    else { return nil }
    var new = ModelDocument.Property()
    new.take(property)
    return Retyping(from: old, to: new, of: owner)?.annotation
  }

  /// Finds the element of a member of a base, whose annotation has the UIDs of several entities.
  ///
  /// A UID from the pool is for an entity that exists. An entity whose element has none of the UIDs
  /// may have inherited the member later, so the name decides.
  private mutating func findShared<Element: ModelElement>(
    _ uids: [UInt64],
    _ declaration: Element.Declaration,
    _ title: String,
    _ place: SourceSpan,
    among elements: [Element]?
  ) -> Match<Element>? where Element.Declaration: ModelDeclaration {
    let base = declaration.ancestor?.name ?? ""
    shared.note(uids, of: "'\(base).\(declaration.nameInSwift)'", at: place)
    let found = uids.lazy.compactMap { elements?[uid: $0] }.first
    let fresh = uids.first { pool.contains($0) && !shared.isTaken($0, at: place) }
    guard let uid = found?.id.uid ?? (elements == nil ? nil : fresh) else {
      return (elements?[name: declaration.databaseName], nil)
    }
    shared.take(uid, at: place)
    if let other = requestedUIDs[uid], other != place {
      let notes = [Diagnostic(.otherPlace, at: other)]
      diagnostics.append(Diagnostic(.uidUsedTwice(uid, title), at: place, notes: notes))
      return nil
    }
    requestedUIDs[uid] = place
    return (found, found == nil ? uid : nil)
  }

  /// Reports on the annotations of bases, after all entities have been matched.
  private mutating func finishShared() {
    diagnostics += shared.faults
    for answer in shared.answers {
      currentUIDs[diagnostics.count] = answer.current
      diagnostics.append(answer.finding)
      answerCount += 1
    }
  }

  // MARK: New IDs

  /// Returns the next ID of a kind, and makes it the model's last ID.
  private mutating func newID(
    of kind: ElementKind,
    _ title: String,
    at position: SourcePosition,
    uid: UInt64? = nil
  ) -> ModelID {
    guard let last = kind.last else { return .none }
    let id = newID(after: model[keyPath: last], of: kind, title, at: position, uid: uid)
    model[keyPath: last] = id
    return id
  }

  /// Returns the ID after `last`, with a UID from the pool or a new one; reports a finding when no
  /// ID is left.
  private mutating func newID(
    after last: ModelID,
    of kind: ElementKind,
    _ title: String,
    at position: SourcePosition,
    uid: UInt64?
  ) -> ModelID {
    let isFree = last.id < (kind == .property ? Self.greatestPropertyID : .max)
    if !isFree { report(.outOfIDs(title, key: kind.lastKey, last: last.id), at: position) }
    return ModelID(id: isFree ? last.id + 1 : last.id, uid: uid ?? draw(at: position))
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
}

/// A declaration of a model element.
private protocol ModelDeclaration {
  static var plural: String { get }

  var databaseName: String { get }
  var nameInSwift: String { get }
  var nameInFindings: String { get }
  /// The base class that declares the element; nil for others.
  var ancestor: Ancestor? { get }
  var uid: UIDRequest { get }
  var uidPlace: SourceSpan? { get }
  var position: SourcePosition { get }
}

extension SchemaEntity: ModelDeclaration {
  fileprivate static let plural = "entities"

  fileprivate var nameInSwift: String { typeName }
  fileprivate var nameInFindings: String { typeName }
  fileprivate var ancestor: Ancestor? { nil }
}

extension SchemaProperty: ModelDeclaration {
  fileprivate static let plural = "properties"

  fileprivate var nameInSwift: String { name }
  fileprivate var nameInFindings: String { databaseName }
}

extension SchemaRelation: ModelDeclaration {
  fileprivate static let plural = "relations"

  fileprivate var databaseName: String { name }
  fileprivate var nameInSwift: String { name }
  fileprivate var nameInFindings: String { name }
}
