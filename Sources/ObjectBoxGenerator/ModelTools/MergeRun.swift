/// One merge: the state that grows while the elements are gone through.
///
/// First the elements are merged with the IDs they have, then all get the IDs of the merged model.
struct MergeRun {
  let base: ModelDocument
  let ours: ModelDocument
  let theirs: ModelDocument
  let places: ElementPlaces
  /// The names of all entities by UID, those of ours first.
  let entityNames: [UInt64: String]
  var diagnostics: [Diagnostic] = []
  /// The UIDs of new indexes that gave way to what the other side did.
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

  /// Returns the merged model; what is wrong with it is in `diagnostics`.
  mutating func merge() -> ModelDocument? {
    checkSharedUIDs()
    // Elements that are no pairs would only make more findings.
    guard diagnostics.isEmpty else { return nil }
    var model = ModelDocument()
    for triple in MergeTriple.pair(base.entities, ours.entities, theirs.entities) {
      if let entity = merge(triple) { model.entities.append(entity) }
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

  /// Merges one trait; a conflict is told, and ours stands in until the end.
  mutating func merge<Value: Equatable>(
    _ trait: String,
    of title: String,
    at position: SourcePosition,
    _ base: Value?,
    _ ours: Value,
    _ theirs: Value,
    words: (Value) -> String
  ) -> Value {
    if let value = ThreeWay.merge(base, ours, theirs) { return value }
    report(
      .mergeConflict(title, trait, ours: words(ours), theirs: words(theirs)),
      at: position
    )
    return ours
  }

  /// Decides about an element that one side lacks; nil when it is gone from the merged model as well.
  ///
  /// The lists hold the retired UIDs of its kind.
  mutating func survivor<Element: ModelElement & Equatable>(
    of triple: MergeTriple<Element>,
    title: String,
    owner: UInt64,
    retired: (ours: [UInt64], theirs: [UInt64])
  ) -> Element? {
    guard let element = triple.ours ?? triple.theirs else { return nil }
    let isGoneFromOurs = triple.ours == nil
    let uid = element.id.uid
    let position = places.place(of: uid, owner)
    guard let before = triple.base else {
      if (isGoneFromOurs ? retired.ours : retired.theirs).contains(uid) {
        report(.mergeRemovedAddition(title, byOurs: isGoneFromOurs), at: position)
      }
      return element
    }
    if element.content == before.content { return nil }
    report(.mergeRemoved(title, byOurs: isGoneFromOurs), at: position)
    return element
  }

  private mutating func mergeLists(into model: inout ModelDocument) {
    func union(_ list: KeyPath<ModelDocument, [UInt64]>) -> [UInt64] {
      let own = ours[keyPath: list]
      let known = Set(own)
      return own + theirs[keyPath: list].filter { !known.contains($0) }
    }
    model.retiredEntityUIDs = union(\.retiredEntityUIDs)
    model.retiredIndexUIDs = union(\.retiredIndexUIDs)
    let known = Set(model.retiredIndexUIDs)
    model.retiredIndexUIDs += droppedIndexUIDs.filter { !known.contains($0) }
    model.retiredPropertyUIDs = union(\.retiredPropertyUIDs)
    model.retiredRelationUIDs = union(\.retiredRelationUIDs)
    model.lastSequenceID =
      ours.lastSequenceID.id >= theirs.lastSequenceID.id
      ? ours.lastSequenceID : theirs.lastSequenceID
    // A UID of the pool that one side has used since is no longer free.
    let used = model.knownUIDs.union(model.entities.flatMap { $0.relations.map(\.id.uid) })
    let pool = (ours.newUIDPool ?? []) + (theirs.newUIDPool ?? [])
    var free: [UInt64] = []
    for uid in pool where !used.contains(uid) && !free.contains(uid) { free.append(uid) }
    model.newUIDPool = free.isEmpty ? nil : free
  }
}
