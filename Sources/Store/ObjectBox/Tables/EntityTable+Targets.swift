extension [EntityTable] {
  /// Returns the entity that a to-one relation leads to; nil if there is none.
  package func target(of property: PropertySchema) -> EntityTable? {
    first { $0.name == property.targetEntityName }
  }

  /// Returns the to-one relations of an entity, as indexes of its properties, and their targets.
  package func toOnes(of table: EntityTable) -> [(index: Int, target: EntityTable)] {
    table.schema.properties.indices.compactMap { index in
      let property = table.schema.properties[index]
      guard property.type == .relation else { return nil }
      return target(of: property).map { (index, $0) }
    }
  }
}
