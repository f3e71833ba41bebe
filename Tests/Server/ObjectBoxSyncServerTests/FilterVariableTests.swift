import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSync
import Testing

@testable import ObjectBoxSyncServer

/// Rules that read the filter variables of devices.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .serialized,
  .timeLimit(.minutes(15))
)
struct FilterVariableTests {
  /// Members see the errands of the owner that they name.
  private static var ofNamedOwners: [SyncRule] {
    [
      rule(Errand.self) { user in
        Errand.members.contains(user.id) && Errand.owner == user.variable("owner")
      },
      write(Errand.self) { user in Errand.members.contains(user.id) },
    ]
  }

  private func put(_ owner: String, _ members: [String], _ cluster: Cluster) async throws {
    try await cluster.box(for: Errand.self).put(Errand(owner: owner, members: members))
  }

  /// Counts connections.
  private final class Connections: SyncConnectionListener, Sendable {
    private let count = Guarded(0)
    var number: Int { count.withLock { $0 } }
    func connected() { count.withLock { $0 += 1 } }
    func disconnected() {}
  }

  @Test func `a variable narrows what a device gets, and can change without a new login`()
    async throws
  {
    try await ErrandDevice.serving({ for rule in Self.ofNamedOwners { rule } }) { cluster, server in
      try await put("north", ["ada"], cluster)
      try await put("south", ["ada", "bob"], cluster)
      try await put("south", ["bob"], cluster)
      let ada = try ErrandDevice("ada", server, starts: false) {
        $0.filterVariables["owner"] = "north"
      }
      let connections = Connections()
      ada.client.connectionListener = connections
      try ada.client.start()
      try await ada.wait(for: ["north"])
      try ada.client.putFilterVariable(name: "owner", value: "south")
      // Only what the rule allows without the variable: nothing of which bob alone is a member.
      try await ada.wait(for: ["south"])
      // Changes are followed by the new variable.
      try await put("north", ["ada"], cluster)
      try await put("south", ["ada"], cluster)
      try await ada.wait(for: ["south", "south"])
      try ada.client.removeFilterVariable("owner")
      try await ada.wait(for: [])
      try ada.client.putFilterVariable(name: "owner", value: "north")
      try await ada.wait(for: ["north", "north"])
      #expect(connections.number == 1)
    }
  }

  @Test func `a variable counts for the login after the one in which it was set`() async throws {
    try await ErrandDevice.serving({ for rule in Self.ofNamedOwners { rule } }) { cluster, server in
      try await put("north", ["ada"], cluster)
      try await put("south", ["ada"], cluster)
      let ada = try ErrandDevice("ada", server)
      try ada.client.putFilterVariable(name: "owner", value: "south")
      try await ada.wait(for: ["south"])
      try ada.client.stop()
      try ada.client.putFilterVariable(name: "owner", value: "north")
      try ada.client.start()
      try await ada.wait(for: ["north"])
    }
  }

  @Test func `a variable narrows what follows a relation`() async throws {
    let rules = [
      rule(ErrandList.self),
      rule(ListEntry.self) { user in
        ListEntry.list.link {
          ErrandList.members.contains(user.id) && ErrandList.title == user.variable("list")
        }
      },
    ]
    try await ErrandDevice.serving({ for rule in rules { rule } }) { cluster, server in
      for title in ["home", "work"] {
        let list = ErrandList(title, members: ["ada"])
        try await cluster.box(for: ErrandList.self).put(list)
        try await cluster.box(for: ListEntry.self).put(ListEntry("of \(title)", in: list))
      }
      let ada = try ErrandDevice("ada", server)
      for title in ["home", "work", "home"] {
        try ada.client.putFilterVariable(name: "list", value: title)
        try await ada.wait {
          let box: Box<ListEntry> = ada.store.box()
          return try box.all().map(\.text) == ["of \(title)"]
        }
      }
    }
  }

  @Test func `rules of writes get no variables`() async throws {
    let rules = [
      rule(Errand.self),
      write(Errand.self) { user in Errand.owner == user.variable("owner") },
    ]
    try await ErrandDevice.serving({ for rule in rules { rule } }) { cluster, server in
      let ada = try ErrandDevice("ada", server) { $0.filterVariables["owner"] = "ada" }
      #expect(try await !ada.isAccepted(Errand(owner: "ada")))
      #expect(try await ada.isAccepted(Errand(owner: "")))
    }
  }

  @Test func `a variable that is not set is empty`() {
    #expect(SyncUser(id: "ada").variable("owner").isEmpty)
  }
}
