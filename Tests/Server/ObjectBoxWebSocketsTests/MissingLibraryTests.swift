import ObjectBoxWebSockets
import Testing

@Suite(.enabled(if: !hasLibrary, "libwebsockets is there"))
struct MissingLibraryTests {
  @Test func `without the library, servers and clients say what to install`() async throws {
    let errors = [
      await #expect(throws: WebSocketError.self) {
        try await WebSocketServer.start(.init(), serve: EchoServer.echo)
      },
      await #expect(throws: WebSocketError.self) { try await WebSocketClient.start() },
    ]
    for error in errors {
      #expect(error?.description.contains("apt-get install libwebsockets-dev") == true)
    }
  }
}
