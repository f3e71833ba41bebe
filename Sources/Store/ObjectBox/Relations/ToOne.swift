/// A relation to one object, or to none.
///
/// Declare it as a property of an entity, `var customer: ToOne<Customer> = nil`, and set it through
/// ``target`` or ``targetId``. The first access loads the target. A new target is stored with the
/// object that refers to it. When the target is removed from its box, the stored relation becomes
/// null; a relation in memory stays as it is until ``reset()``.
///
/// A class, so that copies of a struct share the loaded target. Several threads may use it if the
/// target's type allows that.
///
///     let note = Note(title: "Engines")
///     note.author.target = Author(name: "Ada")
///     try notes.put(note)  // stores the author as well
///     print(note.author.target?.name ?? "nobody")
public final class ToOne<T: Entity & EntityInspectable & __EntityRelatable>:
  ExpressibleByNilLiteral, CustomStringConvertible, CustomDebugStringConvertible
where T == T.EntityBindingType.EntityType {
  /// The entity that the relation leads to.
  public typealias Target = T

  // Accessed under the lock only.
  @exclusivity(unchecked) private var content: ToOneContent

  /// ID of the property that the relation was read from; 0 for none.
  package let propertyID: UInt32

  /// Makes a relation to nothing.
  public init(nilLiteral: ()) {
    content = ToOneContent()
    propertyID = 0
  }

  /// Makes a relation to an object, which may be new.
  public init(_ target: T?) {
    content = Self.content(target)
    propertyID = 0
  }

  /// Makes a relation to a stored object; 0 for none.
  @usableFromInline
  init(id: UInt64, propertyID: UInt32, store: Store) {
    self.propertyID = propertyID
    content = ToOneContent(state: id == 0 ? .none : .lazy, id: id, object: nil, store: store)
  }

  deinit {
    ReleaseQueue.release(&content.object)
  }

  private static func content(_ target: T?) -> ToOneContent {
    guard let target else { return ToOneContent() }
    let id = T.entityBinding.entityId(of: target)
    return ToOneContent(
      state: id == 0 ? .unstored : .stored,
      isGiven: id != 0,
      id: id,
      object: KeptTarget.keep(target)
    )
  }

  /// The current content.
  var snapshot: ToOneContent { ToOneLock.withLock(of: self) { content } }

  /// Replaces the content, unless the body returns nil; releases the old content outside of the
  /// lock.
  func change(_ body: (ToOneContent) -> ToOneContent?) {
    let old = ToOneLock.withLock(of: self) { () -> ToOneContent? in
      guard let new = body(content) else { return nil }
      defer { content = new }
      return content
    }
    withExtendedLifetime(old) {}
  }

  private static func load(_ id: UInt64, from store: Store) -> AnyObject? {
    do { return try store.keptTarget(T.self, id: id) } catch {
      if !store.isClosed {
        store.openStore.failures.tell(.relation, of: T.entityInfo.entityName, ids: [id], error)
      }
      return nil
    }
  }

  /// The target ID and the store of a relation whose target is not loaded.
  package var lazyTarget: (id: UInt64, store: Store)? {
    ToOneLock.withLock(of: self) {
      guard content.state == .lazy, let store = content.store else { return nil }
      return (content.id, store)
    }
  }

  /// Sets the loaded target, unless the relation was loaded or changed meanwhile.
  ///
  /// - Parameters:
  ///   - id: The ID that was looked up.
  ///   - kept: Its object as a ``KeptTarget``; nil when it does not exist.
  /// - Returns: False when nothing was set.
  package func resolve(_ id: UInt64, to kept: AnyObject?) -> Bool {
    ToOneLock.withLock(of: self) {
      guard content.state == .lazy, content.id == id else { return false }
      content.state = kept == nil ? .unresolvable : .stored
      // Replaces nil, so nothing is released under the lock.
      content.object = kept
      return true
    }
  }

  /// Loads the target from the store's file, unless it is loaded.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  package func loadFromFile() throws {
    while let (id, store) = lazyTarget {
      _ = resolve(id, to: try store.keptTarget(T.self, id: id))
    }
  }

  // MARK: Target

  /// Whether there is a target, stored or not.
  public var hasValue: Bool { ToOneLock.withLock(of: self) { content.state != .none } }

  /// The object that the relation leads to; nil for none, or when it cannot be loaded.
  ///
  /// The first read loads it, in the caller's transaction or in one of its own. Later reads return
  /// the same instance until ``reset()``. A new object without an attached box returns only a
  /// target that was set.
  ///
  ///     note.author.target = nil
  ///     try notes.put(note)
  public var target: T? {
    get {
      while let (id, store) = lazyTarget {
        if let host = store.relationHost {
          // Still lazy, so that a later read can load it.
          store.openStore.failures.tell(
            .relation,
            of: T.entityInfo.entityName,
            ids: [id],
            host.readingError
          )
          return nil
        }
        // Loaded outside of the lock; if several threads load, the first one's object is kept.
        let loaded = Self.load(id, from: store)
        guard resolve(id, to: loaded) else { continue }
        guard let loaded else { return nil }
        return KeptTarget.target(loaded, as: T.self)
      }
      guard let kept = ToOneLock.withLock(of: self, { content.object }) else { return nil }
      return KeptTarget.target(kept, as: T.self)
    }
    set {
      let given = Self.content(newValue)
      change { now in
        var new = given
        new.store = now.store
        return new
      }
    }
  }

  /// ID of the target; nil for none, and for a target that had no ID when it was set.
  ///
  ///     note.author.targetId = ada.id  // loads nothing
  ///     try notes.put(note)
  public var targetId: EntityId<T>? {
    get {
      let id = ToOneLock.withLock(of: self) { content.id }
      return id == 0 ? nil : EntityId(id)
    }
    set {
      let id = newValue?.value ?? 0
      change { now in
        if id != 0, id == now.id { return nil }
        return ToOneContent(state: id == 0 ? .none : .lazy, id: id, object: nil, store: now.store)
      }
    }
  }

  /// Sets the store that targets are loaded from.
  public func attach(to box: Box<T>) {
    attach(to: box.store)
  }

  func attach(to store: Store) {
    change { now in
      var new = now
      new.store = store
      return new
    }
  }

  /// Unloads the target, so that the next read loads it again.
  ///
  /// A new target stays.
  public func reset() {
    let seen = snapshot
    // Outside of the lock: the binding may call user code.
    let own =
      seen.state == .unstored
      ? seen.object.map { T.entityBinding.entityId(of: KeptTarget.target($0, as: T.self)) } : nil
    change { now in
      switch now.state {
      case .stored, .unresolvable:
        return ToOneContent(state: .lazy, id: now.id, object: nil, store: now.store)
      case .unstored:
        guard let own, own != 0 else { return nil }
        return ToOneContent(state: .lazy, id: own, object: nil, store: now.store)
      case .none, .lazy: return nil
      }
    }
  }

  // MARK: Description

  /// Describes the target, such as `ToOne(nil)`; loads it.
  public var description: String { "ToOne(\(target.map { "\($0)" } ?? "nil"))" }

  /// Describes the state, type and ID; loads nothing.
  public var debugDescription: String {
    let seen = snapshot
    let id = seen.id == 0 ? "" : " \(seen.id)"
    return "ToOne<\(T.self)>(\(seen.state)\(id))"
  }
}

// Invariant: the content is accessed under the lock only, and in `deinit`, which nothing else can
// reach.
extension ToOne: @unchecked Sendable where T: Sendable {}

extension Store {
  /// Returns an object as a ``KeptTarget``; nil when it does not exist.
  ///
  /// Avoids the box, whose look-up costs as much as the record's.
  fileprivate func keptTarget<T>(_ type: T.Type, id: UInt64) throws -> AnyObject?
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try checkOpen()
    guard let table = file.table(entity: T.entityInfo.entitySchemaId) else {
      throw Box<T>.missing(in: self)
    }
    if case .thread = source { return try keptTargetOnThread(type, id, table) }
    return try readingSource { try keptTargetOnThread(type, id, table) }
  }

  private func keptTargetOnThread<T>(
    _ type: T.Type,
    _ id: UInt64,
    _ table: EntityTable
  ) throws -> AnyObject?
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try makingOnThread {
      try transactions.beginReading(id, of: table, on: $0)
    } object: {
      KeptTarget.keep(try T.entityBinding.object(of: $0, in: table, self))
    }
  }
}
