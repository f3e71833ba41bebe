/// A relation of an object in memory, which generated code passes to the library.
///
/// `ToOne` and `ToMany` conform; nothing else should.
public protocol __RelationInMemory: AnyObject {
  /// True for a to-many relation, which keeps changes until they are applied.
  var __isToMany: Bool { get }

  /// The store that the relation reads from; nil for a relation of an object that is not stored.
  var __store: Store? { get }

  /// True when the relation has changes that a put of its object stores.
  var __hasChanges: Bool { get }

  /// Stores the changes of a relation after its object was put.
  ///
  /// - Parameter store: The store that the object was put into.
  /// - Throws: ``ObjectBoxError``: `differentStore` when the relation belongs to an object of another store; other
  ///   errors as for a put.
  func __applyChanges(in store: Store) throws
}

extension EntityBinding {
  /// Finds the relations of an object by reflection; generated code names them instead, which is
  /// faster.
  ///
  /// - Parameters:
  ///   - entity: An object.
  ///   - visit: Called for each to-one and to-many relation.
  /// - Throws: The errors of `visit`.
  public func visitRelations(
    of entity: EntityType,
    _ visit: (any __RelationInMemory) throws -> Void
  ) rethrows {
    var mirror: Mirror? = Mirror(reflecting: entity)
    while let level = mirror {
      for child in level.children {
        if let relation = child.value as? any __RelationInMemory { try visit(relation) }
      }
      mirror = level.superclassMirror
    }
  }
}

extension Box {
  /// Returns whether a put of the object must also store changes of to-many relations.
  func hasRelationChanges(_ entity: E, _ table: EntityTable) -> Bool {
    guard RelationKinds.of(entity, table).contains(.toMany) else { return false }
    var isFound = false
    E.entityBinding.visitRelations(of: entity) { isFound = isFound || $0.__hasChanges }
    return isFound
  }

  /// Stores the changed to-many relations of an object that was stored before.
  ///
  /// For new objects the binding does this.
  func applyRelationChanges(of entity: E, _ table: EntityTable) throws {
    guard RelationKinds.of(entity, table).contains(.toMany) else { return }
    try E.entityBinding.visitRelations(of: entity) { try $0.__applyChanges(in: store) }
  }
}

extension Store {
  /// Throws when a stored object that is given to a relation belongs to another store.
  ///
  /// An object belongs to the store that its relations read from, or to `hint` if it has no
  /// relations.
  ///
  /// - Parameters:
  ///   - object: An object with an ID.
  ///   - hint: The store that the relation reads from, if it is known.
  /// - Throws: ``ObjectBoxError/differentStore(message:)``, which names both stores.
  package func checkOwns<T>(_ object: T, hint: Store? = nil) throws
  where T: EntityInspectable, T == T.EntityBindingType.EntityType {
    var owner: Store?
    if let table = file.table(entity: T.entityInfo.entitySchemaId),
      !RelationKinds.of(object, table).isEmpty
    {
      T.entityBinding.visitRelations(of: object) { owner = owner ?? $0.__store }
    }
    guard let owner = owner ?? hint, owner.openStore !== openStore,
      !owner.hasSameDirectory(as: self)
    else {
      return
    }
    throw ObjectBoxError.differentStore(
      message:
        "cannot relate an object in the store at '\(directoryPath)' to '\(T.entityInfo.entityName)' "
        + "with ID \(T.entityBinding.entityId(of: object)), which belongs to the store at "
        + "'\(owner.directoryPath)'; put a copy with ID 0 there first, or read the object from there"
    )
  }

  /// True for another instance of the same files, which may since have been closed and reopened.
  func hasSameDirectory(as other: Store) -> Bool {
    if directoryPath == other.directoryPath { return true }
    guard let key = directory.registryKey else { return false }
    return key == other.directory.registryKey
  }
}

/// The kinds of relations that objects of an entity have in memory.
struct RelationKinds: OptionSet {
  let rawValue: UInt8

  static let toOne = RelationKinds(rawValue: 1)
  static let toMany = RelationKinds(rawValue: 2)

  /// Returns the kinds of an entity's relations; examines the first object and caches the result.
  static func of<E>(_ entity: E, _ table: EntityTable) -> RelationKinds
  where E: EntityInspectable, E == E.EntityBindingType.EntityType {
    if let known = table.relationKinds { return RelationKinds(rawValue: known) }
    var kinds: RelationKinds = []
    E.entityBinding.visitRelations(of: entity) { kinds.insert($0.__isToMany ? .toMany : .toOne) }
    table.keepRelationKinds(kinds.rawValue)
    return kinds
  }
}
