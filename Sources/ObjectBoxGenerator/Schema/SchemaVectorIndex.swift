/// The parameters of a nearest-neighbour index as the `hnswIndex` annotation gives them.
///
/// Nil stands for the default of the runtime. They are in generated code only, not in the model.
package struct SchemaVectorIndex: Hashable, Sendable {
  /// The number of elements of each vector, at least 1.
  package var dimensions: Int
  package var neighborsPerNode: UInt32?
  package var indexingSearchCount: UInt32?
  /// The names of flags, in the order of the source.
  package var flags: [String]?
  /// The name of a distance type.
  package var distanceType: String?
  package var reparationBacklinkProbability: Double?
  /// In KiB.
  package var vectorCacheHintSize: Int?
}
