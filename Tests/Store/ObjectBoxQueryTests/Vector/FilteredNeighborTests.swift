import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Nearest neighbours under other conditions, among few vectors.
struct FilteredNeighborTests {
  private let sights: SightStore

  /// Twenty places in a row at (1, 1) to (20, 20), the even ones of kind 1, and one place without a
  /// vector.
  init() throws {
    sights = try SightStore(SightIndex(indexesKind: true))
    try sights.box.put(Sight.row(20))
    try sights.box.put(Sight(nil, kind: 1))
  }

  private func near(
    _ maxCount: Int,
    _ vector: [Float] = [5.2, 5.1]
  ) -> PropertyQueryCondition<Sight, HnswIndexPropertyType> {
    Sight.vector.nearestNeighbors(queryVector: vector, maxCount: maxCount)
  }

  private func ids(_ condition: QueryCondition<Sight>) throws -> [UInt64] {
    try sights.box.query { condition }.build().findIds().map(\.value)
  }

  @Test func `the greatest count is of the objects that meet all conditions`() throws {
    let query = try sights.box.query { near(3) && Sight.kind == 1 }.build()
    #expect(try query.findIdsWithScores().map(\.id) == [6, 4, 8])
    #expect(try query.findWithScores().map(\.object.id) == [6, 4, 8])
    #expect(try query.findIds() == [4, 6, 8])
    #expect(try query.find().map(\.id) == [4, 6, 8])
    #expect(try query.count() == 3)
    #expect(try query.findFirst()?.id == 4)
    #expect(try query.findIdsWithScores(offset: 1, limit: 1).map(\.id) == [4])
    #expect(try query.find(offset: 2, limit: 5).map(\.id) == [8])
    #expect(try query.findIdsWithScores(offset: 3).isEmpty)
    #expect(try query.property(Sight.kind).sum() == 3)
  }

  @Test func `fewer objects are found only where fewer meet the conditions`() throws {
    #expect(try ids(near(50) && Sight.kind == 1) == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20])
    #expect(try ids(near(.max) && Sight.kind == 1).count == 10)
    #expect(try ids(near(3) && Sight.kind == 7) == [])
    #expect(try ids(near(3) && Sight.vector.isNil()) == [])
  }

  @Test func `a search is confined in any place of a conjunction`() throws {
    let kind: QueryCondition<Sight> = Sight.kind == 1
    let far: QueryCondition<Sight> = Sight.id > 8
    #expect(try ids(kind && near(2)) == [4, 6])
    #expect(try ids(far && near(2) && kind) == [10, 12])
    #expect(try ids(kind && (far && near(2))) == [10, 12])
    #expect(try ids((Sight.id < 3 || Sight.id > 18) && near(2)) == [1, 2])
    #expect(try ids(near(2) && Sight.id.isIn([1, 13, 14, 99])) == [1, 13])
    #expect(try ids(near(2) && Sight.id != 5) == [4, 6])
  }

  @Test func `each search of a conjunction is confined by the conditions that are no searches`()
    throws
  {
    // {4, 6, 8} and {2, 4, 6}
    #expect(try ids(near(3) && near(3, [1, 1]) && Sight.kind == 1) == [4, 6])
    #expect(try ids(near(3) && near(4, [1, 1])) == [4])
  }

  @Test func `conditions joined by 'or' add to the nearest of all objects`() throws {
    #expect(try ids(near(3) || Sight.id == 20) == [4, 5, 6, 20])
    #expect(try ids(Sight.kind == 1 && (near(3) || Sight.id == 20)) == [4, 6, 20])
    // A conjunction in a disjunction is complete.
    #expect(try ids(near(3) && Sight.kind == 1 || Sight.id == 1) == [1, 4, 6, 8])
  }

  @Test func `on request the conditions filter the nearest of all objects`() throws {
    let after = Sight.vector.nearestNeighbors(
      queryVector: [5.2, 5.1],
      maxCount: 3,
      filtering: .afterwards
    )
    #expect(try ids(after && Sight.kind == 1) == [4, 6])
    #expect(try ids(after) == [4, 5, 6])
    // It is a condition like others for a search that filters first.
    #expect(try ids(after && near(2, [1, 1]) && Sight.kind == 1) == [4, 6])
    #expect(try ids(after && near(1, [1, 1]) && Sight.kind == 1) == [4])
    let query = try sights.box.query { "near" .= after && Sight.kind == 1 }.build()
    query.setParameter("near", to: 5)
    query.setParameter("near", to: [9, 9])
    #expect(try query.findIds() == [8, 10])
    #expect(query.debugDescription.contains("at most 5 of all objects"))
  }

  @Test func `parameters of the search and of the other conditions can be set later`() throws {
    let query = try sights.box.query { "near" .= near(1) && "kind" .= Sight.kind == 1 }.build()
    #expect(try query.findIds() == [6])
    query.setParameter("kind", to: 0)
    #expect(try query.findIds() == [5])
    query.setParameter(Sight.vector, to: 2)
    query.setParameter("near", to: [20, 20])
    #expect(try query.findIds() == [17, 19])
  }

  @Test func `orders, with a limit, are of the nearest matches`() throws {
    let query = try sights.box.query { near(4) && Sight.id > 3 }
      .ordered(by: Sight.kind).ordered(by: Sight.id, flags: .descending).build()
    #expect(try query.findIds() == [7, 5, 6, 4])
    #expect(try query.find(offset: 1, limit: 2).map(\.id) == [5, 6])
  }

  @Test func `a write transaction searches what it has changed`() throws {
    let query = try sights.box.query { near(2) && Sight.kind == 1 }.build()
    try sights.store.runInTransaction {
      let sixth = try #require(try sights.box.get(6 as Id))
      sixth.kind = 0
      let fifth = try #require(try sights.box.get(5 as Id))
      fifth.kind = 1
      let last = try #require(try sights.box.get(20 as Id))
      last.vector = [5.2, 5.3]
      try sights.box.put([fifth, sixth, last])
      #expect(try query.findIdsWithScores().map(\.id) == [20, 5])
      try sights.box.remove(5 as Id)
      #expect(try query.findIdsWithScores().map(\.id) == [20, 4])
    }
    #expect(try query.findIdsWithScores().map(\.id) == [20, 4])
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `a removal removes the nearest matches, in batches as well`() throws {
    let query = try sights.box.query { near(3) && Sight.kind == 1 }.build()
    #expect(try query.remove() == 3)
    #expect(try query.findIds() == [2, 10, 12])
    #expect(try query.remove(inBatchesOf: 2) == 3)
    #expect(try query.findIds() == [14, 16, 18])
  }

  @Test func `a subscription follows the other conditions`() throws {
    let found = Recorder<[Id]>()
    let query = try sights.box.query { near(2) && Sight.kind == 1 }.build()
    let observer = query.subscribe(dispatchQueue: found.queue) { [found] results, _ in
      found.note(results.map(\.id))
    }
    #expect(found.values == [[4, 6]])
    let fifth = try #require(try sights.box.get(5 as Id))
    fifth.kind = 1
    try sights.box.put(fifth)
    #expect(found.values == [[4, 6], [5, 6]])
    observer.unsubscribe()
  }

  @Test func `damaged objects are skipped where the query asks for it`() throws {
    let query = try sights.box.query { near(3) && Sight.kind == 1 }.skippingDamagedObjects().build()
    #expect(try query.findIds() == [4, 6, 8])
    #expect(query.skippedIds == [])
  }

  @Test func `the plan says how the conditions were applied`() throws {
    let plan = try sights.box.query { near(3) && Sight.kind == 1 }.build().explain()
    #expect(plan.contains("look-up of 3 IDs"))
    let search = "nearest: vector is nearest to [5.2, 5.1], at most 3"
    #expect(plan.contains("\(search); compared with all 10 objects"))
    #expect(plan.contains("conditions by index on 'kind'"))
    let alone = try sights.box.query { near(3) }.build().explain()
    #expect(alone.contains("at most 3; among all objects"))
  }
}
