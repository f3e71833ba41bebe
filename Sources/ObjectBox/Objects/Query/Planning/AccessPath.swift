/// The source of a query's candidates; the condition decides on each of them.
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

/// How a query is carried out.
struct QueryPlan: Sendable {
  var path: AccessPath
  /// About how many candidates the path gives.
  var estimate: Int
  /// True when the path gives exactly the results, so that they can be counted without the records.
  var isExact: Bool
  /// The number of objects of the entity.
  var total: Int
  /// About what it costs, in records of a scan.
  var cost: Int
  /// The IDs that the path gives, where planning has met them all.
  var ids: [UInt64]?
}
