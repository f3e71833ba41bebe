import Foundation
import ObjectBox
import Testing

struct NearestNeighborContractTests {
  private let stores: ContractStore
  private let markers: Box<Marker>

  /// Five places; the third has no vector.
  init() throws {
    stores = try ContractStore()
    markers = stores.markers
    try markers.put([
      Marker(vector: [0, 0.5], kind: 1), Marker(vector: [1, 0.5], kind: 2), Marker(kind: 1),
      Marker(vector: [1, 1.5], kind: 1), Marker(vector: [9, 9], kind: 1),
    ])
  }

  private func query(_ maxCount: Int) throws -> Query<Marker> {
    try markers.query {
      "nn" .= Marker.vector.nearestNeighbors(queryVector: [0, 0], maxCount: maxCount)
    }.build()
  }

  @Test func `plain results are in the order of IDs, scored ones from the nearest on`() throws {
    let query = try query(3)
    #expect(try query.find().map(\.id) == [1, 2, 4])
    #expect(try query.findIds() == [1, 2, 4])
    #expect(try query.count() == 3)
    let scored: [ObjectWithScore<Marker>] = try query.findWithScores()
    #expect(scored.map(\.object.id) == [1, 2, 4])
    #expect(scored.map(\.score) == [0.25, 1.25, 3.25])
    let ids: [IdWithScore] = try query.findIdsWithScores()
    #expect(ids.map(\.id) == [1, 2, 4])
    #expect(ids.map(\.score) == [0.25, 1.25, 3.25])
    #expect(try query.findIdsWithScores(offset: 1, limit: 1).map(\.id) == [2])
    #expect(try query.findWithScores(offset: 3).isEmpty)
    #expect(try self.query(1).findUnique()?.id == 1)
  }

  @Test func `vector and count are set by property and by alias`() throws {
    let query = try query(1)
    query.setParameter(Marker.vector, to: 2)
    #expect(try query.findIds() == [1, 2])
    query.setParameter("nn", to: 3)
    #expect(try query.findIds() == [1, 2, 4])
    query.setParameter("nn", to: 1)
    query.setParameter("nn", to: [8.9, 8.8])
    #expect(try query.findIds() == [5])
    query.setParameter(Marker.vector, to: [1.1, 1.4])
    #expect(try query.findIds() == [4])
    let vector: [Float] = [0, 0]
    query.setParameter(Marker.vector, to: vector)
    #expect(try query.findIds() == [1])
  }

  @Test func `other conditions hold as well`() throws {
    let near = Marker.vector.nearestNeighbors(queryVector: [0, 0], maxCount: 5)
    let both = try markers.query { near && Marker.kind == 1 }.build()
    #expect(try both.findIdsWithScores().map(\.id) == [1, 4, 5])
    #expect(try markers.query { Marker.kind == 2 && near }.build().findIds() == [2])
    #expect(try markers.query { Marker.vector.isNil() }.build().findIds() == [3])
  }
}
