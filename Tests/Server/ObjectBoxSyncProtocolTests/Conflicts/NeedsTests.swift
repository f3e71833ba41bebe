import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

struct NeedsTests {
  /// Rows of which only the loaded ones are known.
  private struct PartialRows: RowSource {
    let all: MemoryRows
    var loaded = Needs()

    func row(at key: ObjectKey) -> Loaded<Row?> {
      loaded.keys.contains(key) ? all.row(at: key) : .missing
    }
    func hasTombstone(at key: ObjectKey) -> Loaded<Bool> {
      loaded.keys.contains(key) ? all.hasTombstone(at: key) : .missing
    }
    func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> {
      loaded.uniques.contains(unique) ? all.holder(of: unique) : .missing
    }
    func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
      loaded.targets.contains(target) ? all.sources(ofPairsTo: target) : .missing
    }
    func outcome(of maker: TransactionToken) -> Loaded<MakerOutcome?> {
      loaded.makers.contains(maker) ? all.outcome(of: maker) : .missing
    }
    func freshID(of entity: EntityUID, index: Int) -> Loaded<UInt64> {
      index < loaded.freshIDs[entity, default: 0]
        ? all.freshID(of: entity, index: index) : .missing
    }
  }

  @Test func `rows that are loaded as they are asked for give the same result`() throws {
    var example = Example(
      EntityRules(uniques: [UniqueProperties([Example.code], rule: .replace)])
    )
    example.source.rows[Example.key(5)] = Example.row(originID: 1, [(Example.code, .integer(3))])
    example.source.rows[Example.key(6)] = Example.row(originID: 2)
    example.source.rows[Example.key(6)]?.setPair(
      Pair(relation: Example.links, target: Example.key(5), dot: Example.token(2))
    )
    let made = ObjectReference(Example.key(6), madeBy: Example.token(7))
    let old = ObjectReference(Example.key(6), madeBy: Example.token(2))
    example.source.outcomes[Example.token(2)] = MakerOutcome([])
    let operations: [Operation] = [
      .insert(Example.key(6), PropertyList([(Example.code, .integer(3))]), .assigned),
      .increment(made, Example.votes, by: 1), .increment(old, Example.votes, by: 2),
    ]
    let expected = try example.changes(operations)
    #expect(expected.removes(5))
    #expect(expected.row(6)?.pairs == [])

    var rows = PartialRows(all: example.source)
    var kinds = Needs()
    for _ in 0..<10 {
      let transaction = Example.transaction(operations)
      let application = try Application.apply(
        transaction,
        at: transaction.time,
        to: rows,
        rules: example.source.rules,
        side: .server,
        mayWrite: { _, _, _ in true }
      )
      switch application {
      case .needs(let needs):
        rows.loaded.keys.formUnion(needs.keys)
        rows.loaded.uniques.formUnion(needs.uniques)
        rows.loaded.targets.formUnion(needs.targets)
        rows.loaded.makers.formUnion(needs.makers)
        rows.loaded.freshIDs.merge(needs.freshIDs) { max($0, $1) }
        kinds = rows.loaded
      case .rejected: Issue.record("nothing is rejected")
      case .changes(let changes):
        #expect(changes.rows == expected.rows)
        #expect(changes.identities == expected.identities)
        #expect(kinds.keys.contains(Example.key(5)))
        #expect(kinds.uniques.count == 1)
        #expect(kinds.targets == [Example.key(5)])
        #expect(kinds.makers == [Example.token(2)])
        #expect(kinds.freshIDs == [Example.entity: 1])
        return
      }
    }
    Issue.record("rows are missing for ever")
  }

  @Test func `a decision on missing rows is never a rejection`() throws {
    let example = Example(EntityRules(uniques: [UniqueProperties([Example.code], rule: .reject)]))
    let rows = PartialRows(all: example.source)
    let set = Operation.update(
      Example.object(5, originID: 1),
      PropertyList([(Example.votes, .integer(1))])
    )
    let insert = Operation.insert(Example.key(6), PropertyList(), .assigned)
    let transaction = Example.transaction([insert, set])
    let application = try Application.apply(
      transaction,
      at: transaction.time,
      to: rows,
      rules: example.source.rules,
      side: .server,
      mayWrite: { _, _, _ in true }
    )
    guard case .needs = application else {
      Issue.record("the function decides without rows")
      return
    }
  }

  @Test func `an object that a right depends on is needed`() throws {
    var example = Example()
    example.source.rows[Example.key(5)] = Example.row(originID: 1)
    var rows = PartialRows(all: example.source)
    rows.loaded.keys = [Example.key(5)]
    let transaction = Example.transaction([
      .update(Example.object(5, originID: 1), PropertyList([(Example.text, .integer(1))]))
    ])
    let application = try Application.apply(
      transaction,
      at: transaction.time,
      to: rows,
      rules: example.source.rules,
      side: .server,
      mayWrite: { _, _, related in try related(Example.key(6)) != nil }
    )
    guard case .needs(let needs) = application else {
      Issue.record("\(application)")
      return
    }
    #expect(needs.keys == [Example.key(6)])
  }
}
