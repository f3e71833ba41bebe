import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSync
import Testing

@testable import ObjectBoxSyncServer

/// Rules over to-one relations, as programs write them.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .serialized,
  .timeLimit(.minutes(15))
)
struct LinkRuleTests {
  /// Members see and write a list and its entries.
  private static var ofMembers: [SyncRule] {
    [
      rule(ErrandList.self) { user in ErrandList.members.contains(user.id) },
      write(ErrandList.self) { user in ErrandList.members.contains(user.id) },
      rule(ListEntry.self) { user in
        ListEntry.list.link { ErrandList.members.contains(user.id) }
      },
      write(ListEntry.self) { user in
        ListEntry.list.link { ErrandList.members.contains(user.id) }
      },
    ]
  }

  private static func serving(
    _ rules: [SyncRule] = ofMembers,
    _ body: (Cluster, RunningSyncServer) async throws -> Void
  ) async throws {
    try await ErrandDevice.serving({ for rule in rules { rule } }, body)
  }

  /// Puts a list with entries into the cluster.
  private func put(
    _ list: ErrandList,
    _ texts: [String] = [],
    _ cluster: Cluster
  ) async throws {
    try await cluster.box(for: ErrandList.self).put(list)
    for text in texts {
      try await cluster.box(for: ListEntry.self).put(ListEntry(text, in: list))
    }
  }

  @Test func `the entries of a list come and go with its members`() async throws {
    try await Self.serving { cluster, server in
      let (home, work) = (ErrandList("home", members: ["ada"]), ErrandList("work"))
      try await put(home, ["milk", "bread"], cluster)
      try await put(work, ["report"], cluster)
      try await cluster.box(for: ListEntry.self).put(ListEntry("nowhere", in: nil))
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(forEntries: ["bread", "milk"])
      // A change of a list alone.
      work.members = ["bob", "ada"]
      try await cluster.box(for: ErrandList.self).put(work)
      try await ada.wait(forEntries: ["bread", "milk", "report"])
      // Then a change of an entry in the list that has just come.
      try await cluster.box(for: ListEntry.self).put(ListEntry("plan", in: work))
      try await ada.wait(forEntries: ["bread", "milk", "plan", "report"])
      home.members = []
      try await cluster.box(for: ErrandList.self).put(home)
      try await ada.wait(forEntries: ["plan", "report"])
      #expect(try ada.lists.all().map(\.title) == ["work"])
      // A removed list leads nowhere.
      try await cluster.box(for: ErrandList.self).remove(work)
      try await ada.wait(forEntries: [])
    }
  }

  @Test func `an entry that moves to another list comes and goes`() async throws {
    try await Self.serving { cluster, server in
      let (home, work) = (ErrandList("home", members: ["ada"]), ErrandList("work"))
      try await put(home, ["milk"], cluster)
      try await put(work, ["report"], cluster)
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(forEntries: ["milk"])
      let entries = cluster.box(for: ListEntry.self)
      for entry in try await entries.all() {
        entry.list.target = entry.text == "milk" ? work : home
        try await entries.put(entry)
      }
      try await ada.wait(forEntries: ["report"])
    }
  }

  @Test func `a link of a link leads on`() async throws {
    try await Self.serving([
      rule(ListEntry.self) { user in
        ListEntry.list.link { ErrandList.parent.link { ErrandList.members.contains(user.id) } }
      }
    ]) { cluster, server in
      let (team, other) = (ErrandList("team", members: ["ada"]), ErrandList("other"))
      try await put(team, ["of the team itself"], cluster)
      try await put(other, [], cluster)
      let work = ErrandList("work", parent: team)
      try await put(work, ["report"], cluster)
      try await put(ErrandList("home", parent: other), ["milk"], cluster)
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(forEntries: ["report"])
      // The user need not see the lists.
      #expect(try ada.lists.isEmpty())
      other.members = ["ada"]
      try await cluster.box(for: ErrandList.self).put(other)
      try await ada.wait(forEntries: ["milk", "report"])
      // A list between moves to a team that the user is not in.
      team.members = []
      try await cluster.box(for: ErrandList.self).put(team)
      try await ada.wait(forEntries: ["milk"])
      work.parent.target = other
      try await cluster.box(for: ErrandList.self).put(work)
      try await ada.wait(forEntries: ["milk", "report"])
    }
  }

  @Test func `members write the entries of their lists, and no others`() async throws {
    try await Self.serving(Self.ofMembers + [rule(ErrandList.self), rule(ListEntry.self)]) {
      cluster,
      server in
      let (home, work) = (ErrandList("home", members: ["ada"]), ErrandList("work"))
      try await put(home, ["milk"], cluster)
      try await put(work, ["report"], cluster)
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(forEntries: ["milk", "report"])
      let own = try #require(try ada.lists.all().first { $0.title == "home" })
      let foreign = try #require(try ada.lists.all().first { $0.title == "work" })
      #expect(try await ada.isAccepted { ListEntry("bread", in: own) })
      #expect(try await !ada.isAccepted { ListEntry("spy", in: foreign) })
      #expect(try await !ada.isAccepted { ListEntry("nowhere", in: nil) })
      // Neither out of a list nor into another one.
      func moved(_ text: String, to list: ErrandList?) throws -> ListEntry {
        let entry = try #require(try ada.entries.all().first { $0.text == text })
        entry.list.target = list
        return entry
      }
      #expect(try await !ada.isAccepted { try moved("milk", to: foreign) })
      #expect(try await !ada.isAccepted { try moved("milk", to: nil) })
      #expect(try await !ada.isAccepted { try moved("report", to: own) })
      let texts = try await cluster.box(for: ListEntry.self).all().map(\.text).sorted()
      #expect(texts == ["bread", "milk", "report"])
    }
  }

  @Test func `a transaction may make, change and remove a list with its entries`() async throws {
    try await Self.serving { cluster, server in
      let ada = try ErrandDevice("ada", server)
      func isAccepted(_ body: () throws -> Void) async throws -> Bool {
        let before = try ada.client.rejections().count
        try ada.store.runInTransaction(body)
        await ada.waitForDecisions()
        return try ada.client.rejections().count == before
      }
      let list = ErrandList("home", members: ["ada"])
      #expect(
        try await isAccepted {
          try ada.lists.put(list)
          try ada.entries.put([ListEntry("milk", in: list), ListEntry("bread", in: list)])
        }
      )
      #expect(
        try await isAccepted {
          let other = ErrandList("shop", members: ["ada"])
          try ada.lists.put(other)
          let entry = try #require(try ada.entries.all().first)
          entry.list.target = other
          try ada.entries.put(entry)
        }
      )
      #expect(
        try await isAccepted {
          try ada.lists.removeAll()
          try ada.entries.removeAll()
        }
      )
      #expect(try await cluster.box(for: ListEntry.self).isEmpty())
      // A list that others have, and an entry in it.
      #expect(
        try await !isAccepted {
          let other = ErrandList("work", members: ["bob"])
          try ada.lists.put(other)
          try ada.entries.put(ListEntry("report", in: other))
        }
      )
    }
  }

  @Test func `a rule of writes with the object may return a condition over its relation`()
    async throws
  {
    try await Self.serving([
      rule(ErrandList.self), rule(ListEntry.self),
      write(ListEntry.self) { user, entry in
        entry.text.isEmpty
          ? ListEntry.text == "never"
          : ListEntry.list.link { ErrandList.title.startsWith(user.id) }
      },
    ]) { cluster, server in
      try await put(ErrandList("ada's"), [], cluster)
      try await put(ErrandList("bob's"), [], cluster)
      let ada = try ErrandDevice("ada", server)
      try await ada.wait { try ada.lists.count() == 2 }
      func list(_ title: String) throws -> ErrandList? {
        try ada.lists.all().first { $0.title == title }
      }
      #expect(try await ada.isAccepted { ListEntry("milk", in: try list("ada's")) })
      #expect(try await !ada.isAccepted { ListEntry("", in: try list("ada's")) })
      #expect(try await !ada.isAccepted { ListEntry("milk", in: try list("bob's")) })
    }
  }

  @Test func `figures name the properties behind a link`() async throws {
    try await Self.serving(
      Self.ofMembers + [
        rule(ListEntry.self) { user in
          ListEntry.text == user.id
            || ListEntry.list.link { ErrandList.parent.link { ErrandList.title == user.id } }
        }
      ]
    ) { _, server in
      let names = server.figures().rules.map(\.properties)
      #expect(
        names == [
          ["members"], ["members"], ["list.members"], ["list.members"],
          ["text", "list.parent.title"],
        ]
      )
    }
  }

  @Test(
    arguments: [
      (
        rule(ErrandList.self) { (_: SyncUser) in ErrandList.title.startsWith("a") },
        "compares 'title' by 'starts with'"
      ),
      (
        rule(ListEntry.self) { (_: SyncUser) in
          ListEntry.list.link { ErrandList.title.startsWith("a") }
        },
        "a rule of 'ErrandList' compares 'title' by 'starts with'"
      ),
      (
        SyncRule(access: .see, entity: "ErrandList") { _ in
          .link(
            LinkCondition(
              .toOne(property: ListEntry.list.propertyId),
              to: ListEntry.entityInfo,
              .all([])
            )
          )
        },
        "leads to 'ListEntry' over a relation that does not connect the two"
      ),
      (
        write(ErrandList.self) { user in ErrandList.entries.link { ListEntry.text == user.id } },
        "a rule of writes of 'ErrandList' leads to 'ListEntry' over a backlink"
      ),
    ]
  )
  func `a link that rules cannot follow is told at the server's start`(
    rule: SyncRule,
    message: String
  ) async throws {
    let error = await #expect(throws: SyncServerError.self) {
      try await Self.serving([rule]) { _, _ in }
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func `links lead to more than a thousand objects`() async throws {
    try await Self.serving(Self.ofMembers) { cluster, server in
      let lists = (0..<2_500).map { ErrandList("\($0)", members: ["ada"]) }
      try await cluster.box(for: ErrandList.self).put(lists)
      let entries = lists.map { ListEntry($0.title, in: $0) }
      try await cluster.box(for: ListEntry.self).put(entries)
      let ada = try ErrandDevice("ada", server)
      let all = lists.map(\.title).sorted()
      try await ada.wait(forEntries: all)
      lists[7].members = []
      try await cluster.box(for: ErrandList.self).put(lists[7])
      try await ada.wait(forEntries: all.filter { $0 != "7" })
      // Digests of all these objects.
      try ada.client.stop()
      entries[8].text = "changed"
      try await cluster.box(for: ListEntry.self).put(entries[8])
      try ada.client.fullSync()
      try ada.client.start()
      let rest = all.filter { !["7", "8"].contains($0) } + ["changed"]
      try await ada.wait(forEntries: rest.sorted())
      ada.client.close()
    }
  }

  @Test func `links to more objects than a device can have scopes are told`() async throws {
    let errors = Errors()
    var limits = SyncServer.Limits.ofTests
    limits.scopes = 1_000
    let configuration = TestServer.configuration(in: "rules \(UUID().uuidString)")
    let cluster = try await Cluster(configuration: configuration)
    let server = try await SyncServer(
      cluster: cluster,
      listen: .init(port: 0),
      authenticate: .password { name, _ in SyncUser(id: name) },
      limits: limits,
      report: { errors.add($0) },
      rules: { for rule in Self.ofMembers { rule } }
    ).start()
    try await cluster.box(for: ErrandList.self).put(
      (0...1_000).map { ErrandList("\($0)", members: ["ada"]) }
    )
    let ada = try ErrandDevice("ada", server)
    let error = await errors.first
    #expect(
      "\(error)".contains(
        "rules of the user 'ada' lead to more objects at 'ErrandList' than 'limits.scopes', which is 1000"
      )
    )
    ada.client.close()
    await server.stop()
    await cluster.close()
  }

  /// The errors that a server reports.
  private final class Errors: Sendable {
    private let errors: AsyncStream<any Error>
    private let error: AsyncStream<any Error>.Continuation

    init() { (errors, error) = AsyncStream.makeStream() }

    func add(_ error: any Error) { self.error.yield(error) }

    var first: any Error {
      get async {
        for await error in errors { return error }
        return CancellationError()
      }
    }
  }
}

extension ErrandDevice {
  var lists: Box<ErrandList> { store.box() }
  var entries: Box<ListEntry> { store.box() }

  /// Waits until the store has entries with these texts.
  fileprivate func wait(forEntries texts: [String]) async throws {
    try await wait { try entries.all().map(\.text).sorted() == texts }
  }

  /// Puts an entry, waits for the decision, and returns whether it was accepted.
  fileprivate func isAccepted(_ entry: () throws -> ListEntry) async throws -> Bool {
    let before = try client.rejections().count
    try entries.put(try entry())
    await waitForDecisions()
    return try client.rejections().count == before
  }
}
