/// Describes further settings of a property; generated code calls it.
///
/// A class for source compatibility.
public class PropertyBuilder {
  let model: ModelBuilder
  let entity: Int
  let property: Int

  init(model: ModelBuilder, entity: Int, property: Int) {
    self.model = model
    self.entity = entity
    self.property = property
  }

  /// Changes the property, and returns the builder.
  @discardableResult
  package func change(
    _ body: (inout PropertySchema) throws -> Void
  ) rethrows -> PropertyBuilder {
    try model.change(entity: entity) { try body(&$0.properties[property]) }
    return self
  }

  /// Sets the parameters of a nearest-neighbour index.
  ///
  /// The flags are stored with the schema, without effect.
  ///
  /// - Parameters:
  ///   - dimensions: The number of elements of each vector.
  ///   - neighborsPerNode: The number of links that a node keeps on each level, at least 2; nil for
  ///     30. A node keeps more if connectedness needs them. A new node gets half as many links. For
  ///     values up to 15, a new node gets the value itself, at most 8, and the lowest level keeps
  ///     twice the value.
  ///   - indexingSearchCount: The number of candidates that an insertion examines; nil for 100.
  ///   - flags: Settings of the index.
  ///   - distanceType: The distance to measure; nil for euclidean.
  ///   - reparationBacklinkProbability: The probability, from 0 to 1, that a neighbour of a removed
  ///     node gets one more link than the graph needs to stay connected; nil for 1.
  ///   - vectorCacheHintSizeKB: The memory in KiB that a write transaction uses for the index and
  ///     its vectors before it writes them and empties the cache; nil for 512 MiB. Up to 128 MiB
  ///     are kept for the next write transaction.
  /// - Returns: The builder.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` unless there is at least one dimension.
  @discardableResult
  public func hnswParams(
    dimensions: Int,
    neighborsPerNode: UInt32?,
    indexingSearchCount: UInt32?,
    flags: [HnswFlags]?,
    distanceType: HnswDistanceType?,
    reparationBacklinkProbability: Float?,
    vectorCacheHintSizeKB: Int?
  ) throws -> PropertyBuilder {
    guard dimensions > 0 else {
      throw ObjectBoxError.illegalArgument(
        message: "a nearest-neighbour index has \(dimensions) dimensions; give it at least 1"
      )
    }
    return change { property in
      property.hnsw = HnswParameters(
        dimensions: dimensions,
        neighborsPerNode: neighborsPerNode,
        indexingSearchCount: indexingSearchCount,
        flags: (flags ?? []).reduce(0) { $0 | $1.rawValue },
        distanceType: distanceType?.rawValue,
        reparationBacklinkProbability: reparationBacklinkProbability,
        vectorCacheHintSizeInKilobytes: vectorCacheHintSizeKB
      )
    }
  }

  /// Sets the external name of the property, for use outside of the store, and returns the builder.
  @discardableResult
  public func externalName(_ name: String) throws -> PropertyBuilder {
    change { $0.externalName = name }
  }

  /// Sets the external type of the property, for use outside of the store, and returns the builder.
  @discardableResult
  public func externalType(_ type: UInt32) throws -> PropertyBuilder {
    change { property in
      property.externalType = type
      let order = Collation(externalType: type)
      if property.type == .string, order.decidesOrder { property.collation = order }
    }
  }

  /// Sets, for a to-one relation, the effect of removing the target on its source objects, and
  /// returns the builder.
  @discardableResult
  public func onDelete(_ rule: DeleteRule) throws -> PropertyBuilder {
    change { $0.onDelete = rule }
  }

  /// Sets the collation of a text's index, and returns the builder.
  ///
  /// Throws ``ObjectBoxError/illegalArgument(message:)`` for a property that is not a text or has
  /// no index.
  @discardableResult
  public func collation(_ collation: Collation) throws -> PropertyBuilder {
    try change { property in
      let isForced = property.collation.decidesOrder
      if collation != .binary,
        property.type != .string || property.index == nil || isForced || collation.decidesOrder
      {
        throw ObjectBoxError.illegalArgument(
          message:
            "property '\(property.name)' has the collation \(collation) in the model, which is "
            + "for texts with an index; run the generator again"
        )
      }
      if !isForced { property.collation = collation }
    }
  }
}
