/// The storage of objects outside of a store file, such as a database server.
///
/// Relations of such objects hold a store made by ``Store/forReading(_:)``, and call its host on
/// their slow paths.
package protocol RelationHost: ObjectLocation {
  /// Returns the ID of an object that the object being put refers to.
  ///
  /// A new object gets an ID and is put in the same transaction.
  ///
  /// - Parameter object: The target of a to-one relation.
  /// - Returns: Its ID.
  /// - Throws: ``writingError`` when no object is being put; an error of the host when it cannot
  ///   assign an ID.
  func idPuttingOnTheWay<E>(_ object: E) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType

  /// Returns the related objects of a new object that is being put.
  ///
  /// - Parameter link: The relation.
  /// - Returns: No objects.
  /// - Throws: ``readingError`` for the relation of any other object.
  func relatedObjects<S>(of link: RelationLink) throws -> [S]
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType

  /// Puts changes of a to-many relation into the transaction of the object that is being put.
  ///
  /// - Parameters:
  ///   - added: Objects to add, which may be new.
  ///   - removed: Objects to remove.
  ///   - link: The relation.
  /// - Throws: ``writingError`` when no object is being put.
  func apply<S>(added: [S], removed: [S], to link: RelationLink) throws
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType

  /// Registers an action that undoes changes in memory when the transaction of the put is rolled
  /// back; actions run in reverse order.
  func onRollback(_ action: @escaping () -> Void)
}

/// A relation of any entity, as a host sees it.
package protocol HostedRelation: __RelationInMemory {
  /// Takes the objects in memory of the same relation of another struct, of which this relation's
  /// struct is a copy.
  ///
  /// - Parameter other: The relation of the original struct.
  func takeObjects(of other: any __RelationInMemory)
}

extension ToOne: HostedRelation {
  package func takeObjects(of other: any __RelationInMemory) {
    guard let object = (other as? Self)?.snapshot.object, let id = lazyTarget?.id else { return }
    _ = resolve(id, to: object)
  }
}

/// A to-many relation of any entity, as a host sees it.
package protocol HostedToMany: HostedRelation {
  /// The relation in the model; nil for a relation of no object.
  var link: RelationLink? { get }

  /// Makes the relation of a new object loaded and empty, unless it is loaded.
  func setEmptyUnlessLoaded()
}

extension ToMany: HostedToMany {
  /// The objects of a relation of no stored object become changes; an empty relation changes
  /// nothing.
  package func takeObjects(of other: any __RelationInMemory) {
    guard let other = other as? Self, let taken = other.content else { return }
    if other.link != nil {
      setContent(RelatedObjects(stored: taken.objects))
    } else if !taken.objects.isEmpty {
      replace(taken.objects)
    }
  }

  package func setEmptyUnlessLoaded() {
    if content == nil { setContent(RelatedObjects(stored: [])) }
  }
}

extension Store {
  /// The host of objects outside of a store file; nil for objects of this store's file.
  package var relationHost: (any RelationHost)? {
    if case .elsewhere(let place) = source { place as? any RelationHost } else { nil }
  }
}
