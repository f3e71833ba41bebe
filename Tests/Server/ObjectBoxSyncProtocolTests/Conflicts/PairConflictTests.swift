import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct PairConflictTests {
  private let first = Example.object(5, originID: 1)
  private let second = Example.object(6, originID: 2)

  private func example(dot: UInt64? = nil) -> Example {
    var example = Example()
    example.source.rows[Example.key(5)] = Example.row(originID: 1)
    example.source.rows[Example.key(6)] = Example.row(originID: 2)
    if let dot {
      example.source.rows[Example.key(5)]?.pairs = [pair(dot)]
    }
    return example
  }

  private func pair(_ dot: UInt64) -> Pair {
    Pair(relation: Example.links, target: Example.key(6), dot: Example.token(dot))
  }

  @Test func `a pair that was added again has the dot of the last addition`() throws {
    let changes = try example(dot: 3).changes([.addPair(first, Example.links, second)])
    #expect(changes.row(5)?.pairs == [pair(7)])
  }

  @Test func `a removal takes only the addition that its device saw`() throws {
    func remove(_ dot: UInt64) -> Operation {
      .removePair(first, Example.links, second, seen: Example.token(dot))
    }
    #expect(try example(dot: 3).changes([remove(3)]).row(5)?.pairs == [])
    #expect(try example(dot: 3).changes([remove(2)]).rows.isEmpty)
  }

  @Test func `pairs that a transaction adds and removes end as the last operation leaves them`()
    throws
  {
    func remove(_ dot: UInt64) -> Operation {
      .removePair(first, Example.links, second, seen: Example.token(dot))
    }
    let add = Operation.addPair(first, Example.links, second)
    #expect(try example(dot: 3).changes([remove(3), add]).row(5)?.pairs == [pair(7)])
    #expect(try example(dot: 3).changes([add, remove(3)]).row(5)?.pairs == [pair(7)])
    #expect(try example(dot: 3).changes([add, remove(7)]).row(5)?.pairs == [])
    #expect(
      try example(dot: 3).changes([remove(3), remove(3), .delete(second)]).row(5)?.pairs == []
    )
  }

  @Test func `a pair of a removed or another object is dropped and told`() throws {
    let gone = Example.object(8, originID: 1)
    let other = Example.object(6, originID: 99)
    let changes = try example().changes([
      .addPair(gone, Example.links, second), .addPair(first, Example.links, gone),
      .addPair(first, Example.links, other),
    ])
    #expect(changes.rows.isEmpty)
    #expect(changes.reasons == [.deleted, .targetMissing, .targetMissing])
  }

  @Test func `the pairs that lead to a removed object go with it`() throws {
    let changes = try example(dot: 3).changes([.delete(second)])
    #expect(changes.removes(6))
    #expect(changes.row(5)?.pairs == [])
  }

  @Test func `the pairs of one object go with each of their targets`() throws {
    var example = example(dot: 3)
    for id in 7...9 as ClosedRange<UInt64> {
      example.source.rows[Example.key(id)] = Example.row(originID: id)
      example.source.rows[Example.key(5)]?.pairs.append(
        Pair(relation: Example.links, target: Example.key(id), dot: Example.token(3))
      )
    }
    let changes = try example.changes([
      .delete(second), .delete(Example.object(8, originID: 8)),
      .addPair(first, Example.links, Example.object(9, originID: 9)),
      .delete(Example.object(7, originID: 7)),
    ])
    let left = Pair(relation: Example.links, target: Example.key(9), dot: Example.token(7))
    #expect(changes.row(5)?.pairs == [left])
  }

  @Test func `pairs that are added together are in order, the last ones to each target`() throws {
    var example = example(dot: 3)
    let others = (7...20 as ClosedRange<UInt64>).map { Example.object($0, originID: $0) }
    for id in 7...20 as ClosedRange<UInt64> {
      example.source.rows[Example.key(id)] = Example.row(originID: id)
    }
    let targets = others.reversed() + [second] + others
    let changes = try example.changes(targets.map { .addPair(first, Example.links, $0) })
    let pairs = try #require(changes.row(5)?.pairs)
    #expect(pairs == pairs.sorted())
    #expect(pairs.map(\.target.id) == Array(6...20))
    #expect(pairs.allSatisfy { $0.dot == Example.token(7) })
  }

  @Test func `a pair that the transaction has added goes with its target`() throws {
    let changes = try example().changes([.addPair(first, Example.links, second), .delete(second)])
    #expect(changes.row(5)?.pairs == [])
  }
}
