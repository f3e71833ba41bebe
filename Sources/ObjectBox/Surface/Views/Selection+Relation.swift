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
    let link = LinkCondition(relation.end, to: R.entityInfo, .all([]))
    _ = try link.targetTable(of: try Box<E>(store: store).table(), in: store.file)
    related = Related(
      link: RelationLink(end: relation.end, host: host.value),
      hostEntity: E.entityInfo.entitySchemaId
    )
  }

  /// Selects the objects of a relation of an instance; none for a relation that belongs to no stored object.
  init<R>(_ relation: ToMany<R>, _ file: StoreFile) {
    guard let link = relation.link, link.host != 0,
      let table = file.table(entity: R.entityInfo.entitySchemaId),
      let host = link.end.hostTable(of: table, in: file)
    else {
      condition = .any([])
      return
    }
    related = Related(link: link, hostEntity: host.schema.identity.id)
  }
}
