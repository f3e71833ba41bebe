import Foundation
import ObjectBox
import ObjectBoxCluster
import Testing

@testable import ObjectBoxSyncServer

/// Rules with entity types, as programs write them.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct SyncRuleTests {
  @Test func `a rule of a list shows an object to those whom the list contains`() async throws {
    try await ErrandDevice.serving {
      rule(Errand.self) { user in Errand.members.contains(user.id) }
      rule(Errand.self) { user in Errand.owner == user.id && Errand.isDone == false }
    } _: { cluster, server in
      let ada = try ErrandDevice("ada", server)
      var errand = Errand(owner: "cy", members: ["bob", "ada"])
      try await cluster.box(for: Errand.self).put(errand)
      try await cluster.box(for: Errand.self).put(Errand(owner: "dee", members: ["adam"]))
      try await cluster.box(for: Errand.self).put(Errand(owner: "ada", isDone: true))
      try await ada.wait(for: ["cy"])
      try await cluster.box(for: Errand.self).put(Errand(owner: "ada"))
      try await ada.wait(for: ["ada", "cy"])
      errand = try #require(try ada.errands.all().first { $0.owner == "cy" })
      errand.members = ["bob"]
      try await cluster.box(for: Errand.self).put(errand)
      try await ada.wait(for: ["ada"])
    }
  }

  @Test func `a rule of writes may compare properties in every way`() async throws {
    try await ErrandDevice.serving {
      rule(Errand.self)
      write(Errand.self) { user in
        Errand.owner.startsWith(user.id) && Errand.priority.isBetween(1, and: 5)
      }
    } _: { _, server in
      let ada = try ErrandDevice("ada", server)
      #expect(try await ada.isAccepted(Errand(owner: "ada lovelace", priority: 5)))
      #expect(try await !ada.isAccepted(Errand(owner: "ada lovelace", priority: 6)))
      #expect(try await !ada.isAccepted(Errand(owner: "bob", priority: 3)))
    }
  }

  @Test func `a rule of writes sees the object before and after the change`() async throws {
    try await ErrandDevice.serving {
      rule(Errand.self)
      write(Errand.self) { user, errand in errand.owner == user.id && errand.priority < 3 }
      write(Errand.self) { user, errand in
        errand.isDone ? Errand.owner == "nobody" : Errand.members.contains(user.id)
      }
    } _: { _, server in
      let ada = try ErrandDevice("ada", server)
      let own = Errand(owner: "ada")
      #expect(try await ada.isAccepted(own))
      own.priority = 3
      #expect(try await !ada.isAccepted(own))
      own.priority = 2
      #expect(try await ada.isAccepted(own))
      // A member may write what is not done, and may not make it done.
      let shared = Errand(owner: "bob", members: ["ada", "bob"])
      #expect(try await ada.isAccepted(shared))
      shared.isDone = true
      #expect(try await !ada.isAccepted(shared))
      shared.isDone = false
      // Nor leave the members.
      shared.members = ["bob"]
      #expect(try await !ada.isAccepted(shared))
    }
  }

  @Test func `a rule of writes that no user's condition fits is told at the server's start`()
    async throws
  {
    let configuration = TestServer.configuration(in: "rules \(UUID().uuidString)")
    let cluster = try await Cluster(configuration: configuration)
    let server = SyncServer(
      cluster: cluster,
      listen: .init(port: 0),
      authenticate: .none,
      report: { Issue.record("\($0)") },
      rules: { rule(Errand.self) { _ in Errand.members.contains("Ada", caseSensitive: false) } }
    )
    let error = await #expect(throws: SyncServerError.self) { try await server.start() }
    #expect(error?.description.contains("ignores case") == true)
    await cluster.close()
  }
}
