/// The source of a query's candidates; the filter tests each candidate.
indirect enum AccessPath: Sendable {
  /// All records, in the order of their IDs.
  case scan
  /// The objects with these IDs.
  case ids([UInt64])
  /// The objects in these ranges of an index.
  case index(IndexDefinition, [IndexRange], condition: PropertyCondition)
  /// The candidates of any of these paths.
  case union([AccessPath])
  /// The candidates that are in all of these paths.
  case intersection([AccessPath])
}

/// The plan of a query.
struct QueryPlan: Sendable {
  var path: AccessPath
  /// The approximate number of candidates.
  var estimate: Int
  /// The approximate number of index entries that are read.
  var entries = 0
  /// True when each candidate is a result, so that counting reads no records.
  var isExact = false
  /// The number of objects of the entity.
  var total: Int
  /// The IDs of the candidates, if planning has already read all of them.
  var ids: [UInt64]?

  /// The approximate cost, in records of a scan; an entry costs about one.
  var cost: Int { isScan ? total : entries + (QueryPlanner.candidateCost - 1) * estimate }

  var isScan: Bool { if case .scan = path { true } else { false } }
}
