internal import ObjectBoxStorage

/// A nearest-neighbour index over one property: the table and the parameters of its graph.
package struct VectorIndexDefinition: Sendable {
  /// A search in fewer vectors compares all of them.
  static let exactSearchLimit = 1000
  private static let defaultCacheInKilobytes = 512 * 1024

  package let indexID: UInt32
  /// The nodes of the graph by object ID, and the entry point at 0.
  let table: StorageTable
  package let property: PropertySchema
  let distance: VectorDistance
  /// Number of links that a node keeps on each level.
  ///
  /// Each level has fewer nodes than the level below, by this factor.
  let linkCount: Int
  /// Number of links that a new node gets on each level; later nodes add more.
  let newLinkCount: Int
  /// Number of candidates that an insertion examines.
  let indexingSearchCount: Int
  /// The probability that a neighbour of a removed node gets one more link than connectedness
  /// needs.
  let repairProbability: Double
  /// Memory that a write transaction uses for the graph before it writes the changes and empties
  /// the cache.
  let cacheLimitInBytes: Int

  /// Makes the definition of an indexed float vector; nil if the property has another index or
  /// none.
  init?(table: StorageTable, property: PropertySchema) {
    guard property.hasVectorIndex, let index = property.index, let parameters = property.hnsw
    else { return nil }
    indexID = index.id
    self.table = table
    self.property = property
    distance = parameters.distance
    linkCount = parameters.linkCount
    // A graph with few links needs all of them from the beginning.
    newLinkCount = max(min(linkCount, 8), (linkCount + 1) / 2)
    indexingSearchCount = max(linkCount, Int(parameters.indexingSearchCount ?? 100))
    let probability = parameters.reparationBacklinkProbability ?? 1
    repairProbability = probability.isNaN ? 1 : max(0, min(1, Double(probability)))
    let cache = max(0, parameters.vectorCacheHintSizeInKilobytes ?? Self.defaultCacheInKilobytes)
    cacheLimitInBytes = cache.multipliedReportingOverflow(by: 1024).overflow ? .max : cache * 1024
  }

  var propertyID: UInt32 { property.identity.id }
  var dimensions: Int { distance.dimensions }

  /// The maximum number of links of a node, unless the graph needs more to stay connected.
  func linkLimit(level: Int) -> Int { level == 0 ? 2 * newLinkCount : linkCount }
}

extension PropertySchema {
  /// True if the index of the property is a graph of neighbours, not a table of values.
  package var hasVectorIndex: Bool { type == .floatVector && index != nil && hnsw != nil }

  /// True if the property has a nearest-neighbour index without parameters.
  package var lacksVectorParameters: Bool { type == .floatVector && index != nil && hnsw == nil }

  /// The form of the graph; a change of the form rebuilds the graph.
  var vectorIndexForm: VectorIndexForm? {
    guard hasVectorIndex, let hnsw else { return nil }
    return VectorIndexForm(distance: hnsw.distance, linkCount: hnsw.linkCount)
  }
}

/// The settings that determine the links of a graph.
struct VectorIndexForm: Hashable {
  var distance: VectorDistance
  var linkCount: Int
}

extension HnswParameters {
  var distance: VectorDistance {
    let type = distanceType.flatMap(HnswDistanceType.init(rawValue:)) ?? .euclidean
    return VectorDistance(type: type == .unknown ? .euclidean : type, dimensions: dimensions)
  }

  /// At least 2: nodes with a single link do not form a connected graph.
  fileprivate var linkCount: Int { max(2, Int(neighborsPerNode ?? 30)) }
}
