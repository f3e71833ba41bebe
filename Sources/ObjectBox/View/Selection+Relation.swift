extension Selection {
  /// Selects the objects that a relation of an object leads to.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the object's entity has no such relation.
  init<E, R>(_ relation: ToManyProperty<R>, of host: EntityId<E>, _ store: Store) throws
  where
    E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType,
    R: EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType
  {
    // Whether they fit is what a link of a query asks as well.
    let link = LinkCondition(relation.linkRelation, to: R.entityInfo, .all([]))
    _ = try link.targetTable(of: try Box<E>(store: store).table(), in: store.core)
    related = Related(
      link: RelationLink(kind: relation.kind, host: host.value),
      hostEntity: E.entityInfo.entitySchemaId
    )
  }
}

extension ToManyProperty {
  fileprivate var kind: RelationLink.Kind {
    switch relation {
    case .valuePropertyId(let id): .toOne(property: id)
    case .relationId(let id): .standalone(relation: id)
    case .backlinkRelationId(let id): .reverse(relation: id)
    }
  }
}
