import ObjectBox

/// Searches for neighbours, alone and with other conditions, for the comparison of both stores.
struct SpotSearches {
  let near = QuerySpot.position.nearestNeighbors(queryVector: [3.2, 2.7], maxCount: 9)
  let after = QuerySpot.position.nearestNeighbors(
    queryVector: [3.2, 2.7],
    maxCount: 9,
    filtering: .afterwards
  )
  let conditions: [QueryCondition<QuerySpot>]

  /// - Parameter taste: The vector of searches by `taste`.
  init(similarTo taste: [Float]) {
    let similar = QuerySpot.taste.nearestNeighbors(queryVector: taste, maxCount: 7)
    let first: QueryCondition<QuerySpot> = QuerySpot.name == "1"
    let second: QueryCondition<QuerySpot> = QuerySpot.name == "2"
    let later: QueryCondition<QuerySpot> = QuerySpot.name != "0"
    let alone: [QueryCondition<QuerySpot>] = [
      near, similar, near && first, near || second, near && similar, after && first,
    ]
    let combined: [QueryCondition<QuerySpot>] = [
      (first || second) && similar && later, near && similar && second, near && first || similar,
      after && similar && later, similar && (near || second),
    ]
    conditions = alone + combined
  }
}
