import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// The whole path: stores, clients, connections, servers and PostgreSQL.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct SyncClientTests {
  /// A store with the model of ``TestServerLog``, and its client.
  final class Device {
    let folder: TemporaryDirectory
    let store: Store
    let items: DynamicBox
    let codes: DynamicBox
    let client: any SyncClient

    init(
      _ ports: [Int],
      _ credentials: SyncCredentials = .makeNone(),
      hasTallies: Bool = false,
      _ change: (inout Store.Configuration) -> Void = { _ in }
    ) throws {
      folder = try TemporaryDirectory()
      let model = TestServerLog.model(syncsItems: true, syncsNotes: false, hasTallies: hasTallies)
      var configuration = Store.Configuration(directory: folder.path + "/store")
      change(&configuration)
      store = try Store(
        configuration: configuration,
        modelJSON: URL(fileURLWithPath: try folder.write(model, to: "model.json"))
      )
      items = try store.box(named: "Item")
      codes = try store.box(named: "Code")
      let urls = ports.map { "ws://127.0.0.1:\($0)" }
      let settings = Sync.Configuration(store: store, urls: urls)
      settings.credentials = [credentials]
      client = try Sync.makeClient(configuration: settings)
    }

    /// Waits until the server has decided everything that was written so far.
    func waitForDecisions() async {
      for await count in client.decisions where count == 0 { return }
    }

    /// Waits until a condition holds after one of the store's commits.
    func wait(until isDone: () throws -> Bool) async throws {
      let commits = try SyncedStore(store)
      if try isDone() { return }
      for await _ in commits.changes {
        if try isDone() { return }
      }
    }
  }

  @Test func `an object that is put on one device reaches another device and its observers`()
    async throws
  {
    let test = try await TestServerLog()
    let (first, second) = (try await test.serve(), try await test.serve())
    let (a, b) = (try Device([first.port]), try Device([second.port]))
    try a.client.start()
    try b.client.start()
    let id = try a.items.put(["owner": 3, "title": "milk"])
    try await b.wait { try b.items.contains(id) }
    #expect(try b.items.get(id)?["title"] as? String == "milk")
    #expect(try await test.sql(#"SELECT owner::text, title FROM @"Item""#) == [["3", "milk"]])
    _ = try b.items.put(["id": id, "owner": 4, "title": "bread"])
    try await a.wait { try a.items.get(id)?["title"] as? String == "bread" }
    try a.items.remove(id)
    try await b.wait { try b.items.count() == 0 }
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["0"]])
    await first.stop()
    await second.stop()
  }

  @Test func `a rejection that no one asks for is a failure that the store tells`() async throws {
    let test = try await TestServerLog()
    let running = try await test.serve([SyncRule(access: .see, entity: "Item") { _ in nil }])
    let (told, failures) = AsyncStream.makeStream(of: String.self)
    let a = try Device([running.port]) { $0.onUnheardFailure = { failures.yield("\($0)") } }
    try a.client.start()
    try a.items.put(["owner": 3])
    var iterator = told.makeAsyncIterator()
    let text = await iterator.next() ?? ""
    #expect(text.contains("a transaction of 'Item' in the store at"), "\(text)")
    #expect(text.contains("was rejected by the server, and undone"), "\(text)")
    #expect(text.contains("permission"), "\(text)")
    // Who asks once asks again.
    #expect(try a.client.rejections().count == 1)
    try a.items.put(["owner": 4])
    await a.waitForDecisions()
    #expect(try a.client.rejections().count == 2)
    failures.finish()
    #expect(await iterator.next() == nil)
    await running.stop()
  }

  @Test
  func `a change in the first second of a server reaches a device that has everything already`()
    async throws
  {
    let test = try await TestServerLog()
    let running = try await test.serve()
    let a = try Device([running.port])
    let log = EventLog()
    a.client.listener = log
    try a.client.start()
    for await event in log.events where event == "completed" { break }
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 5)"#)
    try await a.wait { try a.items.contains(1) }
    await running.stop()
  }

  @Test func `what is written without a server arrives when there is one`() async throws {
    let test = try await TestServerLog()
    let probe = try await test.serve()
    let port = probe.port
    await probe.stop()
    let a = try Device([port])
    try a.client.start()
    for number in 1...50 { try a.items.put(["owner": number]) }
    #expect(try a.client.waitingCount() == 50)
    let later = try await test.serve(port: port)
    await a.waitForDecisions()
    #expect(try await test.sql(#"SELECT count(*)::text FROM @"Item""#) == [["50"]])
    #expect(try a.client.rejections().isEmpty)
    await later.stop()
  }

  @Test func `the client tells its states, and its listeners, what happens`() async throws {
    let test = try await TestServerLog()
    let running = try await test.serve()
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 5)"#)
    let a = try Device([running.port])
    let log = EventLog()
    a.client.listener = log
    #expect(a.client.getState() == .created)
    var states = a.client.states.makeAsyncIterator()
    try a.client.start()
    for state in [SyncState.created, .started, .connected] {
      #expect(await states.next() == state)
    }
    var state = await states.next()
    // A connection that ends early is made again; see below.
    while let found = state, found != .loggedIn { state = await states.next() }
    #expect(state == .loggedIn)
    var events = log.events.makeAsyncIterator()
    var told: [String] = []
    while told.last != "completed", let event = await events.next() {
      // On a busy machine a connection can end early; the next one tells everything again.
      if event == "disconnected" { told = [] } else { told.append(event) }
    }
    #expect(told == ["connected", "logged in", "changed 1: [1] []", "completed"])
    try a.client.stop()
    #expect(await events.next() == "disconnected")
    #expect(a.client.getState() == .stopped)
    try a.client.start()
    #expect(await events.next() == "connected")
    a.client.close()
    #expect(a.client.isClosed())
    #expect(throws: ObjectBoxError.self) { try a.client.start() }
    await running.stop()
  }

  @available(*, deprecated, message: "Tests what is deprecated.")
  @Test func `each way to make a client leads to a login at the port of ObjectBox's examples`()
    async throws
  {
    let test = try await TestServerLog()
    let running = try await test.serve(
      port: 9999,
      authenticate: .sharedSecret("a secret of 20 bytes")
    )
    let address = "ws://127.0.0.1:9999"
    let url = try #require(URL(string: address))
    let secret = SyncCredentials.makeSharedSecret("a secret of 20 bytes")
    let ways: [(Store) throws -> any SyncClient] = [
      { store in
        let configuration = Sync.Configuration(store: store, url: address)
        configuration.credentials = [secret]
        return try Sync.makeClient(configuration: configuration)
      },
      { try Sync.makeClient(store: $0, urlString: address, credentials: secret) },
      { try Sync.makeClient(store: $0, url: url, credentials: secret) },
      { try Sync.makeClient(store: $0, url: url, credentials: [.makeNone(), secret]) },
      {
        let client = try Sync.makeClient(store: $0, urlString: address)
        try client.setCredentials(secret)
        return client
      },
    ]
    let device = try Device([9])
    for make in ways {
      device.store.syncClient?.close()
      let client = try make(device.store)
      let log = EventLog()
      client.loginListener = log
      try client.start()
      var events = log.events.makeAsyncIterator()
      #expect(await events.next() == "logged in")
    }
    await running.stop()
  }

  @Test func `refused credentials are told, and others are used at once`() async throws {
    let test = try await TestServerLog()
    let running = try await test.serve(authenticate: .sharedSecret("a secret of 20 bytes"))
    let a = try Device([running.port], .makeSharedSecret("wrong"))
    let log = EventLog()
    a.client.loginListener = log
    try a.client.start()
    var events = log.events.makeAsyncIterator()
    #expect(await events.next() == "login failed: credentialsRejected")
    try a.client.setCredentials(.makeSharedSecret("a secret of 20 bytes"))
    #expect(await events.next() == "logged in")
    await running.stop()
  }

  @Test func `a rejected write is undone, told, and can be discarded`() async throws {
    let test = try await TestServerLog()
    let readOnly = [SyncRule(access: .see, entity: "Item") { _ in nil }]
    let running = try await test.serve(readOnly)
    let a = try Device([running.port])
    try a.client.start()
    try a.items.put(["owner": 1])
    await a.waitForDecisions()
    #expect(try a.items.count() == 0)
    let rejection = try #require(try a.client.rejections().first)
    #expect(rejection.isWhole)
    #expect(rejection.parts.map(\.entity) == ["Item"])
    #expect(rejection.parts.map(\.reason) == [.permission])
    try a.client.discard(rejection)
    #expect(try a.client.rejections().isEmpty)
    await running.stop()
  }

  @Test func `a rejected write that is submitted again arrives`() async throws {
    let test = try await TestServerLog()
    let readOnly = [SyncRule(access: .see, entity: "Item") { _ in nil }]
    let strict = try await test.serve(readOnly)
    let port = strict.port
    let a = try Device([port])
    try a.client.start()
    try a.items.put(["owner": 7])
    await a.waitForDecisions()
    await strict.stop()
    let mild = try await test.serve(port: port)
    let rejection = try #require(try a.client.rejections().first)
    try a.client.resubmit(rejection)
    await a.waitForDecisions()
    #expect(try a.client.rejections().isEmpty)
    #expect(try await test.sql(#"SELECT owner::text FROM @"Item""#) == [["7"]])
    await mild.stop()
  }

  @Test func `a store has one client, which closes with it`() async throws {
    let a = try Device([9])
    let configuration = Sync.Configuration(store: a.store, url: "ws://127.0.0.1:9")
    #expect(a.store.syncClient === a.client)
    let error = #expect(throws: ObjectBoxError.self) {
      try Sync.makeClient(configuration: configuration)
    }
    #expect(kind(of: error) == "sync")
    a.client.close()
    #expect(a.store.syncClient == nil)
    let next = try Sync.makeClient(configuration: configuration)
    #expect(a.store.syncClient === next)
    var states = next.states.makeAsyncIterator()
    #expect(await states.next() == .created)
    a.store.close()
    #expect(await states.next() == .dead)
  }

  /// Returns the name of an error's case.
  private func kind(of error: ObjectBoxError?) -> String? {
    error.flatMap { Mirror(reflecting: $0).children.first?.label }
  }

  @Test func `addresses that no server can have are refused`() throws {
    let a = try Device([9])
    a.client.close()
    for urls in [[], ["http://127.0.0.1"], [""], ["ws://127.0.0.1:9", "no address"]] {
      let error = #expect(throws: ObjectBoxError.self) {
        try Sync.makeClient(configuration: .init(store: a.store, urls: urls))
      }
      #expect(kind(of: error) == "sync")
    }
  }

  @Test func `two devices that write at once agree, through lost connections`() async throws {
    let test = try await TestServerLog()
    var running = try await test.serve()
    let port = running.port
    let devices = [try Device([port]), try Device([port])]
    for device in devices { try device.client.start() }
    for round in 0..<5 {
      for (index, device) in devices.enumerated() {
        for number in 0..<20 {
          let id = try device.items.put(["owner": number, "title": "\(index) \(round)"])
          if number % 3 == 0 { try device.items.put(["id": id, "owner": -number]) }
          if number % 5 == 0 { try device.items.remove(id) }
        }
      }
      await running.stop(within: .zero)
      running = try await test.serve(port: port)
    }
    for device in devices { await device.waitForDecisions() }
    let table = try await test.sql(
      #"SELECT id::text, owner::text, title FROM @"Item" AS i ORDER BY i.id"#
    )
    for device in devices {
      func content() throws -> [[String?]] {
        try device.items.all().map { (item: DynamicObject) -> [String?] in
          ["\(item.id.value)", item["owner"].map { "\($0)" }, item["title"] as? String]
        }
      }
      if try content() != table { try await device.wait { try content() == table } }
      #expect(try device.client.rejections().isEmpty)
    }
    // Of 20 objects of a round, each device keeps 16.
    #expect(table.count == 160)
    await running.stop()
  }
}

/// Writes down what a client tells.
private final class EventLog: SyncListener, Sendable {
  let events: AsyncStream<String>
  private let log: AsyncStream<String>.Continuation

  init() { (events, log) = AsyncStream.makeStream() }

  func loggedIn() { log.yield("logged in") }
  func loginFailed(result: SyncCode) {
    // On a busy machine a login can take longer than the client waits; it is repeated.
    if result != .unknown { log.yield("login failed: \(result)") }
  }
  func updatesCompleted() { log.yield("completed") }
  func connected() { log.yield("connected") }
  func disconnected() { log.yield("disconnected") }
  func changed(_ changes: [obx_schema_id: SyncChange]) {
    for (entity, change) in changes.sorted(by: { $0.key < $1.key }) {
      log.yield("changed \(entity): \(change.puts) \(change.removals)")
    }
  }
}
