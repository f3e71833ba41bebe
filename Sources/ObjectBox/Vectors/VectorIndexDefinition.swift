internal import ObjectBoxStorage

/// A nearest-neighbour index of one property: the table and the parameters of its graph.
package struct VectorIndexDefinition: Sendable {
  /// The number of vectors below which a search compares all of them.
  static let exactSearchLimit = 1000
  private static let defaultCacheInKilobytes = 512 * 1024

  /// The nodes of the graph by object ID, and its entry point at 0.
  let table: StorageTable
  package let property: PropertySchema
  let distance: VectorDistance
  /// How many links a node keeps on each level; the levels grow thinner by this factor.
  let linkCount: Int
  /// How many links a new node gets on each level; later nodes add the others.
  let newLinkCount: Int
  /// The number of candidates of an insertion.
  let indexingSearchCount: Int
  /// The probability that a neighbour of a removed node gets one link more than connectedness needs.
  let repairProbability: Double
  /// The memory that a write transaction uses for the graph before it writes it and empties the cache.
  let cacheLimitInBytes: Int

  /// Makes the definition of an indexed float vector; nil when the property has another index or none.
  init?(table: StorageTable, property: PropertySchema) {
    guard property.hasVectorIndex, let parameters = property.hnsw else { return nil }
    self.table = table
    self.property = property
    distance = parameters.distance
    linkCount = parameters.linkCount
    // A graph of few links needs all of them from the beginning.
    newLinkCount = max(min(linkCount, 8), (linkCount + 1) / 2)
    indexingSearchCount = max(linkCount, Int(parameters.indexingSearchCount ?? 100))
    let probability = parameters.reparationBacklinkProbability ?? 1
    repairProbability = probability.isNaN ? 1 : max(0, min(1, Double(probability)))
    let cache = max(0, parameters.vectorCacheHintSizeInKilobytes ?? Self.defaultCacheInKilobytes)
    cacheLimitInBytes = cache.multipliedReportingOverflow(by: 1024).overflow ? .max : cache * 1024
  }

  var propertyID: UInt32 { property.identity.id }
  var dimensions: Int { distance.dimensions }

  /// The greatest number of links of a node, unless the graph needs more to stay connected.
  func linkLimit(level: Int) -> Int { level == 0 ? 2 * newLinkCount : linkCount }
}

extension PropertySchema {
  /// True when the index of the property is a graph of neighbours and no table of values.
  package var hasVectorIndex: Bool { type == .floatVector && index != nil && hnsw != nil }

  /// True when the property has a nearest-neighbour index whose parameters the model leaves out.
  package var lacksVectorParameters: Bool { type == .floatVector && index != nil && hnsw == nil }

  /// The form of the graph; when it changes, the graph is rebuilt.
  var vectorIndexForm: VectorIndexForm? {
    guard hasVectorIndex, let hnsw else { return nil }
    return VectorIndexForm(distance: hnsw.distance, linkCount: hnsw.linkCount)
  }
}

/// The settings that decide which nodes of a graph are linked.
struct VectorIndexForm: Hashable {
  var distance: VectorDistance
  var linkCount: Int
}

extension HnswParameters {
  var distance: VectorDistance {
    let type = distanceType.flatMap(HnswDistanceType.init(rawValue:)) ?? .euclidean
    return VectorDistance(type: type == .unknown ? .euclidean : type, dimensions: dimensions)
  }

  /// A graph of nodes with a single link would fall apart.
  fileprivate var linkCount: Int { max(2, Int(neighborsPerNode ?? 30)) }
}
