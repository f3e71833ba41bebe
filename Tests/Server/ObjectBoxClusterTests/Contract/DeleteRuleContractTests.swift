import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of delete rules, for embedded stores and clusters.
@Suite(.onAnyStore)
struct DeleteRuleContractTests {
  private func refusal(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return ""
    } catch {
      guard case .constraintViolated(let message)? = error as? ObjectBoxError else {
        return "\(error)"
      }
      return message
    }
  }

  @Test(arguments: StoreKind.available)
  func `an object stays while its to-many relation has targets`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let club = Club("c")
    club.members.append(Member("m"))
    try await store.box(Club.self).put([club, Club("empty")])
    let message = await refusal { try await store.box(Club.self).remove(club.id) }
    #expect(message.contains("'Club' with ID 1: 'Member' with ID 1"))
    #expect(message.contains("from 'Club' to 'Member'"))
    let all = await refusal { try await store.box(Club.self).removeAll() }
    #expect(all == message)
    #expect(try await store.box(Club.self).count() == 2)
    try await store.box(Member.self).removeAll()
    #expect(try await store.box(Club.self).remove(club))
  }

  @Test(arguments: StoreKind.available)
  func `rules pass over missing objects`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let missing = Member("missing")
    missing.id = 77
    let club = Club("c")
    club.members.append(missing)
    try await store.box(Club.self).put(club)
    #expect(try await store.box(Club.self).remove(club))
  }

  @Test(arguments: StoreKind.available)
  func `sources of a standalone relation go with their target`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let (a, b) = (Team("a"), Team("b"))
    let member = Member("m")
    a.players.append(contentsOf: [member, Member("other")])
    try await store.box(Team.self).put([a, b])
    #expect(try await store.box(Member.self).remove([member.id]) == 1)
    #expect(try await store.box(Team.self).all().map(\.name) == ["b"])
    #expect(try await store.box(Member.self).all().map(\.name) == ["other"])
  }

  @Test(arguments: StoreKind.available)
  func `a cascade that meets a restriction removes nothing`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let (team, rival) = (Team("t"), Team("r"))
    let member = Member("m")
    team.players.append(member)
    try await store.box(Team.self).put(team)
    rival.rival.target = team
    try await store.box(Team.self).put(rival)
    let message = await refusal { try await store.box(Member.self).remove(member.id) }
    #expect(message.contains("'Team' with ID 1: 'Team' with ID 2"))
    #expect(try await store.box(Team.self).count() == 2)
    #expect(try await store.ids(team.players) == [member.id])
    #expect(try await store.box(Member.self).count() == 1)
  }

  @Test(arguments: StoreKind.available)
  func `objects that go together do not restrict one another`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Team.self)
    let (a, b) = (Team("a"), Team("b"))
    a.rival.target = b
    try await box.put(a)
    let message = await refusal { try await box.remove(b.id) }
    #expect(message.contains("'Team.rival'"))
    #expect(try await box.count() == 2)
    #expect(try await box.remove([b.id, a.id]) == 2)
    let loop = Team("loop")
    try await box.put(loop)
    loop.rival.target = loop
    try await box.put(loop)
    #expect(try await box.remove(loop))
    // A cycle is removed as a whole, also together with its members.
    let circle = (0..<3).map { Team("\($0)") }
    let member = Member("m")
    for (team, next) in zip(circle, circle[1...] + [circle[0]]) {
      team.rival.target = next
      team.players.append(member)
    }
    try await box.put(circle)
    #expect(try await store.box(Member.self).remove(member))
    #expect(try await box.isEmpty())
  }

  @Test(arguments: StoreKind.available)
  func `only the objects that were asked for are counted`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let links = ["a", "b", "c"].map(Link.init)
    links[0].next.target = links[1]
    try await store.box(Link.self).put(links)
    #expect(try await store.box(Link.self).remove([links[1].id, links[1].id, 99]) == 1)
    #expect(try await store.box(Link.self).all().map(\.name) == ["c"])
    let (d, e) = (Link("d"), Link("e"))
    d.next.target = e
    try await store.box(Link.self).put(d)
    let query = try store.box(Link.self).query(Link.name != "c").build()
    #expect(try await query.remove() == 2)
    #expect(try await store.box(Link.self).count() == 1)
  }

  @Test(arguments: StoreKind.available)
  func `a long chain goes without a deep stack`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Link.self)
    let count = 2_000
    let links = (0..<count).map { _ in Link(nil) }
    try await box.put(links)
    for (link, next) in zip(links, links.dropFirst()) { link.next.targetId = EntityId(next.id) }
    try await box.put(links)
    #expect(try await box.remove(links[count - 1].id))
    #expect(try await box.isEmpty())
  }
}
