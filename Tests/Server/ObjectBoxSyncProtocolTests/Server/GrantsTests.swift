import ObjectBoxSyncProtocol
import Testing

/// Entries of lists, which a user sees by the list's owner.
struct GrantsTests {
  private static let list = EntityUID(10)
  private static let entry = EntityUID(11)
  private static let relation = PropertyUID(12)
  private static let owned = Scope(entity: list, property: Example.owner, value: .integer(1))
  private static let rules = [
    LinkedScope(
      Scope(entity: entry, property: Example.rank, value: .integer(5)),
      links: [ScopeLink(relation, to: list, in: [LinkedScope(owned)])]
    )
  ]

  private let epoch = Epoch(system: 1, database: 1, timeline: 1)
  private var history: ServerHistory { ServerHistory(epoch: epoch) }

  private func cursor(_ xmax: UInt64, _ inProgress: [UInt64] = []) -> Cursor {
    Cursor(
      snapshot: TransactionSnapshot(xmax: xmax, inProgress: inProgress),
      epoch: epoch,
      position: xmax
    )
  }

  private static func scope(of list: Int64) -> Scope {
    Scope(
      entity: entry,
      [
        Scope.Comparison(relation, .equals, .integer(list)),
        Scope.Comparison(Example.rank, .equals, .integer(5)),
      ]
    )
  }

  private func change(of id: UInt64, from before: Int64?, to after: Int64?) -> LogEntry {
    func values(_ owner: Int64?) -> PropertyList<PropertyValue>? {
      owner.map { PropertyList([(Example.owner, .integer($0))]) }
    }
    return LogEntry(
      transaction: 20,
      key: ObjectKey(entity: Self.list, id: id),
      before: values(before),
      after: values(after)
    )
  }

  /// Resolves the links over lists with the given IDs, and returns the objects of each search; nil for
  /// all.
  private func resolve(
    _ grants: inout Grants,
    at now: Cursor,
    since old: Cursor?,
    _ entries: [LogEntry] = [],
    lists: Set<UInt64>
  ) throws -> [[UInt64]?] {
    var searches: [[UInt64]?] = []
    grants.begin(at: now, history, since: old, entries)
    while let search = try grants.next() {
      #expect(search.entity == Self.list && search.scopes == [Self.owned])
      searches.append(search.ids)
      try grants.take(search.ids.map { $0.filter(lists.contains) } ?? Array(lists))
    }
    return searches
  }

  @Test func `a link becomes a comparison with each target`() throws {
    var grants = Grants(Self.rules)
    #expect(grants.scopes == [] && grants.watched == [Self.owned])
    #expect(try resolve(&grants, at: cursor(10), since: nil, lists: [7, 3]) == [nil])
    #expect(grants.scopes == [Self.scope(of: 3), Self.scope(of: 7)])
    #expect(grants.watched == grants.scopes + [Self.owned])
  }

  @Test func `only changed objects are searched again`() throws {
    var grants = Grants(Self.rules)
    _ = try resolve(&grants, at: cursor(10), since: nil, lists: [3, 7])
    #expect(try resolve(&grants, at: cursor(11), since: cursor(10), lists: [3, 7]) == [])
    let entries = [
      change(of: 3, from: 1, to: 2), change(of: 5, from: nil, to: 1), change(of: 6, from: 2, to: 3),
    ]
    let searches = try resolve(
      &grants,
      at: cursor(30),
      since: cursor(11),
      entries,
      lists: [5, 6, 7]
    )
    #expect(searches == [[3, 5]])
    #expect(grants.scopes == [Self.scope(of: 5), Self.scope(of: 7)])
  }

  @Test func `a request that hides changes since the last resolution searches everything`() throws {
    var grants = Grants(Self.rules)
    _ = try resolve(&grants, at: cursor(20, [15]), since: nil, lists: [3])
    // From before the resolution: the changes since contain those that matter.
    #expect(try resolve(&grants, at: cursor(20, [15]), since: cursor(9), lists: [3]) == [])
    for old in [cursor(21, [15]), cursor(20), nil] {
      var later = grants
      #expect(try resolve(&later, at: cursor(30), since: old, lists: [4]) == [nil])
      #expect(later.scopes == [Self.scope(of: 4)])
    }
  }

  @Test func `changes of two relations to one target are found by each`() throws {
    let second = PropertyUID(13)
    let targets = [LinkedScope(Self.owned)]
    var grants = Grants([
      LinkedScope(
        Scope(entity: Self.entry),
        links: [
          ScopeLink(Self.relation, to: Self.list, in: targets),
          ScopeLink(second, to: Self.list, in: targets),
        ]
      )
    ])
    _ = try resolve(&grants, at: cursor(10), since: nil, lists: [3, 7])
    #expect(grants.scopes.count == 4)
    let entries = [change(of: 3, from: 1, to: 2)]
    let searches = try resolve(&grants, at: cursor(11), since: cursor(10), entries, lists: [7])
    #expect(searches == [[3], [3]])
    #expect(grants.scopes.count == 1)
  }

  @Test func `more targets than a device can have scopes are an error, and fewer later are none`()
    throws
  {
    var grants = Grants(Self.rules, limit: 1_000)
    let many = Set(1...UInt64(grants.limit) + 1)
    #expect(throws: Grants.TooMany.self) {
      _ = try resolve(&grants, at: cursor(10), since: nil, lists: many)
    }
    #expect(try resolve(&grants, at: cursor(11), since: cursor(10), lists: [3]) == [nil])
    #expect(grants.scopes == [Self.scope(of: 3)])
  }

  // MARK: Links to the objects themselves

  private static let pairs = PropertyUID(14)
  private static let rank = Scope.Comparison(Example.rank, .equals, .integer(5))

  private func changedPairs(of id: UInt64, _ entity: EntityUID) -> LogEntry {
    LogEntry(
      transaction: 20,
      key: ObjectKey(entity: entity, id: id),
      before: nil,
      after: nil
    )
  }

  private static func grants(_ relation: ScopeLink.Relation) -> Grants {
    Grants([
      LinkedScope(
        Scope(entity: entry, [rank]),
        links: [ScopeLink(relation, to: list, in: [LinkedScope(owned)])]
      )
    ])
  }

  private static func scope(object id: UInt64) -> Scope {
    Scope(entity: entry, [rank, Scope.Comparison(object: id)])
  }

  /// Resolves a link, and returns the objects of the search; nil for all, and none without a search.
  private func resolve(
    _ relation: ScopeLink.Relation,
    found: [UInt64] = [7],
    _ entries: [LogEntry]
  ) throws -> (searches: [[UInt64]?], scopes: [Scope]) {
    var grants = Self.grants(relation)
    #expect(try resolve(&grants, at: cursor(10), since: nil, lists: [3, 7]) == [nil])
    #expect(grants.scopes == [Self.scope(object: 3), Self.scope(object: 7)])
    let searches = try resolve(
      &grants,
      at: cursor(30),
      since: cursor(10),
      entries,
      lists: Set(found)
    )
    return (searches, grants.scopes)
  }

  @Test func `changed pairs are searched by their sources, changed targets by all`() throws {
    let relation = ScopeLink.Relation.standalone(Self.pairs, of: Self.entry)
    let pairs = [changedPairs(of: 3, Self.entry), changedPairs(of: 5, Self.entry)]
    #expect(
      try resolve(relation, found: [5, 7], pairs) == (
        [[3, 5]], [Self.scope(object: 5), Self.scope(object: 7)]
      )
    )
    #expect(try resolve(relation, [changedPairs(of: 3, Self.list)]).searches == [])
    #expect(
      try resolve(relation, pairs + [change(of: 9, from: 1, to: 2)]) == (
        [nil], [Self.scope(object: 7)]
      )
    )
    #expect(try resolve(relation, [change(of: 9, from: 2, to: 3)]).searches == [])
  }

  @Test func `changed pairs and sources of a backlink are searched by all`() throws {
    let relation = ScopeLink.Relation.standaloneBacklink(Self.pairs)
    #expect(try resolve(relation, [changedPairs(of: 3, Self.entry)]).searches == [])
    #expect(
      try resolve(relation, [changedPairs(of: 3, Self.list)]) == ([nil], [Self.scope(object: 7)])
    )
    #expect(try resolve(relation, [change(of: 9, from: nil, to: 1)]).searches == [nil])
  }

  @Test func `the log tells the objects of a to-one relation's backlink`() throws {
    func moved(_ owner: Int64, from before: Int64?, to after: Int64?) -> LogEntry {
      func values(_ target: Int64?) -> PropertyList<PropertyValue> {
        PropertyList([
          (Example.owner, .integer(owner)), (Self.relation, target.map { .integer($0) } ?? .null),
        ])
      }
      return LogEntry(
        transaction: 20,
        key: ObjectKey(entity: Self.list, id: 1),
        before: values(before),
        after: values(after)
      )
    }
    let relation = ScopeLink.Relation.toOneBacklink(Self.relation)
    #expect(
      try resolve(
        relation,
        found: [4, 7],
        [moved(1, from: 3, to: 4), moved(1, from: nil, to: nil)]
      )
        == ([[3, 4]], [Self.scope(object: 4), Self.scope(object: 7)])
    )
    #expect(try resolve(relation, [moved(2, from: 3, to: 4)]).searches == [])
    #expect(try resolve(relation, [changedPairs(of: 3, Self.list)]).searches == [])
  }

  @Test func `an object must be found by each of several links`() throws {
    let targets = [LinkedScope(Self.owned)]
    var grants = Grants([
      LinkedScope(
        Scope(entity: Self.entry),
        links: [
          ScopeLink(.standalone(Self.pairs, of: Self.entry), to: Self.list, in: targets),
          ScopeLink(Self.relation, to: Self.list, in: targets),
          ScopeLink(.toOneBacklink(Self.relation), to: Self.list, in: targets),
        ]
      )
    ])
    grants.begin(at: cursor(10), history, since: nil, [])
    while let search = try grants.next() {
      switch search.relation {
      case .standalone: try grants.take([1, 2, 3])
      case .toOneBacklink: try grants.take([2, 3, 4])
      case .toOne, .standaloneBacklink: try grants.take([8])
      }
    }
    let target = Scope.Comparison(Self.relation, .equals, .integer(8))
    #expect(
      grants.scopes
        == [2, 3].map { Scope(entity: Self.entry, [target, Scope.Comparison(object: $0)]) }
    )
  }

  @Test func `a session without objects hears of changed pairs`() throws {
    var grants = Self.grants(.standalone(Self.pairs, of: Self.entry))
    #expect(grants.watched.contains { $0.entity == Self.entry })
    #expect(try resolve(&grants, at: cursor(10), since: nil, lists: []) == [nil])
    #expect(grants.watched.contains { $0.entity == Self.entry })
    #expect(grants.scopes == [])
  }
}
