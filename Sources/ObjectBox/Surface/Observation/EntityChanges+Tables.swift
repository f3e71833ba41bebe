/// What commits did to the objects of several entities, by the number of the entity's table.
extension Dictionary<Int, EntityChanges> {
  /// Adds what came after.
  mutating func formUnion(_ later: Self) {
    for (entity, changes) in later { self[entity, default: EntityChanges()].formUnion(changes) }
  }
}
