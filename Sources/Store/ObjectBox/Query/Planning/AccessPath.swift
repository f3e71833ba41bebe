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
  /// True when each candidate is a result, so that counting reads no records.
  var isExact: Bool
  /// The number of objects of the entity.
  var total: Int
  /// The approximate cost, in records of a scan.
  var cost: Int
  /// The IDs of the candidates, if planning has already read all of them.
  var ids: [UInt64]?
}
