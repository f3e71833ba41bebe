import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct NearestNeighborQueryTests {
  private let sights: SightStore

  /// Ten places in a row, the even ones of kind 1, and one place without a vector.
  init() throws {
    sights = try SightStore()
    try sights.box.put(Sight.row(10))
    try sights.box.put(Sight(nil))
  }

  private func query(_ maxCount: Int, near vector: [Float] = [5.2, 5.1]) throws -> Query<Sight> {
    try sights.box.query { Sight.vector.nearestNeighbors(queryVector: vector, maxCount: maxCount) }
      .build()
  }

  @Test func `find gives the nearest objects in the order of their IDs`() throws {
    let query = try query(3)
    #expect(try query.find().map(\.id) == [4, 5, 6])
    #expect(try query.findIds() == [4, 5, 6])
    #expect(try query.findContiguous().map(\.id) == [4, 5, 6])
    #expect(try query.find(offset: 1, limit: 1).map(\.id) == [5])
    #expect(try query.count() == 3)
    #expect(try query.findFirst()?.id == 4)
  }

  @Test func `findWithScores gives the nearest first, with the square of the distance`() throws {
    let sights = try SightStore()
    try sights.box.put([Sight([0, 1.5]), Sight([0.5, 0]), Sight([1, 0.5]), Sight([-1, -1.5])])
    let query = try sights.box.query {
      Sight.vector.nearestNeighbors(queryVector: [0, 0], maxCount: 4)
    }.build()
    let found = try query.findWithScores()
    #expect(found.map(\.score) == [0.25, 1.25, 2.25, 3.25])
    #expect(found.map(\.object.id) == [2, 3, 1, 4])
    #expect(found.map(\.object.vector?[0]) == [0.5, 1, 0, -1])
    #expect(try query.findIdsWithScores().map(\.id) == [2, 3, 1, 4])
    #expect(try query.findIdsWithScores().map(\.score) == [0.25, 1.25, 2.25, 3.25])
  }

  @Test func `offset and limit count from the nearest one`() throws {
    let query = try query(4)
    #expect(try query.findIdsWithScores().map(\.id) == [5, 6, 4, 7])
    #expect(try query.findIdsWithScores(offset: 1).map(\.id) == [6, 4, 7])
    #expect(try query.findIdsWithScores(offset: 1, limit: 2).map(\.id) == [6, 4])
    #expect(try query.findWithScores(limit: 1).map(\.object.id) == [5])
    #expect(try query.findWithScores(offset: 4).isEmpty)
    #expect(try query.findWithScores(offset: 99, limit: 2).isEmpty)
  }

  @Test func `an object without a vector is found by no search`() throws {
    #expect(try query(100).findIds().map(\.value) == Array(1...10))
    #expect(try sights.box.query { Sight.vector.isNil() }.build().findIds() == [11])
  }

  @Test func `other conditions hold beside a search`() throws {
    let near = Sight.vector.nearestNeighbors(queryVector: [5.2, 5.1], maxCount: 3)
    let and = try sights.box.query { near && Sight.kind == 1 }.build()
    #expect(try and.findIds() == [4, 6, 8])
    #expect(try and.findIdsWithScores().map(\.id) == [6, 4, 8])
    let or = try sights.box.query { near || Sight.kind == 1 }.build()
    #expect(try or.findIds() == [2, 4, 5, 6, 8, 10])
    let far = Sight.vector.nearestNeighbors(queryVector: [1, 1], maxCount: 4)
    #expect(try sights.box.query { near && far }.build().findIds() == [4])
  }

  @Test func `orders sort the nearest`() throws {
    let query = try sights.box.query {
      Sight.vector.nearestNeighbors(queryVector: [5.2, 5.1], maxCount: 3)
    }.ordered(by: Sight.kind).build()
    #expect(try query.findIds() == [5, 4, 6])
  }

  @Test func `vector and count are parameters, by property and by alias`() throws {
    let query = try sights.box.query {
      "near" .= Sight.vector.nearestNeighbors(queryVector: [1, 1], maxCount: 1)
        && Sight.kind >= 0
    }.build()
    #expect(try query.findIds() == [1])
    query.setParameter(Sight.vector, to: [8.9, 8.8])
    #expect(try query.findIds() == [9])
    query.setParameter(Sight.vector, to: 2)
    #expect(try query.findIds() == [8, 9])
    query.setParameter("near", to: [2.1, 2.2])
    #expect(try query.findIds() == [2, 3])
    query.setParameter("near", to: 3)
    #expect(try query.findIds() == [1, 2, 3])
    #expect(query.debugDescription.contains("vector is nearest to [2.1, 2.2], at most 3"))
  }

  @Test func `the results can be removed, and then others are nearest`() throws {
    let query = try query(3)
    #expect(try query.remove() == 3)
    #expect(try query.findIds() == [3, 7, 8])
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  private func expectRefusal(_ parts: [String], _ body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      guard case ObjectBoxError.illegalArgument(let message) = error else { return false }
      return parts.allSatisfy(message.contains)
    }
  }

  @Test func `a vector of another length is refused when it is put`() throws {
    expectRefusal(["'Sight'", "'vector'", "3 dimensions", "index 2"]) {
      try sights.box.put(Sight([1, 2, 3]))
    }
    expectRefusal(["0 dimensions"]) { try sights.box.put(Sight([])) }
    #expect(try sights.box.count() == 11)
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `a query that does not fit the index is refused`() throws {
    expectRefusal(["'Sight.vector'", "3 dimensions", "has 2"]) {
      _ = try query(1, near: [1, 2, 3])
    }
    expectRefusal(["0 nearest"]) { _ = try query(0) }
    let built = try query(1)
    built.setParameter(Sight.vector, to: [1])
    expectRefusal(["1 dimensions"]) { _ = try built.find() }
    let other = try SightStore(nil)
    expectRefusal(["'Sight.vector'", "no nearest-neighbour index"]) {
      _ = try other.box.query {
        Sight.vector.nearestNeighbors(queryVector: [1, 2], maxCount: 1)
      }.build()
    }
  }

  @Test func `scores of a query without a nearest-neighbour condition are refused`() throws {
    let query = try sights.box.query { Sight.kind == 1 }.build()
    #expect {
      _ = try query.findWithScores()
    } throws: { error in
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.contains("nearestNeighbors")
    }
  }

  @Test func `an empty store has no neighbours`() throws {
    let empty = try SightStore()
    #expect(try empty.nearest(to: [1, 2], 5) == [])
    #expect(try empty.box.vectorIndexFaults() == [])
  }
}
