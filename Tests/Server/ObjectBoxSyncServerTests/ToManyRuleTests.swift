import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSync
import ObjectBoxSyncTestSupport
import Testing

@testable import ObjectBoxSyncServer

/// Rules over to-many relations and backlinks, as programs write them.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .serialized,
  .timeLimit(.minutes(15))
)
struct ToManyRuleTests {
  private func serving(
    _ rules: [SyncRule],
    _ body: (Cluster, RunningSyncServer) async throws -> Void
  ) async throws {
    try await ErrandDevice.serving({ for rule in rules { rule } }, body)
  }

  @Test func `a rule over a to-many relation follows pairs and targets`() async throws {
    try await serving([
      rule(ListHelper.self) { user in ListHelper.lists.link { ErrandList.title == user.id } }
    ]) { cluster, server in
      let (lists, helpers) = (cluster.box(for: ErrandList.self), cluster.box(for: ListHelper.self))
      let (own, other) = (ErrandList("ada"), ErrandList("bob"))
      try await lists.put([own, other])
      let (first, second) = (ListHelper("first"), ListHelper("second"))
      first.lists.append(own)
      second.lists.append(other)
      try await helpers.put([first, second])
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(forHelpers: ["first"])
      // A change of pairs alone.
      second.lists.append(own)
      try await helpers.put(second)
      try await ada.wait(forHelpers: ["first", "second"])
      first.lists.removeAll()
      try await helpers.put(first)
      try await ada.wait(forHelpers: ["second"])
      // A change of a target alone.
      own.title = "cy"
      try await lists.put(own)
      try await ada.wait(forHelpers: [])
      other.title = "ada"
      try await lists.put(other)
      try await ada.wait(forHelpers: ["second"])
      try await lists.remove(other)
      try await ada.wait(forHelpers: [])
    }
  }

  @Test func `a rule over the backlink of a to-many relation follows pairs and sources`()
    async throws
  {
    try await serving([
      rule(ErrandList.self) { user in ErrandList.helpers.link { ListHelper.name == user.id } }
    ]) { cluster, server in
      let (lists, helpers) = (cluster.box(for: ErrandList.self), cluster.box(for: ListHelper.self))
      let (home, work) = (ErrandList("home"), ErrandList("work"))
      try await lists.put([home, work])
      let helper = ListHelper("ada")
      helper.lists.append(home)
      try await helpers.put(helper)
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(forLists: ["home"])
      helper.lists.replace([work])
      try await helpers.put(helper)
      try await ada.wait(forLists: ["work"])
      helper.name = "bob"
      try await helpers.put(helper)
      try await ada.wait(forLists: [])
      helper.name = "ada"
      try await helpers.put(helper)
      try await ada.wait(forLists: ["work"])
      try await helpers.remove(helper)
      try await ada.wait(forLists: [])
    }
  }

  @Test func `a rule over the backlink of a to-one relation follows the sources`() async throws {
    try await serving([
      rule(ErrandList.self) { user in ErrandList.entries.link { ListEntry.text == user.id } },
      rule(ListEntry.self) { user in
        ListEntry.list.link { ErrandList.entries.link { ListEntry.text == user.id } }
      },
    ]) { cluster, server in
      let (lists, entries) = (cluster.box(for: ErrandList.self), cluster.box(for: ListEntry.self))
      let (home, work) = (ErrandList("home"), ErrandList("work"))
      try await lists.put([home, work])
      let (own, other) = (ListEntry("ada", in: home), ListEntry("milk", in: work))
      try await entries.put([own, other])
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(forLists: ["home"], entries: ["ada"])
      own.list.target = work
      try await entries.put(own)
      try await ada.wait(forLists: ["work"], entries: ["ada", "milk"])
      own.list.target = nil
      try await entries.put(own)
      try await ada.wait(forLists: [], entries: [])
      other.text = "ada"
      try await entries.put(other)
      try await ada.wait(forLists: ["work"], entries: ["ada"])
      try await entries.remove(other)
      try await ada.wait(forLists: [], entries: [])
    }
  }

  @Test
  func `figures name the relation of a to-many link, and that of a backlink after its entity`()
    async throws
  {
    try await serving([
      rule(ListHelper.self) { user in ListHelper.lists.link { ErrandList.title == user.id } },
      rule(ErrandList.self) { user in
        ErrandList.entries.link { ListEntry.text == user.id }
          || ErrandList.helpers.link { ListHelper.name == user.id } || ErrandList.title == user.id
      },
    ]) { _, server in
      let names = server.figures().rules.map(\.properties)
      #expect(names.count == 2)
      #expect(names[0].map { $0.hasSuffix(".title") } == [true])
      #expect(names[1].first == "title")
      #expect(names[1].contains("ListEntry.list.text"))
      #expect(names[1].count == 3)
    }
  }

  @Test func `a rule of writes may follow a to-many relation, before and after the change`()
    async throws
  {
    try await serving([
      rule(ErrandList.self), rule(ListHelper.self),
      write(ListHelper.self) { user in ListHelper.lists.link { ErrandList.title == user.id } },
    ]) { cluster, server in
      let (own, other) = (ErrandList("ada"), ErrandList("bob"))
      try await cluster.box(for: ErrandList.self).put([own, other])
      let foreign = ListHelper("foreign")
      foreign.lists.append(other)
      try await cluster.box(for: ListHelper.self).put(foreign)
      let ada = try ErrandDevice("ada", server)
      try await ada.wait { try ada.lists.count() == 2 && ada.helpers.count() == 1 }
      func list(_ title: String) throws -> ErrandList {
        try #require(try ada.lists.all().first { $0.title == title })
      }
      func isAccepted(_ helper: ListHelper) async throws -> Bool {
        let before = try ada.client.rejections().count
        try ada.store.runInTransaction {
          try ada.helpers.put(helper)
          try helper.lists.applyToDb()
        }
        await ada.waitForDecisions()
        return try ada.client.rejections().count == before
      }
      let helper = ListHelper("first")
      helper.lists.append(try list("ada"))
      #expect(try await isAccepted(helper))
      let spy = ListHelper("spy")
      spy.lists.append(try list("bob"))
      #expect(try await !isAccepted(spy))
      #expect(try await !isAccepted(ListHelper("nowhere")))
      // Not by taking the list away.
      let stored = try #require(try ada.helpers.all().first { $0.name == "first" })
      stored.name = "changed"
      #expect(try await isAccepted(stored))
      stored.lists.replace([])
      #expect(try await !isAccepted(stored))
      let names = try await cluster.box(for: ListHelper.self).all().map(\.name).sorted()
      #expect(names == ["changed", "foreign"])
    }
  }

  @Test func `a put of the server's program beats an earlier write of a device by the clock`()
    async throws
  {
    try await serving([rule(ListHelper.self), write(ListHelper.self)]) { cluster, server in
      let box = cluster.box(for: ListHelper.self)
      let helper = ListHelper("first")
      try await box.put(helper)
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(forHelpers: ["first"])
      try ada.client.stop()
      let own = try #require(try ada.helpers.all().first)
      own.name = "early"
      try ada.helpers.put(own)
      passMillisecond()
      helper.name = "late"
      try await box.put(helper)
      try ada.client.start()
      await ada.waitForDecisions()
      try await ada.wait(forHelpers: ["late"])
      #expect(try await box.all().map(\.name) == ["late"])
      // The device's next write is the later one.
      own.name = "latest"
      passMillisecond()
      try ada.helpers.put(own)
      await ada.waitForDecisions()
      #expect(try await box.all().map(\.name) == ["latest"])
    }
  }

  @Test func `a rule of order shows objects up to a bound`() async throws {
    try await serving([
      rule(Errand.self) { user in Errand.owner == user.id && Errand.priority >= 3 },
      rule(Errand.self) { user in Errand.owner > "y" && Errand.priority.isBetween(-1, and: 1) },
      rule(Errand.self) { user in Errand.owner != user.id && Errand.priority > 100 },
    ]) { cluster, server in
      let box = cluster.box(for: Errand.self)
      let (low, high) = (Errand(owner: "ada", priority: 2), Errand(owner: "ada", priority: 3))
      try await box.put([
        low, high, Errand(owner: "z", priority: 0), Errand(owner: "z", priority: 5),
      ])
      let ada = try ErrandDevice("ada", server)
      try await ada.wait(for: ["ada", "z"])
      low.priority = 9
      try await box.put(low)
      try await ada.wait(for: ["ada", "ada", "z"])
      low.priority = 0
      high.owner = "bob"
      high.priority = 101
      try await box.put([low, high])
      try await ada.wait(for: ["bob", "z"])
    }
  }
}

extension ErrandDevice {
  var helpers: Box<ListHelper> { store.box() }

  fileprivate func wait(forHelpers names: [String]) async throws {
    try await wait { try helpers.all().map(\.name).sorted() == names }
  }

  fileprivate func wait(forLists titles: [String], entries texts: [String]? = nil) async throws {
    try await wait {
      try lists.all().map(\.title).sorted() == titles
        && (texts == nil || entries.all().map(\.text).sorted() == texts)
    }
  }
}
