import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct CursorTests {
  private let epoch = Epoch(system: 1, database: 2, timeline: 1)

  private func cursor(
    xmax: UInt64,
    inProgress: [UInt64] = [],
    timeline: UInt32 = 1,
    at position: UInt64 = 50
  ) -> Cursor {
    Cursor(
      snapshot: TransactionSnapshot(xmax: xmax, inProgress: inProgress),
      epoch: Epoch(system: 1, database: 2, timeline: timeline),
      position: position
    )
  }

  @Test func `a snapshot sees what was complete`() {
    let snapshot = TransactionSnapshot(xmax: 10, inProgress: [4, 7])
    #expect([3, 5, 9].allSatisfy { snapshot.sees($0) })
    #expect([4, 7, 10, 11].allSatisfy { !snapshot.sees($0) })
    #expect(snapshot.seesAll(below: 4))
    #expect(!snapshot.seesAll(below: 5))
    #expect(!TransactionSnapshot(xmax: 10, inProgress: []).seesAll(below: 11))
  }

  @Test func `a cursor that has seen the swept log continues`() {
    let history = ServerHistory(epoch: epoch, sweptBelow: 8)
    #expect(history.continues(cursor(xmax: 8)))
    #expect(history.continues(cursor(xmax: 10, inProgress: [8])))
    #expect(!history.continues(cursor(xmax: 10, inProgress: [7])))
    #expect(!history.continues(cursor(xmax: 7)))
  }

  @Test func `a cursor beyond the numbers of the database is of no use`() {
    let history = ServerHistory(epoch: epoch, next: 8)
    #expect(history.continues(cursor(xmax: 8)))
    #expect(!history.continues(cursor(xmax: 9)))
  }

  @Test func `a snapshot is limited to transactions that a crash keeps`() {
    let snapshot = TransactionSnapshot(xmax: 10, inProgress: [4, 7])
    #expect(snapshot.limited(below: 7) == TransactionSnapshot(xmax: 7, inProgress: [4]))
    #expect(snapshot.limited(below: 8) == TransactionSnapshot(xmax: 8, inProgress: [4, 7]))
    #expect(snapshot.limited(below: 11) == snapshot)
  }

  @Test func `a cursor of another system or database is of no use`() {
    var history = ServerHistory(epoch: Epoch(system: 9, database: 2, timeline: 1))
    #expect(!history.continues(cursor(xmax: 8)))
    history.epoch = Epoch(system: 1, database: 3, timeline: 1)
    #expect(!history.continues(cursor(xmax: 8)))
  }

  @Test func `a cursor from before a promotion continues, a later one does not`() {
    let history = ServerHistory(
      epoch: Epoch(system: 1, database: 2, timeline: 2),
      switches: [ServerHistory.Switch(timeline: 1, position: 50)]
    )
    #expect(history.continues(cursor(xmax: 8, at: 50)))
    #expect(!history.continues(cursor(xmax: 8, at: 51)))
  }

  @Test func `a cursor of an abandoned timeline is of no use`() {
    let history = ServerHistory(
      epoch: Epoch(system: 1, database: 2, timeline: 3),
      switches: [ServerHistory.Switch(timeline: 1, position: 50)]
    )
    #expect(!history.continues(cursor(xmax: 8, timeline: 2, at: 10)))
    #expect(!history.continues(cursor(xmax: 8, timeline: 4, at: 10)))
  }

  @Test func `every switch since the cursor must have kept its commits`() {
    let history = ServerHistory(
      epoch: Epoch(system: 1, database: 2, timeline: 3),
      switches: [
        ServerHistory.Switch(timeline: 1, position: 80),
        ServerHistory.Switch(timeline: 2, position: 60),
      ]
    )
    #expect(history.continues(cursor(xmax: 8, at: 60)))
    #expect(!history.continues(cursor(xmax: 8, at: 70)))
  }
}
