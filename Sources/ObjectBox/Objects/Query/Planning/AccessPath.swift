/// Where the candidates of a query come from; the condition decides on each of them.
indirect enum AccessPath: Sendable {
  /// All records, in the order of their IDs.
  case scan
  /// The objects with these IDs.
  case ids([UInt64])
  /// The objects in these ranges of an index.
  case index(IndexDefinition, [IndexRange], condition: PropertyCondition)
  /// What any of these paths gives.
  case union([AccessPath])
  /// What all of these paths give.
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
