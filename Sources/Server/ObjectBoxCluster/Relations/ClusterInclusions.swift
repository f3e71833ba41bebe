public import ObjectBox

/// The relations to load together with objects of an entity, and further relations of the related
/// objects.
///
/// A query passes an instance to the block of `include`:
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

  /// Also loads a to-one relation.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation of the entity.
  ///   - further: Adds relations of the targets; runs at once.
  /// - Returns: These relations and the new one.
  public func include<V: IdBase, R>(
    _ relation: Property<E, V, R>,
    _ further: (ClusterInclusions<R>) -> ClusterInclusions<R> = { $0 }
  ) -> ClusterInclusions<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(.toOne(property: relation.propertyId), further)
  }

  /// Also loads a to-many relation.
  ///
  /// - Parameters:
  ///   - relation: A to-many relation of the entity: standalone or a backlink.
  ///   - further: Adds relations of the related objects; runs at once.
  /// - Returns: These relations and the new one.
  public func include<R>(
    _ relation: ToManyProperty<R>,
    _ further: (ClusterInclusions<R>) -> ClusterInclusions<R> = { $0 }
  ) -> ClusterInclusions<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(relation.end, further)
  }

  /// Adds an end of a relation, or further relations of its objects.
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

  // MARK: Loading

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

  /// Returns the pending loads of the relations of objects.
  ///
  /// Relations that are loaded or changed stay unchanged.
  func loads(of objects: [E]) -> [any RelationLoading] {
    objects.isEmpty ? [] : all.map { $0.load(of: objects) }
  }
}

/// A relation loaded together with objects of an entity.
private struct ClusterInclusion<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The relation's end at these objects.
  let end: RelationEnd
  /// The related objects' `ClusterInclusions`.
  let further: Any
  /// The entities of the related objects on all levels.
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
