internal import ObjectBoxGenerator

/// The state of one merge.
///
/// Elements are merged with their current IDs. Then all of them get the IDs of the merged model.
struct MergeRun {
  let base: ModelDocument
  let ours: ModelDocument
  let theirs: ModelDocument
  let places: ElementPlaces
  /// Names of all entities by UID; names of ours take precedence.
  let entityNames: [UInt64: String]
  var diagnostics: [Diagnostic] = []
  /// UIDs of new indexes that were displaced by a change of the other side.
  var droppedIndexUIDs: [UInt64] = []

  init(base: ModelDocument, ours: ModelDocument, theirs: ModelDocument, places: ElementPlaces) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.places = places
    entityNames = Dictionary(
      (ours.entities + theirs.entities + base.entities).map { ($0.id.uid, $0.name) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the merged model; nil comes with errors in `diagnostics`.
  mutating func merge() -> ModelDocument? {
    checkSharedUIDs()
    // Elements paired by a wrong UID would only cause more findings.
    guard diagnostics.isEmpty else { return nil }
    var model = ModelDocument()
    for triple in MergeTriple(base: base, ours: ours, theirs: theirs).pairs(of: \.entities) {
      guard var entity = merge(triple) else { continue }
      if triple.ours != nil, triple.theirs != nil { mergeParts(of: &entity, triple) }
      model.entities.append(entity)
    }
    checkNames(of: model)
    checkTargets(of: model)
    guard diagnostics.allSatisfy({ !$0.isError }) else { return nil }
    mergeLists(into: &model)
    giveNumbers(to: &model)
    return TargetNames.replaceByNames(in: model)
  }

  mutating func report(_ message: DiagnosticMessage, at position: SourcePosition) {
    diagnostics.append(Diagnostic(message, at: position))
  }

  // MARK: Elements

  /// Merges the three versions of an element without its parts; nil when the element is gone.
  private mutating func merge<Element: ModelElement>(
    _ triple: MergeTriple<Element>,
    of owner: ModelDocument.Entity? = nil
  ) -> Element? {
    guard let some = triple.base ?? triple.ours ?? triple.theirs else { return nil }
    let title = some.title(of: owner?.name)
    let uid = some.id.uid
    let position = places.place(of: uid, owner?.id.uid ?? uid)
    guard let mine = triple.ours, let other = triple.theirs else {
      return survivor(of: triple, title: title, at: position)
    }
    let versions = ModelTrait.Versions(
      base: triple.base,
      ours: mine,
      theirs: other,
      entityNames: entityNames
    )
    var merged = mine
    for trait in Element.table.attributes.flatMap(\.traits) {
      // After a conflict, the trait of ours stays.
      let conflict = trait.merge(versions, &merged)
      if let conflict { report(.mergeConflict(title, conflict), at: position) }
    }
    return merged
  }

  private mutating func mergeParts(
    of entity: inout ModelDocument.Entity,
    _ triple: MergeTriple<ModelDocument.Entity>
  ) {
    let owner = entity
    entity.properties = triple.pairs(of: \.properties).compactMap { triple in
      guard var property = merge(triple, of: owner) else { return nil }
      mergeIndexID(triple, into: &property, of: owner)
      return property
    }
    entity.relations = triple.pairs(of: \.relations).compactMap { merge($0, of: owner) }
    mergeCompoundIndexes(triple, into: &entity)
    mergeFullTextIndexes(triple, into: &entity)
  }

  /// Decides about an element that one side lacks; nil when the merged model lacks it too.
  private mutating func survivor<Element: ModelElement>(
    of triple: MergeTriple<Element>,
    title: String,
    at position: SourcePosition
  ) -> Element? {
    guard let element = triple.ours ?? triple.theirs else { return nil }
    let isGoneFromOurs = triple.ours == nil
    guard let before = triple.base else {
      let side = isGoneFromOurs ? ours : theirs
      if side[keyPath: Element.kind.retired].contains(element.id.uid) {
        report(.mergeRemovedAddition(title, byOurs: isGoneFromOurs), at: position)
      }
      return element
    }
    if element.content == before.content { return nil }
    report(.mergeRemoved(title, byOurs: isGoneFromOurs), at: position)
    return element
  }

  // MARK: The model

  private mutating func mergeLists(into model: inout ModelDocument) {
    for kind in ElementKind.allCases {
      let own = ours[keyPath: kind.retired]
      var known = Set(own)
      var further = theirs[keyPath: kind.retired].filter { !known.contains($0) }
      known.formUnion(further)
      if kind == .index { further += droppedIndexUIDs.filter { !known.contains($0) } }
      model[keyPath: kind.retired] = own + further
    }
    model.lastSequenceID =
      ours.lastSequenceID.id >= theirs.lastSequenceID.id
      ? ours.lastSequenceID : theirs.lastSequenceID
    // UIDs of the pool that either side has used are left out.
    let used = model.knownUIDs.union(model.ids(of: .relation).map(\.uid))
    let pool = (ours.newUIDPool ?? []) + (theirs.newUIDPool ?? [])
    var free: [UInt64] = []
    for uid in pool where !used.contains(uid) && !free.contains(uid) { free.append(uid) }
    model.newUIDPool = free.isEmpty ? nil : free
  }
}
