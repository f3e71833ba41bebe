import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import Testing

/// Clients, connections and a server in memory.
@Suite(.enabled(if: hasWebSockets, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct SyncClientConnectionTests {
  private func client(
    _ device: TestDevice,
    _ ports: [Int],
    _ credentials: SyncCredentials = .makeNone()
  ) throws -> any SyncClient {
    let urls = ports.map { "ws://127.0.0.1:\($0)" }
    let configuration = Sync.Configuration(store: device.store, urls: urls)
    configuration.credentials = [credentials]
    return try Sync.makeClient(configuration: configuration)
  }

  /// Waits until a device has the server's decisions about its first transactions.
  ///
  /// A delta with decisions alone changes no object, so no observer hears of it.
  private func decided(_ count: UInt64, _ device: TestDevice, _ server: MemoryServer) async throws {
    for await confirmed in server.confirmations where confirmed >= count { break }
    #expect(try device.synced.waitingCount == 0)
  }

  private func reached(_ state: SyncState, _ client: any SyncClient) async {
    for await next in client.states where next == state { return }
    Issue.record("the client was closed before it was \(state)")
  }

  @Test func `a write reaches another device`() async throws {
    let server = try MemoryServer()
    let port = try await server.start()
    let (a, b) = (try TestDevice(), try TestDevice())
    let clients = [try client(a, [port]), try client(b, [port])]
    for client in clients { try client.start() }
    let id = try a.notes.put(["title": "Milk"])
    for await _ in b.synced.changes where try b.notes.contains(id) { break }
    #expect(try b.notes.get(id)?["title"] as? String == "Milk")
    for client in clients { client.close() }
    await server.stop()
  }

  @Test func `an upload whose answer was lost is sent again, and applied once`() async throws {
    let server = try MemoryServer()
    try await server.setFault(.noAnswer)
    let port = try await server.start()
    let device = try TestDevice()
    try device.notes.put(["title": "Milk"])
    let client = try client(device, [port])
    try client.start()
    var uploads = server.uploads.makeAsyncIterator()
    #expect(await uploads.next() == [1])
    try await server.setFault(nil)
    #expect(await uploads.next() == [1])
    try await decided(1, device, server)
    #expect(await server.rowCount == 1)
    #expect(try device.notes.count() == 1)
    client.close()
    await server.stop()
  }

  @Test func `uploads do not wait for the answers of earlier ones`() async throws {
    let server = try MemoryServer()
    try await server.setFault(.delay)
    let port = try await server.start()
    let device = try TestDevice()
    let client = try client(device, [port])
    try client.start()
    var uploads = server.uploads.makeAsyncIterator()
    for sequence in 1...4 as ClosedRange<UInt64> {
      try device.notes.put(["rank": Int(sequence)])
      #expect(await uploads.next() == [sequence])
    }
    // The window is full.
    for rank in 5...7 { try device.notes.put(["rank": rank]) }
    try await server.setFault(nil)
    try await decided(7, device, server)
    #expect(await server.rowCount == 7)
    client.close()
    await server.stop()
  }

  @Test func `the next part of a first fill is asked for while the store takes the last one`()
    async throws
  {
    let server = try MemoryServer()
    let port = try await server.start()
    let (one, two) = (try TestDevice(), try TestDevice())
    let clients = [try client(one, [port]), try client(two, [port])]
    for rank in 1...9 { try one.notes.put(["rank": rank]) }
    try clients[0].start()
    try await decided(9, one, server)
    clients[0].close()
    await server.setChunk(2)
    // The first login of a store notes what the server shares.
    try two.synced.begin(try two.synced.hello().model)
    // The store takes nothing as long as a transaction of the program is open.
    let (parts, asked) = AsyncStream.makeStream(of: Void.self)
    let store = two.store
    let (opened, opening) = AsyncStream.makeStream(of: Void.self)
    let release = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? store.runInTransaction {
        opening.yield()
        release.wait()
      }
    }
    for await _ in opened { break }
    let confirmations = server.confirmations
    let following = Task { for await _ in confirmations { asked.yield() } }
    try clients[1].start()
    // The first request, and the one that is sent ahead.
    var count = 0
    for await _ in parts {
      count += 1
      if count == 2 { break }
    }
    #expect(try two.notes.count() == 0)
    release.signal()
    for await _ in two.synced.changes where try two.notes.count() == 9 { break }
    #expect(try two.content() == one.content())
    following.cancel()
    clients[1].close()
    await server.stop()
  }

  @Test func `a reset in parts is one update, whose objects a listener hears of`() async throws {
    let server = try MemoryServer()
    let port = try await server.start()
    let (one, two) = (try TestDevice(), try TestDevice())
    let clients = [try client(one, [port]), try client(two, [port])]
    let ids = try one.notes.put((1...30).map { ["rank": $0] })
    for client in clients { try client.start() }
    for await _ in two.synced.changes where try two.notes.count() == 30 { break }
    try clients[1].stop()
    try one.notes.put(ids.map { ["id": $0.value, "rank": -1] })
    try await decided(2, one, server)
    clients[0].close()
    await server.loseCursors(partSize: 300)
    let log = ChangeLog()
    clients[1].changeListener = log
    try clients[1].start()
    var counts = log.counts.makeAsyncIterator()
    #expect(await counts.next() == 30)
    #expect(try two.content() == one.content())
    clients[1].close()
    await server.stop()
  }

  @Test func `uploads that the server has lost are sent again`() async throws {
    let server = try MemoryServer()
    let port = try await server.start()
    let device = try TestDevice()
    let client = try client(device, [port])
    try client.start()
    var uploads = server.uploads.makeAsyncIterator()
    try device.notes.put(["rank": 1])
    #expect(await uploads.next() == [1])
    try await decided(1, device, server)
    try await server.setFault(.loss)
    try device.notes.put(["rank": 2])
    #expect(await uploads.next() == [2])
    try await server.setFault(nil)
    try device.notes.put(["rank": 3])
    try await decided(3, device, server)
    #expect(await server.rowCount == 3)
    client.close()
    await server.stop()
  }

  @Test func `a comparison that begins anew five times ends the connection with an error`()
    async throws
  {
    let server = try MemoryServer()
    let port = try await server.start()
    let device = try TestDevice()
    let first = try client(device, [port])
    try device.notes.put(["rank": 1])
    try first.start()
    try await decided(1, device, server)
    first.close()
    await server.beginHistory()
    try await server.setFault(.forgetfulness)
    let client = try client(device, [port])
    try client.start()
    await reached(.disconnected, client)
    guard case .illegalState(let message) = client.lastError as? ObjectBoxError else {
      Issue.record("the client has the error \(String(describing: client.lastError))")
      return
    }
    #expect(message.contains("began anew 5 times"))
    #expect(message.contains("limits.logMemory"))
    #expect(await server.comparisonCount == 5)
    // The next connection compares again, and goes on with what waits.
    try device.notes.put(["rank": 2])
    try await server.setFault(nil)
    try await decided(2, device, server)
    #expect(try device.notes.count() == 2)
    client.close()
    await server.stop()
  }

  @Test func `a client tells that the server's database may have lost decided writes`() async throws
  {
    let server = try MemoryServer()
    let port = try await server.start()
    let device = try TestDevice()
    let first = try client(device, [port])
    try device.notes.put(["rank": 1])
    try first.start()
    try await decided(1, device, server)
    #expect(first.lastError == nil)
    first.close()
    await server.beginHistory()
    let client = try client(device, [port])
    try client.start()
    try device.notes.put(["rank": 2])
    try await decided(2, device, server)
    guard case .illegalState(let message) = client.lastError as? ObjectBoxError else {
      Issue.record("the client has the error \(String(describing: client.lastError))")
      return
    }
    #expect(message.contains("writes of the store that it had decided may be missing"))
    client.close()
    await server.stop()
  }

  @Test func `a client goes on after its server was stopped and started again`() async throws {
    let server = try MemoryServer()
    let port = try await server.start()
    let device = try TestDevice()
    let client = try client(device, [port])
    try client.start()
    await reached(.loggedIn, client)
    await server.stop()
    try device.notes.put(["title": "Milk"])
    _ = try await server.start(port: port)
    try await decided(1, device, server)
    #expect(await server.rowCount == 1)
    client.close()
    await server.stop()
  }

  @Test func `a client takes another address when a server is not there`() async throws {
    let server = try MemoryServer()
    let gone = try MemoryServer()
    let unused = try await gone.start()
    let port = try await server.start()
    await gone.stop()
    let client = try client(try TestDevice(), [unused, port])
    try client.start()
    await reached(.loggedIn, client)
    client.close()
    await server.stop()
  }

  @Test func `a client that finds no server is disconnected, and has the error`() async throws {
    let gone = try MemoryServer()
    let port = try await gone.start()
    await gone.stop()
    let client = try client(try TestDevice(), [port])
    try client.start()
    await reached(.disconnected, client)
    #expect(client.lastError != nil)
    #expect(client.lastRefusal == nil)
    client.close()
  }

  @Test func `writes are uploaded after each stop and start`() async throws {
    let server = try MemoryServer()
    let port = try await server.start()
    let device = try TestDevice()
    let client = try client(device, [port])
    let log = ConnectionLog()
    client.connectionListener = log
    var events = log.events.makeAsyncIterator()
    for round in 1...10 {
      try client.start()
      #expect(await events.next() == "connected")
      await reached(.loggedIn, client)
      try client.stop()
      try client.start()
      #expect(await events.next() == "disconnected")
      #expect(await events.next() == "connected")
      await reached(.loggedIn, client)
      try device.notes.put(["rank": round])
      try await decided(UInt64(round), device, server)
      #expect(await server.rowCount == round)
      try client.stop()
      #expect(await events.next() == "disconnected")
    }
    client.close()
    await server.stop()
  }

  @Test func `refused credentials are sent once, until there are others`() async throws {
    let server = try MemoryServer(secret: Array("right".utf8))
    let port = try await server.start()
    let client = try client(try TestDevice(), [port], .makeNone())
    let log = LoginLog()
    client.loginListener = log
    // These are the ones that the first login sends.
    try client.setCredentials(.makeSharedSecret("wrong"))
    try client.start()
    var events = log.events.makeAsyncIterator()
    #expect(await events.next() == "login failed: credentialsRejected")
    #expect(client.lastRefusal == .credentialsRejected)
    try client.setCredentials(.makeSharedSecret("right"))
    #expect(await events.next() == "logged in")
    client.close()
    await server.stop()
  }

  @Test func `a rejection has all writes of its transaction`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    let old = try device.notes.put(["title": "old", "price": 2.5])
    let former = try device.notes.put(["title": "former"])
    try device.sync(with: server)
    server.readOnlyEntities = [SyncModel.note]
    var ids: [Id] = []
    try device.store.runInTransaction {
      try device.notes.remove(former)
      try device.notes.put(["id": old, "title": "new", "price": nil])
      ids.append(try device.tags.put(["name": "red"]))
      let values: [String: Any?] = [
        "title": "Milk", "rank": 3, "done": true, "words": ["a", "b"], "parent": old,
      ]
      ids.append(try device.notes.put(values))
      try device.notes.add([ids[0]], to: "tags", of: ids[1])
    }
    try device.sync(with: server)
    let rejections = try client(device, [9]).rejections()
    let writes = try #require(rejections.first).writes
    #expect(
      rejections.map(\.description) == [
        "the transaction was rejected: 'Note': the user may not write the object"
      ]
    )
    #expect(writes.map(\.kind) == [.remove, .update, .insert, .insert, .relate])
    #expect(writes.map(\.entity) == ["Note", "Note", "Note", "Tag", "Note"])
    #expect(writes.map(\.id) == [former, old, ids[1], ids[0], ids[1]])
    #expect(writes[0].properties.isEmpty)
    #expect(writes[1].properties == ["title", "price"])
    #expect(writes[1].values.count == 1)
    #expect(writes[1].values["title"] as? String == "new")
    let note = writes[2].values
    #expect(note["rank"] as? Int == 3)
    #expect(note["done"] as? Bool == true)
    #expect(note["words"] as? [String] == ["a", "b"])
    #expect(note["parent"] as? UInt64 == old.value)
    #expect(note["price"] == nil)
    #expect(writes[4].values["tags"] as? UInt64 == ids[0].value)
  }

  @Test func `a closed client ends the streams of its states`() async throws {
    let client = try client(try TestDevice(), [9])
    let states = client.states
    client.close()
    var seen: [SyncState] = []
    for await state in states { seen.append(state) }
    #expect(seen == [.created, .dead])
  }
}

private final class ConnectionLog: SyncConnectionListener, Sendable {
  let events: AsyncStream<String>
  private let log: AsyncStream<String>.Continuation

  init() { (events, log) = AsyncStream.makeStream() }

  func connected() { log.yield("connected") }
  func disconnected() { log.yield("disconnected") }
}

private final class ChangeLog: SyncChangeListener, Sendable {
  /// The number of put objects of each update.
  let counts: AsyncStream<Int>
  private let log: AsyncStream<Int>.Continuation

  init() { (counts, log) = AsyncStream.makeStream() }

  func changed(_ changes: [obx_schema_id: SyncChange]) {
    log.yield(changes.values.reduce(0) { $0 + $1.puts.count })
  }
}

private final class LoginLog: SyncLoginListener, Sendable {
  let events: AsyncStream<String>
  private let log: AsyncStream<String>.Continuation

  init() { (events, log) = AsyncStream.makeStream() }

  func loggedIn() { log.yield("logged in") }
  func loginFailed(result: SyncCode) { log.yield("login failed: \(result)") }
}
