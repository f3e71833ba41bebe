public import ObjectBox

/// The relations that are loaded together with objects of an entity, and those of the related objects in turn.
///
/// A query passes one to the block of `include`:
///
///     let orders = try await box.query()
///       .include(Order.customer) { $0.include(Customer.city).include(Customer.orders) }
///       .find()
///
/// All relations of one level take one round trip.
public struct ClusterInclusions<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private var all: [ClusterInclusion<E>] = []

  init() {}

  /// Loads a to-one relation as well.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation of the entity.
  ///   - further: Adds relations of the targets; it is called at once.
  /// - Returns: The relations with this one.
  public func include<V: IdBase, R>(
    _ relation: Property<E, V, R>,
    _ further: (ClusterInclusions<R>) -> ClusterInclusions<R> = { $0 }
  ) -> ClusterInclusions<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(.toOne(property: relation.propertyId), further)
  }

  /// Loads a to-many relation as well.
  ///
  /// - Parameters:
  ///   - relation: A to-many relation of the entity: a standalone one, or the other end of one or of a to-one relation.
  ///   - further: Adds relations of the related objects; it is called at once.
  /// - Returns: The relations with this one.
  public func include<R>(
    _ relation: ToManyProperty<R>,
    _ further: (ClusterInclusions<R>) -> ClusterInclusions<R> = { $0 }
  ) -> ClusterInclusions<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(relation.end, further)
  }

  /// Adds an end of a relation, or more relations of its objects.
  private func including<R>(
    _ end: RelationEnd,
    _ further: (ClusterInclusions<R>) -> ClusterInclusions<R>
  ) -> ClusterInclusions<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    var copy = self
    let earlier = all.first { $0.end == end }?.further as? ClusterInclusions<R>
    copy.all.removeAll { $0.end == end }
    copy.all.append(ClusterInclusion(end, further(earlier ?? ClusterInclusions<R>())))
    return copy
  }

  // MARK: Use

  var isEmpty: Bool { all.isEmpty }

  /// The entities of all related objects.
  var entities: [UInt32] { all.flatMap(\.entities) }

  /// Checks the relations of all levels against a model.
  ///
  /// - Parameter shape: A store with the model.
  /// - Throws: `ObjectBoxError.illegalArgument` for a relation that the model or the entity lacks.
  func check(in shape: Store) throws {
    if all.isEmpty { return }
    var selection = Selection(of: nil)
    for inclusion in all { inclusion.select(&selection) }
    let entity = E.entityInfo
    try shape.check(selection, entity: entity.entitySchemaId, named: entity.entityName)
    for inclusion in all { try inclusion.check(shape) }
  }

  /// Returns loads of the relations of objects.
  ///
  /// Relations that are loaded already, or were changed, stay as they are.
  func loads(of objects: [E]) -> [any RelationLoading] {
    objects.isEmpty ? [] : all.map { $0.load(of: objects) }
  }
}

/// A relation that is loaded together with objects of an entity.
private struct ClusterInclusion<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The end of the relation at these objects.
  let end: RelationEnd
  /// The `ClusterInclusions` of the related objects.
  let further: Any
  /// The entities of the related objects, and of those that are related to them.
  let entities: [UInt32]
  /// Adds the relation to a selection.
  let select: (inout Selection) -> Void
  /// Checks the relations of the related objects against the model of a store.
  let check: (Store) throws -> Void
  private let newLoad: () -> any RelationLoading

  init<R>(_ end: RelationEnd, _ further: ClusterInclusions<R>)
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    self.end = end
    self.further = further
    entities = [R.entityInfo.entitySchemaId] + further.entities
    select = { $0.include(end, to: R.self) }
    check = further.check
    newLoad = { RelationLoad<R>(end, further) }
  }

  func load(of objects: [E]) -> any RelationLoading {
    let load = newLoad()
    let binding = E.entityBinding
    for object in objects { binding.visitRelations(of: object) { load.add($0) } }
    return load
  }
}
