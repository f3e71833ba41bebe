/// The source of a query's candidates, each of which the filter tests.
indirect enum AccessPath: Sendable {
  /// All records, in the order of their IDs.
  case scan
  /// The objects with these IDs.
  case ids([UInt64])
  /// The objects in these ranges of an index.
  case index(IndexDefinition, [IndexRange], condition: PropertyCondition)
  /// The candidates of any of these paths.
  case union([AccessPath])
  /// The candidates that all of these paths share.
  case intersection([AccessPath])
}

/// The plan of a query.
struct QueryPlan: Sendable {
  var path: AccessPath
  /// The approximate number of candidates.
  var estimate: Int
  /// True when all candidates are results, so that they can be counted without reading records.
  var isExact: Bool
  /// The number of objects of the entity.
  var total: Int
  /// The approximate cost, in records of a scan.
  var cost: Int
  /// The IDs of the candidates, if planning has read them all.
  var ids: [UInt64]?
}
