/// A relation to any number of objects.
///
/// Declare it as a property of an entity, `var orders: ToMany<Order> = nil`, and use it as a
/// collection. The first access loads the objects by ascending ID. Changes stay in memory until the
/// host is put, or until ``applyToDb()``. Two puts do not store them: one through an `AsyncBox`,
/// and one of a struct whose relation belongs to no stored object. Use `put(struct:)` for a new
/// struct.
///
/// There are two kinds. A standalone relation has entries of its own. A backlink shows another
/// relation from its other end: the objects that have the host as to-one target, or in their
/// to-many relation. Changing a backlink changes that relation.
///
/// One thread at a time may use it. A class, so that changes in a copy of a struct are not lost.
///
///     let note = Note(title: "Engines")
///     note.tags.append(Tag(name: "history"))
///     try notes.put(note)  // stores the tag and the relation
///     for tag in note.tags { print(tag.name) }
public final class ToMany<S>: ExpressibleByNilLiteral
where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  /// Nil for a relation of no object.
  @exclusivity(unchecked) package private(set) var link: RelationLink?
  package let box: Box<S>?
  /// Nil until the objects are loaded.
  @exclusivity(unchecked) package private(set) var content: RelatedObjects<S>?
  /// True while the changes are being stored, which may put the host again.
  var isApplying = false

  /// Makes an empty relation of no object.
  public init() {
    link = nil
    box = nil
  }

  /// Makes an empty relation of no object.
  public convenience init(nilLiteral: ()) {
    self.init()
  }

  private init(_ end: RelationEnd, host: UInt64, box: Box<S>) {
    link = RelationLink(end: end, host: host)
    self.box = box
  }

  deinit {
    if content != nil { releaseContent() }
  }

  /// Releases the loaded objects after the change: their deinitializers may read the relation.
  private func releaseContent() {
    var old: AnyObject? = content
    content = nil
    ReleaseQueue.release(&old)
  }

  // MARK: Calls of generated code

  /// Makes the standalone relation of an object.
  ///
  /// - Parameters:
  ///   - sourceId: The host.
  ///   - targetBox: The box of the related objects.
  ///   - relationId: The relation's ID in the model.
  /// - Returns: A relation that is not loaded yet.
  public static func relation<Host: Entity>(
    sourceId: EntityId<Host>,
    targetBox: Box<S>,
    relationId: obx_schema_id
  ) -> ToMany<S> {
    ToMany(.standalone(relation: relationId), host: sourceId.value, box: targetBox)
  }

  /// Makes the backlink of a to-one relation.
  ///
  /// Stops the process when the target has no ID.
  ///
  /// - Parameters:
  ///   - sourceBox: The box of the objects that have the to-one relation.
  ///   - sourceProperty: The to-one relation.
  ///   - targetId: The target, which is the host of the backlink.
  /// - Returns: A relation that is not loaded yet.
  public static func backlink<Host: Entity>(
    sourceBox: Box<S>,
    sourceProperty: Property<S, EntityId<Host>, Host>,
    targetId: EntityId<Host>
  ) -> ToMany<S> {
    precondition(
      targetId.value != 0,
      "a backlink to '\(Host.self)' needs an object that was stored; put it first"
    )
    return ToMany(
      .toOneBacklink(property: sourceProperty.propertyId),
      host: targetId.value,
      box: sourceBox
    )
  }

  /// Makes the backlink of a standalone relation.
  ///
  /// - Parameters:
  ///   - sourceBox: The box of the objects that have the standalone relation.
  ///   - targetId: The target, which is the host of the backlink.
  ///   - relationId: The relation's ID in the model.
  /// - Returns: A relation that is not loaded yet.
  public static func backlink<Host: Entity>(
    sourceBox: Box<S>,
    targetId: EntityId<Host>,
    relationId: obx_schema_id
  ) -> ToMany<S> {
    ToMany(.standaloneBacklink(relation: relationId), host: targetId.value, box: sourceBox)
  }

  // MARK: State

  /// Whether the objects are loaded.
  public var resolved: Bool { content != nil }

  /// Whether there are changes for ``applyToDb()`` to write.
  public var hasPendingDbChanges: Bool { content?.hasPending ?? false }

  /// Whether the relation belongs to a stored object, so that it can read and write.
  public var canInteractWithDb: Bool {
    guard let link, let box else { return false }
    return link.host != 0 && !box.store.isDetached
  }

  /// Forgets the loaded objects and the changes.
  public func reset() {
    if content != nil { releaseContent() }
  }

  // MARK: Content

  /// The objects; loads them, and stops the process when they cannot be loaded.
  package var objects: [S] {
    if let content { return content.objects }
    load()
    return content?.objects ?? []
  }

  /// Makes the relation one of no object again; it keeps its objects.
  func unbind() { link = nil }

  /// Sets the loaded objects.
  package func setContent(_ objects: RelatedObjects<S>) {
    content = objects
  }

  private func load() {
    do {
      try resolveFromDb()
    } catch {
      fatalError(
        "cannot load a to-many relation to '\(S.entityInfo.entityName)': \(error); call "
          + "resolveFromDb() first to handle this"
      )
    }
  }

  func replaceObjects<C: Collection>(_ range: Range<Int>?, with new: C) where C.Element == S {
    let count = objects.count
    // Copied first: the new objects may be a view of this relation. Removed objects are released
    // after the change: their deinitializers may read the relation.
    let new = Array(new)
    let gone = content?.replace(range ?? 0..<count, with: new, id: knownID)
    withExtendedLifetime(gone) {}
  }

  private func knownID(of object: S) -> UInt64 {
    box?.knownID(of: object) ?? S.entityBinding.entityId(of: object)
  }

  /// Restores changes of a transaction that was rolled back, and keeps later changes.
  ///
  /// - Parameters:
  ///   - added: The objects that were stored.
  ///   - removed: The objects that were removed.
  func restoreChanges(added: [S], removed: [S]) {
    content?.restore(added: added, removed: removed, id: knownID)
  }

  /// Restores changes whose storing unloaded the relation, and keeps later changes.
  ///
  /// - Parameter before: The content when the changes were stored.
  func restoreChanges(of before: RelatedObjects<S>) {
    let now = content?.objects ?? before.objects
    var old: AnyObject? = content
    content = RelatedObjects(stored: before.storedObjects)
    replaceObjects(nil, with: now)
    ReleaseQueue.release(&old)
  }

  /// Marks the changes as stored.
  func didStore(keepingObjects: Bool) {
    if keepingObjects {
      content?.didStore()
    } else {
      reset()
    }
  }
}

extension ToMany: CustomStringConvertible, CustomDebugStringConvertible {
  /// The objects, when they are loaded; loads nothing.
  public var description: String { content.map { "\($0.objects)" } ?? "(unresolved)" }

  /// The type and the number of objects, when they are loaded; loads nothing.
  public var debugDescription: String {
    let state = content.map { "\($0.objects.count) objects" } ?? "unresolved"
    return "ToMany<\(S.self)>(\(state)\(hasPendingDbChanges ? ", with changes" : ""))"
  }
}
