internal import ObjectBox

/// A relation that a query loads together with its results.
struct ClusterInclusion<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The end of the relation at the results.
  let end: RelationEnd
  private let newLoad: () -> any RelationLoading

  init<R>(_ end: RelationEnd, to type: R.Type)
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    self.end = end
    newLoad = { RelationLoad<R>(end) }
  }

  /// Returns a load of the relation of objects.
  ///
  /// Relations that are loaded already, or were changed, stay as they are.
  func load(of objects: [E]) -> any RelationLoading {
    let load = newLoad()
    let binding = E.entityBinding
    for object in objects { binding.visitRelations(of: object) { load.add($0) } }
    return load
  }
}
