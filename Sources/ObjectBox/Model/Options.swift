/// The flags of an entity.
public enum EntityFlags: UInt32, Sendable {
  case useNoArgConstructor = 1
  case syncEnabled = 2
  case sharedGlobalIds = 4
}

/// Whether a put may find the object stored already.
public enum PutMode: UInt32, Sendable {
  /// Inserts or updates.
  case put = 1
  /// Inserts; an object that exists is an error.
  case insert = 2
  /// Updates; an object that does not exist is an error.
  case update = 3
}

/// How the results of a query are ordered by a property; several combine.
public enum OrderFlags: UInt32, Sendable {
  /// From the greatest to the least.
  case descending = 1
  /// Strings by their bytes; otherwise the case of ASCII letters does not count.
  case caseSensitive = 2
  /// Integers as unsigned ones.
  case unsigned = 4
  /// Nulls behind all values; otherwise they stand before them.
  case nullsLast = 8
  /// Nulls as zero.
  case nullsZero = 16
}

/// Settings of a nearest-neighbour index.
public enum HnswFlags: UInt32, Sendable {
  case debugLogs = 1
  case debugLogsDetailed = 2
  case vectorCacheSimdPaddingOff = 4
  case reparationLimitCandidates = 8
}

/// How a nearest-neighbour index measures distances.
public enum HnswDistanceType: UInt16, Sendable {
  case unknown = 0
  /// The square of the straight distance.
  case euclidean = 1
  case cosine = 2
  case dotProduct = 3
  case geo = 6
  case dotProductNonNormalized = 10
}
