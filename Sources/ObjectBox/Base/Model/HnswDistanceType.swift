/// How a nearest-neighbour index measures distances.
public enum HnswDistanceType: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  case unknown = 0
  /// The square of the Euclidean distance.
  case euclidean = 1
  case cosine = 2
  case dotProduct = 3
  case geo = 6
  case dotProductNonNormalized = 10
}
