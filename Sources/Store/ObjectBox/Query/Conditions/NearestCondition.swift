/// A `nearestNeighbors` condition that fits its index.
package struct NearestCondition {
  package let property: PropertySchema
  package let vector: [Float]
  package let maxCount: Int
  package let filtering: NearestFiltering

  /// Checks a condition against the schema.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property has no
  ///   nearest-neighbour index, the vector has another number of dimensions, or `maxCount` is below
  ///   1.
  package init?(_ condition: PropertyCondition, entity: EntitySchema) throws {
    guard case .nearest(let vector, let maxCount, let filtering) = condition.operand else {
      return nil
    }
    property = try ConditionTypes.property(condition.propertyID, in: entity)
    self.vector = vector
    self.maxCount = maxCount
    self.filtering = filtering
    let name = "'\(entity.name).\(property.name)'"
    guard property.hasVectorIndex, let hnsw = property.hnsw else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a query asks for the nearest neighbours by \(name), which has no nearest-neighbour "
          + "index; annotate it with `objectbox: hnswIndex: dimensions=…`"
      )
    }
    guard vector.count == hnsw.dimensions else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a query asks for the nearest neighbours of a vector of \(vector.count) dimensions, "
          + "and the index on \(name) has \(hnsw.dimensions); use a vector of that length"
      )
    }
    guard maxCount > 0 else {
      throw ObjectBoxError.illegalArgument(
        message: "a query asks for \(maxCount) nearest neighbours by \(name); ask for at least 1"
      )
    }
  }

  /// Returns the score of a record; infinity when it has no vector.
  func score(of record: RecordReader, by definition: VectorIndexDefinition) -> Double {
    guard let other = definition.vector(in: record) else { return .infinity }
    return distance(to: other, definition.distance).map(definition.distance.score) ?? .infinity
  }

  private func distance(
    to other: UnsafeRawBufferPointer,
    _ distance: VectorDistance
  ) -> Float? {
    vector.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let other = other.baseAddress else { return nil }
      return distance.measure(distance.scaled(start), distance.scaled(other))
    }
  }

  /// Returns the distance to a vector that is not stored; nil for another number of dimensions.
  package func distance(to other: [Float]) -> Float? {
    guard let distance = property.hnsw?.distance, other.count == vector.count else { return nil }
    return other.withUnsafeBytes { self.distance(to: $0, distance) }
  }

  /// Returns the public score of a distance.
  package func score(_ distance: Float) -> Double {
    property.hnsw?.distance.score(distance) ?? .infinity
  }

  func definition(in table: EntityTable) -> VectorIndexDefinition? {
    table.vectorIndexes.first { $0.propertyID == property.identity.id }
  }
}

extension PropertyCondition {
  /// Sets another vector or number of neighbours; false for another kind of condition.
  mutating func changeNearest(to operand: Operand) -> Bool {
    guard case .nearest(let vector, let maxCount, let filtering) = self.operand else {
      return false
    }
    switch operand {
    case .integers(let numbers) where numbers.count == 1:
      self.operand = .nearest(vector: vector, maxCount: Int(numbers[0]), filtering: filtering)
    case .nearest(let vector, _, _):
      self.operand = .nearest(vector: vector, maxCount: maxCount, filtering: filtering)
    default: return false
    }
    return true
  }
}
