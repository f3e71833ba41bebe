import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import Testing

/// Updates that programs request, and those that come by themselves.
@Suite(.enabled(if: hasWebSockets, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct SyncClientRequestTests {
  /// A server with a device that writes, and one that requests.
  private struct Pair {
    let server: MemoryServer
    let writer: TestDevice
    let reader: TestDevice
    let writing: any SyncClient
    let client: any SyncClient
    /// The events of the reader's completed listener.
    let completions: ClientLog

    init(_ mode: RequestUpdatesMode) async throws {
      server = try MemoryServer()
      let port = try await server.start()
      (writer, reader) = (try TestDevice(), try TestDevice())
      (writing, client) = (try writer.client(port), try reader.client(port))
      completions = ClientLog()
      client.updateRequestMode = mode
      client.completedListener = completions
      try writing.start()
      try await put()
      try client.start()
      await client.reach(.loggedIn)
    }

    /// Puts an object, and waits until the server has it.
    func put() async throws {
      try writer.notes.put(["rank": 1])
      await writing.waitForDecisions()
    }

    func stop() async {
      writing.close()
      client.close()
      await server.stop()
    }
  }

  @Test func `a manual client takes updates only when the program requests them`() async throws {
    let pair = try await Pair(.manual)
    var completions = pair.completions.events.makeAsyncIterator()
    for count in 1...3 {
      #expect(try pair.reader.notes.count() == count - 1)
      #expect(try pair.client.requestUpdates())
      #expect(await completions.next() == "completed")
      #expect(try pair.reader.notes.count() == count)
      try await pair.put()
      // The writer's alone.
      #expect(await pair.server.requestCount <= 1)
    }
    await pair.stop()
  }

  @Test func `requested updates complete although nothing is new`() async throws {
    let pair = try await Pair(.auto)
    var completions = pair.completions.events.makeAsyncIterator()
    #expect(await completions.next() == "completed")
    for _ in 1...3 {
      #expect(try pair.client.requestUpdates())
      #expect(await completions.next() == "completed")
    }
    // The subscription stays.
    try await pair.put()
    for await _ in pair.reader.synced.changes where try pair.reader.notes.count() == 2 { break }
    await pair.stop()
  }

  @Test func `a client without pushes takes what there is at its login`() async throws {
    let pair = try await Pair(.autoNoPushes)
    var completions = pair.completions.events.makeAsyncIterator()
    #expect(await completions.next() == "completed")
    #expect(try pair.reader.notes.count() == 1)
    try await pair.put()
    #expect(try pair.reader.notes.count() == 1)
    try pair.client.stop()
    try pair.client.start()
    #expect(await completions.next() == "completed")
    #expect(try pair.reader.notes.count() == 2)
    await pair.stop()
  }

  @Test func `a cancelled subscription takes nothing until the next request`() async throws {
    let pair = try await Pair(.manual)
    var completions = pair.completions.events.makeAsyncIterator()
    #expect(try pair.client.requestUpdatesAndSubscribe())
    #expect(await completions.next() == "completed")
    try await pair.put()
    for await _ in pair.reader.synced.changes where try pair.reader.notes.count() == 2 { break }
    #expect(try pair.client.cancelUpdates())
    try await pair.put()
    try await pair.put()
    #expect(try pair.reader.notes.count() == 2)
    #expect(try pair.client.requestUpdates())
    #expect(await completions.next() == "completed")
    #expect(try pair.reader.notes.count() == 4)
    await pair.stop()
  }

  @Test func `another mode counts for the open connection`() async throws {
    let pair = try await Pair(.manual)
    pair.client.updateRequestMode = .auto
    for await _ in pair.reader.synced.changes where try pair.reader.notes.count() == 1 { break }
    try await pair.put()
    for await _ in pair.reader.synced.changes where try pair.reader.notes.count() == 2 { break }
    #expect(pair.client.updateRequestMode == .auto)
    await pair.stop()
  }

  @Test(arguments: [RequestUpdatesMode.auto, .manual])
  func `a full sync brings what the log does not tell`(mode: RequestUpdatesMode) async throws {
    let pair = try await Pair(mode)
    var completions = pair.completions.events.makeAsyncIterator()
    if mode == .manual { try pair.client.requestUpdates() }
    #expect(await completions.next() == "completed")
    #expect(try pair.reader.notes.count() == 1)
    await pair.server.loseRows()
    #expect(try pair.client.fullSync())
    #expect(await completions.next() == "completed")
    #expect(try pair.reader.notes.count() == 0)
    #expect(await pair.server.comparisonCount == 1)
    #expect(pair.client.lastError == nil)
    await pair.stop()
  }

  @Test func `a client that is not logged in sends no request`() throws {
    let client = try TestDevice().client(9)
    #expect(try !client.requestUpdates())
    #expect(try !client.requestUpdatesAndSubscribe())
    #expect(try !client.cancelUpdates())
    #expect(try !client.fullSync())
    #expect(try !client.sendHeartbeat())
    client.close()
    #expect(throws: ObjectBoxError.self) { try client.requestUpdates() }
    #expect(throws: ObjectBoxError.self) { try client.fullSync() }
  }
}
