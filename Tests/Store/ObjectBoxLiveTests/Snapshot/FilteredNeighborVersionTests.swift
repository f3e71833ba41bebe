import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Nearest neighbours under other conditions, at the versions of snapshots and live views.
struct FilteredNeighborVersionTests {
  private let sights: SightStore
  private let near: QueryCondition<Sight>

  /// Ten places in a row, the even ones of kind 1.
  init() throws {
    sights = try SightStore()
    try sights.box.put(Sight.row(10))
    near = Sight.vector.nearestNeighbors(queryVector: [5.2, 5.1], maxCount: 2)
  }

  private func change() throws {
    let fifth = try #require(try sights.box.get(5 as Id))
    fifth.kind = 1
    try sights.box.put(fifth)
  }

  @Test func `a snapshot searches among the objects of its version`() throws {
    let snapshot = try sights.store.freeze()
    try change()
    let old = try snapshot.query(Sight.self) { near && Sight.kind == 1 }
    #expect(try old.ids == [4, 6])
    #expect(try snapshot.query(Sight.self) { near }.query { Sight.kind == 1 }.ids == [4, 6])
    let new = try sights.store.freeze()
    #expect(try new.query(Sight.self) { near && Sight.kind == 1 }.ids == [5, 6])
  }

  @Test func `a live view searches anew when another condition changes`() throws {
    let live = try sights.store.live()
    let found = try live.query(Sight.self) { near && Sight.kind == 1 }
    #expect(try found.freeze().ids == [4, 6])
    try change()
    #expect(found.count == 2)
    #expect(try found.freeze().ids == [4, 6])
    try live.refresh()
    #expect(try found.freeze().ids == [5, 6])
  }
}
