extension StoreSchema {
  /// True if the parameters of a nearest-neighbour index are missing.
  var lacksVectorParameters: Bool {
    entities.contains { $0.properties.contains(where: \.lacksVectorParameters) }
  }

  /// Returns the schema; missing parameters of nearest-neighbour indexes come from the stored
  /// schema.
  ///
  /// Model files do not contain these parameters.
  func takingVectorParameters(from stored: StoreSchema) -> StoreSchema {
    var schema = self
    for (index, entity) in entities.enumerated() {
      for (number, property) in entity.properties.enumerated()
      where property.lacksVectorParameters {
        let old = stored.entities.first { $0.identity == entity.identity }?.properties
          .first { $0.identity == property.identity && $0.index == property.index }
        schema.entities[index].properties[number].hnsw = old?.hnsw
      }
    }
    return schema
  }

  /// Throws ``ObjectBoxError/schema(message:)`` when the parameters of a nearest-neighbour index are missing.
  func checkVectorParameters(location: String) throws {
    for entity in entities {
      guard let property = entity.properties.first(where: \.lacksVectorParameters) else { continue }
      throw ObjectBoxError.schema(
        message:
          "cannot open store at '\(location)': '\(entity.name).\(property.name)' has a "
          + "nearest-neighbour index, and neither the model nor the store has its parameters, which "
          + "model.json does not hold; open the store with generated code first"
      )
    }
  }
}
