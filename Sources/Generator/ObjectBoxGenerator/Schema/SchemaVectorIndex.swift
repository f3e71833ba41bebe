/// The parameters of a nearest-neighbour index, from the `hnswIndex` annotation.
///
/// Nil stands for the default of the runtime. Parameters are in generated code only, not in the
/// model.
package struct SchemaVectorIndex: Hashable, Sendable {
  /// Number of elements of each vector, at least 1.
  package var dimensions: Int
  package var neighborsPerNode: UInt32?
  package var indexingSearchCount: UInt32?
  /// Names of flags, in the order of the source.
  package var flags: [String]?
  /// Name of a distance type.
  package var distanceType: String?
  package var reparationBacklinkProbability: Double?
  /// In KiB.
  package var vectorCacheHintSize: Int?
}
