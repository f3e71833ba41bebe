/// The place of objects that are not in the file of a store, such as a database server.
///
/// The relations of such objects hold a store made by ``Store/forObjects(of:)``, and ask its host
/// on their slow paths.
package protocol RelationHost: ObjectPlace {
  /// Returns the ID of an object that an object being put refers to.
  ///
  /// A new one gets an ID, and is put in the same transaction.
  ///
  /// - Parameter object: The target of a to-one relation.
  /// - Returns: Its ID.
  /// - Throws: ``writingError`` when no object is being put; an error of the host when it has no ID to give.
  func idPuttingOnTheWay<E>(_ object: E) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType

  /// Returns the related objects of an object that is being put as a new one.
  ///
  /// - Parameter link: The relation.
  /// - Returns: No objects.
  /// - Throws: ``readingError`` for the relation of any other object.
  func relatedObjects<S>(of link: RelationLink) throws -> [S]
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType

  /// Puts changes of a to-many relation into the transaction of the object that is being put.
  ///
  /// - Parameters:
  ///   - added: Objects that the relation is to have, which may be new.
  ///   - removed: Objects that it is not to have any more.
  ///   - link: The relation.
  /// - Throws: ``writingError`` when no object is being put.
  func apply<S>(added: [S], removed: [S], to link: RelationLink) throws
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType

  /// Registers work that undoes changes in memory when the transaction of the object that is being put is
  /// rolled back; the last registered one runs first.
  func onRollback(_ action: @escaping () -> Void)
}

/// A relation of any entity, as hosts see it.
package protocol HostedRelation: __RelationInMemory {
  /// Takes the objects in memory of a relation, for a copy of the struct that this one belongs to.
  ///
  /// - Parameter other: The same relation of the struct that was copied.
  func takeObjects(of other: any __RelationInMemory)
}

extension ToOne: HostedRelation {
  package func takeObjects(of other: any __RelationInMemory) {
    guard let object = (other as? Self)?.snapshot.object, let id = lazyTarget?.id else { return }
    _ = resolve(id, to: object)
  }
}

/// A to-many relation of any entity, as hosts see it.
package protocol HostedToMany: HostedRelation {
  /// The relation in the model; nil when it belongs to no object.
  var link: RelationLink? { get }

  /// Notes that the relation of a new object has no objects yet; one that is loaded stays as it is.
  func setEmptyUnlessLoaded()
}

extension ToMany: HostedToMany {
  /// The objects of a relation that belongs to no stored object become changes; none at all change nothing.
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
  /// The host of objects that are in another place; nil for those of this store's file.
  package var relationHost: (any RelationHost)? {
    if case .elsewhere(let place) = source { place as? any RelationHost } else { nil }
  }
}
