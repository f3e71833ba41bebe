import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSync
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxSyncServer

/// The store of a user with errands, and its client.
struct ErrandDevice {
  let folder: TemporaryDirectory
  let store: Store
  let errands: Box<Errand>
  let client: any SyncClient

  init(
    _ user: String,
    _ server: RunningSyncServer,
    starts: Bool = true,
    configure: (Sync.Configuration) -> Void = { _ in }
  ) throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    errands = store.box()
    let configuration = Sync.Configuration(store: store, url: "ws://127.0.0.1:\(server.port)")
    configuration.credentials = [.makeUsernamePassword(user, "")]
    configure(configuration)
    client = try Sync.makeClient(configuration: configuration)
    if starts { try client.start() }
  }

  /// Waits until the server has decided what was written so far.
  func waitForDecisions() async {
    for await count in client.decisions where count == 0 { return }
  }

  /// Waits until a condition holds after one of the store's commits.
  func wait(until isDone: () throws -> Bool) async throws {
    let commits = try SyncedStore(store)
    if try isDone() { return }
    for await _ in commits.changes { if try isDone() { return } }
  }

  /// Waits until the store has objects with these owners.
  func wait(for owners: [String]) async throws {
    try await wait { try errands.all().map(\.owner).sorted() == owners }
  }

  /// Puts an object, waits for the decision, and returns whether it was accepted.
  func isAccepted(_ errand: Errand) async throws -> Bool {
    let before = try client.rejections().count
    try errands.put(errand)
    await waitForDecisions()
    return try client.rejections().count == before
  }

  /// Serves the rules in a new schema, and passes the cluster and the server to a body.
  static func serving(
    @SyncRulesBuilder _ rules: () -> [SyncRule],
    _ body: (Cluster, RunningSyncServer) async throws -> Void
  ) async throws {
    let configuration = TestServer.configuration(in: "rules \(UUID().uuidString)")
    let cluster = try await Cluster(configuration: configuration)
    let rules = rules()
    let server = try await SyncServer(
      cluster: cluster,
      listen: .init(port: 0),
      authenticate: .password { name, _ in SyncUser(id: name) },
      limits: .ofTests,
      report: { Issue.record("\($0)") },
      rules: { for rule in rules { rule } }
    ).start()
    try await body(cluster, server)
    await server.stop()
    await cluster.close()
  }
}
