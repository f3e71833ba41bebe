import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import Testing

struct DynamicNeighborTests {
  @Test func `a search by names is confined by other conditions, or filtered on request`() throws {
    let sights = try SightStore()
    try sights.box.put(Sight.row(10))
    let box = try sights.store.box(named: "Sight")
    func ids(_ filtering: NearestFiltering) throws -> [Id] {
      try box.query {
        ($0["kind"] == 1)
          && $0["vector"].nearestNeighbors(
            queryVector: [5.2, 5.1],
            maxCount: 3,
            filtering: filtering
          )
      }.build().findIdsWithScores().map(\.id)
    }
    #expect(try ids(.first) == [6, 4, 8])
    #expect(try ids(.afterwards) == [6, 4])
    let query = try box.query {
      $0["vector"].nearestNeighbors(queryVector: [5.2, 5.1], maxCount: 3) && ($0["kind"] == 1)
    }.build()
    #expect(try query.findIds() == [4, 6, 8])
    #expect(try query.count() == 3)
    #expect(try query.explain().contains("compared with all 5 objects"))
  }
}
