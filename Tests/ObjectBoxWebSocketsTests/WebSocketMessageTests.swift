import ObjectBoxWebSockets
import Testing

@Suite struct WebSocketMessageTests {
  @Test(arguments: [0, 1, 125, 126, 4095, 4096, 4097, 65_535, 65_536, 65_537, 5_000_000])
  func `a message comes back whole`(size: Int) async throws {
    let echo = try await EchoServer()
    let connection = try await echo.connect()
    let message = bytes(size)
    try await connection.send(message)
    #expect(try await connection.receive() == message)
    connection.close()
    #expect(try await connection.receive() == nil)
  }
}
