import ObjectBoxWebSockets
import Testing

@Suite(.enabled(if: hasLibrary, "libwebsockets is missing"), .timeLimit(.minutes(15)))
struct WebSocketFlowConcurrencyTests {
  private static let limits = WebSocketLimits.with {
    $0.receiveBuffer = 100_000
    $0.sendBuffer = 100_000
    $0.postBuffer = 1_000_000
    $0.closeTime = .seconds(60)
  }
  /// More than the buffers of both sides and of the system.
  private static let count = 1000
  private static let size = 64_000
  private static let messages = (0..<8).map { bytes(size, seed: UInt8($0)) }

  private static func message(_ index: Int) -> [UInt8] { messages[index % messages.count] }

  @Test func `a sender waits for a consumer that does not take, and nothing is lost`() async throws
  {
    let gate = Gate()
    let greatest = AsyncStream<Int>.makeStream()
    let echo = try await EchoServer(Self.limits) { connection in
      defer { greatest.continuation.finish() }
      await gate.wait()
      var most = connection.unreadBytes
      var count = 0
      while let message = try await connection.receive() {
        most = max(most, connection.unreadBytes)
        #expect(message == Self.message(count))
        count += 1
      }
      #expect(count == Self.count)
      greatest.continuation.yield(most)
    }
    let connection = try await echo.connect()
    let sender = Task {
      var most = 0
      for index in 0..<Self.count {
        try await connection.send(Self.message(index))
        most = max(most, connection.waitingBytes)
      }
      connection.close()
      return most
    }
    // The network takes nothing any more once the number does not change for a while. The sender
    // goes on below half of the buffer.
    let clock = ContinuousClock()
    var changed = clock.now
    var last = 0
    while clock.now - changed < .milliseconds(500) {
      let waiting = connection.waitingBytes
      if waiting != last || waiting <= Self.limits.sendBuffer / 2 { changed = clock.now }
      last = waiting
      await Task.yield()
    }
    await gate.open()
    #expect(try await sender.value < Self.limits.sendBuffer + 2 * Self.size)
    var iterator = greatest.stream.makeAsyncIterator()
    let most = try #require(await iterator.next())
    #expect(most < Self.limits.receiveBuffer + 2 * Self.size)
  }

  @Test func `a posted message beyond the limit closes only its connection`() async throws {
    let gate = Gate()
    let closures = AsyncStream<WebSocketClosure>.makeStream()
    let echo = try await EchoServer(Self.limits) { connection in
      defer { closures.continuation.finish() }
      try await connection.send([0])
      await gate.wait()
      while try await connection.receive() != nil {}
      closures.continuation.yield(try await connection.ended())
    }
    let other = try await EchoServer(Self.limits)
    let client = echo.client
    let slow = try await client.connect(to: echo.url)
    let fast = try await client.connect(to: other.url)
    #expect(try await slow.receive() == [0])
    let error = #expect(throws: WebSocketError.self) {
      for index in 0..<1000 { try slow.post(Self.message(index)) }
    }
    guard case .tooSlow(_, let waiting, 1_000_000) = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
    #expect(waiting <= 1_000_000 + 2 * Self.size)
    await #expect(throws: WebSocketError.self) { try await slow.receive() }
    try await fast.send([1])
    #expect(try await fast.receive() == [1])
    await gate.open()
    var iterator = closures.stream.makeAsyncIterator()
    #expect(await iterator.next()?.code == 1008)
  }

  @Test func `a consumer that takes slowly gets every message`() async throws {
    let limits = WebSocketLimits.with { $0.receiveBuffer = 10_000 }
    let echo = try await EchoServer(limits) { connection in
      for index in 0..<3000 {
        #expect(try await connection.receive() == bytes(1000, seed: UInt8(index % 256)))
        if index % 7 == 0 { await Task.yield() }
      }
      try await connection.send([9])
    }
    let connection = try await echo.connect()
    for index in 0..<3000 {
      try await connection.send(bytes(1000, seed: UInt8(index % 256)))
    }
    #expect(try await connection.receive() == [9])
  }

  @Test func `both sides send at once`() async throws {
    let echo = try await EchoServer(Self.limits) { connection in
      async let sent: Void = {
        for index in 0..<200 { try await connection.send(Self.message(index)) }
      }()
      for index in 0..<200 {
        #expect(try await connection.receive() == Self.message(index))
      }
      try await sent
      #expect(try await connection.receive() == nil)
    }
    let connection = try await echo.connect()
    async let sent: Void = {
      for index in 0..<200 { try await connection.send(Self.message(index)) }
    }()
    for index in 0..<200 {
      #expect(try await connection.receive() == Self.message(index))
    }
    try await sent
    connection.close()
    #expect(try await connection.ended().code == 1000)
  }

  @Test func `several tasks send on one connection`() async throws {
    let echo = try await EchoServer(Self.limits)
    let connection = try await echo.connect()
    async let sent: Void = withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<50 {
            try await connection.send([UInt8(task), UInt8(index)] + bytes(10_000))
          }
        }
      }
      try await group.waitForAll()
    }
    var next = [UInt8](repeating: 0, count: 8)
    for _ in 0..<400 {
      let message = try #require(try await connection.receive())
      #expect(message[1] == next[Int(message[0])])
      next[Int(message[0])] += 1
    }
    try await sent
  }

  @Test func `many connections open and end at once`() async throws {
    let echo = try await EchoServer()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<50 {
        group.addTask {
          for _ in 0..<4 {
            let connection = try await echo.connect()
            try await connection.send(bytes(1000, seed: UInt8(index)))
            #expect(try await connection.receive() == bytes(1000, seed: UInt8(index)))
            if index % 2 == 0 {
              connection.close()
              try await connection.ended()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    await echo.server.stop(within: .seconds(20))
    #expect(echo.server.connectionCount == 0)
  }

  @Test func `a cancelled task stops receiving, and the connection stays`() async throws {
    let echo = try await EchoServer()
    let connection = try await echo.connect()
    let task = Task { try await connection.receive() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await connection.send([1])
    #expect(try await connection.receive() == [1])
  }

  @Test func `a cancelled task stops waiting to send`() async throws {
    let gate = Gate()
    let echo = try await EchoServer(Self.limits) { _ in await gate.wait() }
    let connection = try await echo.connect()
    let task = Task {
      while true { try await connection.send(Self.message(0)) }
    }
    while connection.waitingBytes <= Self.limits.sendBuffer / 2 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await gate.open()
  }

  @Test func `a server may end while clients connect`() async throws {
    let echo = try await EchoServer()
    let tasks = (0..<20).map { _ in
      Task {
        let connection = try await echo.connect()
        while try await connection.receive() != nil {}
      }
    }
    await echo.server.stop(within: .seconds(20))
    for task in tasks {
      // A connection was closed, or never made.
      do { try await task.value } catch { #expect(error is WebSocketError) }
    }
  }
}
