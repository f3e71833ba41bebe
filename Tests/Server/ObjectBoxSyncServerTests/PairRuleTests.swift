import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Deltas of rules over to-many relations and backlinks, held to EXISTS of plain SQL.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .timeLimit(.minutes(15)))
struct PairRuleTests {
  private static let logged = [
    TestServerLog.item: [TestServerLog.owner], TestServerLog.label: [TestServerLog.labelName],
    TestServerLog.code: [TestServerLog.codeItem, TestServerLog.text],
  ]

  /// Rules of a user, and the conditions of visible items, labels and codes in SQL.
  private struct Rules {
    let linked: [LinkedScope]
    let items: String
    let labels: String
    let codes: String

    init(_ user: Int) {
      let owned = LinkedScope(
        Scope(
          entity: TestServerLog.item,
          property: TestServerLog.owner,
          value: .integer(Int64(user))
        )
      )
      let named = LinkedScope(
        Scope(
          entity: TestServerLog.label,
          property: TestServerLog.labelName,
          value: .bytes(Array("l\(user)".utf8))
        )
      )
      let numbered = LinkedScope(
        Scope(
          entity: TestServerLog.code,
          [
            Scope.Comparison(TestServerLog.text, .atLeast, .bytes(Array("c\(user)".utf8))),
            Scope.Comparison(TestServerLog.text, .below, .bytes(Array("c\(user + 1)".utf8))),
          ]
        )
      )
      let labelled = LinkedScope(
        Scope(entity: TestServerLog.item),
        links: [
          ScopeLink(
            .standalone(TestServerLog.labels, of: TestServerLog.item),
            to: TestServerLog.label,
            in: [named]
          )
        ]
      )
      let coded = LinkedScope(
        Scope(
          entity: TestServerLog.item,
          [Scope.Comparison(TestServerLog.owner, .above, .integer(2))]
        ),
        links: [
          ScopeLink(.toOneBacklink(TestServerLog.codeItem), to: TestServerLog.code, in: [numbered]),
          ScopeLink(
            .standalone(TestServerLog.labels, of: TestServerLog.item),
            to: TestServerLog.label,
            in: [LinkedScope(Scope(entity: TestServerLog.label))]
          ),
        ]
      )
      linked = [
        labelled, coded,
        LinkedScope(
          Scope(entity: TestServerLog.label),
          links: [
            ScopeLink(
              .standaloneBacklink(TestServerLog.labels),
              to: TestServerLog.item,
              in: [owned]
            )
          ]
        ),
        LinkedScope(
          Scope(entity: TestServerLog.code),
          links: [ScopeLink(TestServerLog.codeItem, to: TestServerLog.item, in: [labelled])]
        ),
      ]
      let hasLabel = """
        EXISTS (SELECT FROM @objectbox_relation_5001 AS p JOIN @"Label" AS l ON l.id = p.target
          WHERE p.source = i.id AND l.name = 'l\(user)')
        """
      let isCoded = """
        i.owner > 2 AND EXISTS (SELECT FROM @"Code" AS c WHERE c.item = i.id AND c.text LIKE 'c\(user)%')
          AND EXISTS (SELECT FROM @objectbox_relation_5001 AS p JOIN @"Label" AS l ON l.id = p.target WHERE p.source = i.id)
        """
      items =
        #"SELECT i.id::text FROM @"Item" AS i WHERE \#(hasLabel) OR \#(isCoded) ORDER BY i.id"#
      labels = #"""
        SELECT l.id::text FROM @"Label" AS l WHERE EXISTS (
          SELECT FROM @objectbox_relation_5001 AS p JOIN @"Item" AS i ON i.id = p.source
          WHERE p.target = l.id AND i.owner = \#(user)) ORDER BY l.id
        """#
      codes = #"""
        SELECT c.id::text FROM @"Code" AS c JOIN @"Item" AS i ON i.id = c.item WHERE \#(hasLabel) ORDER BY c.id
        """#
    }
  }

  private func statement(_ random: inout SplitMix) -> String {
    let (id, other, user) = (random.number(1...12), random.number(1...12), random.number(1...4))
    switch random.number(0...12) {
    case 0:
      return #"INSERT INTO @"Item" (id, owner) VALUES (\#(id), \#(user)) ON CONFLICT DO NOTHING"#
    case 1: return #"UPDATE @"Item" SET owner = \#(user) WHERE id = \#(id)"#
    case 2: return #"UPDATE @"Item" SET title = 't\#(other)' WHERE id = \#(id)"#
    // Its pairs stay.
    case 3:
      return
        #"DELETE FROM @"Item" WHERE id = \#(id) AND NOT EXISTS (SELECT FROM @"Code" WHERE item = \#(id))"#
    case 4:
      return #"INSERT INTO @"Label" (id, name) VALUES (\#(id), 'l\#(user)') ON CONFLICT DO NOTHING"#
    case 5: return #"UPDATE @"Label" SET name = 'l\#(user)' WHERE id = \#(id)"#
    case 6: return #"DELETE FROM @"Label" WHERE id = \#(id)"#
    case 7, 8:
      return
        "INSERT INTO @objectbox_relation_5001 (source, target) VALUES (\(id), \(other)) ON CONFLICT DO NOTHING"
    case 9:
      return
        "DELETE FROM @objectbox_relation_5001 WHERE source = \(id) AND target % 2 = \(other % 2)"
    case 10:
      return
        #"INSERT INTO @"Code" (id, text, item) SELECT \#(id), 'c\#(user)\#(id)', id FROM @"Item" WHERE id = \#(other) ON CONFLICT DO NOTHING"#
    case 11:
      return
        #"UPDATE @"Code" SET item = (SELECT id FROM @"Item" WHERE id = \#(other)), text = 'c\#(user)\#(id)' WHERE id = \#(id)"#
    default: return #"DELETE FROM @"Code" WHERE id = \#(id)"#
    }
  }

  @Test(.tags(.slow), arguments: 1...3)
  func `a device has what plain SQL finds over pairs and backlinks, with the delta of each change`(
    seed: Int
  ) async throws {
    let test = try await TestServerLog(logging: Self.logged)
    var random = SplitMix(seed: seed)
    for _ in 0..<60 { try await test.sql(statement(&random)) }
    var followers: [(follower: Follower, rules: Rules)] = (1...4).map { user in
      let rules = Rules(user)
      return (Follower(test, linked: rules.linked, where: "true"), rules)
    }
    for step in 0..<(TestServer.isLong ? 1_500 : 200) {
      try await test.sql(statement(&random))
      if random.happens(0.3) { try await test.sql(statement(&random)) }
      for index in followers.indices where random.happens(0.7) {
        if random.happens(0.05) { followers[index].follower.reconnect() }
        if random.happens(0.02) { followers[index].follower.forget() }
        _ = try await followers[index].follower.follow()
        let copy = followers[index].follower.copy.keys
        let rules = followers[index].rules
        for (entity, sql) in [
          (TestServerLog.item, rules.items), (TestServerLog.label, rules.labels),
          (TestServerLog.code, rules.codes),
        ] {
          let ids = try await test.sql(sql).compactMap { $0[0].flatMap { UInt64($0) } }
          #expect(
            copy.filter { $0.entity == entity }.map(\.id).sorted() == ids,
            "seed \(seed), step \(step), user \(index + 1), entity \(entity.value)"
          )
        }
      }
    }
  }
}
