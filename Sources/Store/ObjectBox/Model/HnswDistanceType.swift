/// The distance that a nearest-neighbour index measures.
///
/// The annotation `hnswIndex` chooses it.
///
///     // objectbox: entity
///     final class Picture {
///       var id: Id = 0
///       // objectbox: hnswIndex: dimensions=3, distanceType=cosine
///       var features: [Float]?
///
///       init() {}
///     }
public enum HnswDistanceType: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  /// Not specified; an index uses ``euclidean``.
  case unknown = 0
  /// The square of the Euclidean distance.
  case euclidean = 1
  /// The cosine distance, 1 − the cosine of the angle: 0 to 2.
  case cosine = 2
  /// 1 − the dot product, for vectors of length 1.
  case dotProduct = 3
  /// The distance on the earth in kilometres, for pairs of latitude and longitude in degrees.
  case geo = 6
  /// A distance that decreases with the dot product, for vectors of any length; from 0 to 2.
  case dotProductNonNormalized = 10
}
