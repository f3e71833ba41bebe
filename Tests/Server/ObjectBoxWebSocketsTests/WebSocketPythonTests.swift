import Foundation
import ObjectBoxWebSockets
import Testing

@Suite(
  .enabled(if: hasLibrary, "libwebsockets is missing"),
  .timeLimit(.minutes(15)),
  .enabled(
    if: Python.hasWebSockets,
    "the interpreter of OBJECTBOX_PYTHON, or the system's, has no package 'websockets'"
  )
)
struct WebSocketPythonTests {
  @Test func `Python's client exchanges messages and pieces with the server`() async throws {
    let echo = try await EchoServer()
    let python = try Python.start(
      """
      import asyncio, os, sys, websockets
      async def main():
        async with websockets.connect(sys.argv[1], max_size=None) as socket:
          for size in [0, 1, 125, 126, 65535, 65536, 5000000]:
            message = os.urandom(size)
            await socket.send(message)
            assert await socket.recv() == message, size
          await socket.send([b"a" * 70000, b"", b"b" * 3])
          assert await socket.recv() == b"a" * 70000 + b"bbb"
          await (await socket.ping())
        print("closed with", socket.close_code)
      asyncio.run(main())
      """,
      [echo.url]
    )
    #expect(try await python.finish() == "closed with 1000\n")
  }

  @Test func `Python's client is closed for text and for large messages`() async throws {
    let echo = try await EchoServer(.with { $0.messageSize = 1000 })
    let python = try Python.start(
      """
      import asyncio, sys, websockets
      async def main():
        for message in ["text", bytes(1001), bytes(3000000)]:
          async with websockets.connect(sys.argv[1]) as socket:
            await socket.send(message)
            try: await socket.recv()
            except websockets.ConnectionClosed: pass
            print(socket.close_code)
      asyncio.run(main())
      """,
      [echo.url]
    )
    #expect(try await python.finish() == "1003\n1009\n1009\n")
  }

  @Test func `Python's client is refused with a status and with a code`() async throws {
    let server = try await WebSocketServer.start(
      WebSocketServer.Configuration(),
      screen: { $0.path == "/sync" ? nil : WebSocketRefusal(status: 404, reason: "no such path") },
      admit: { request in
        guard request.header("Authorization") == "Bearer good" else {
          throw WebSocketRefusal(status: 401, reason: "unknown token")
        }
      },
      serve: { connection, _ in try await EchoServer.echo(connection) },
      report: { _, _ in }
    )
    let python = try Python.start(
      """
      import asyncio, sys, websockets
      async def main():
        try: await websockets.connect(sys.argv[1] + "other")
        except Exception as error: print(error)
        socket = await websockets.connect(sys.argv[1] + "sync")
        try: await socket.recv()
        except websockets.ConnectionClosed: print(socket.close_code, socket.close_reason)
        # Version 14 has other names.
        old = int(websockets.__version__.split(".")[0]) < 14
        headers = {"extra_headers" if old else "additional_headers": {"Authorization": "Bearer good"}}
        async with websockets.connect(sys.argv[1] + "sync", **headers) as socket:
          await socket.send(b"hello")
          print(await socket.recv())
      asyncio.run(main())
      """,
      [server.url]
    )
    let output = try await python.finish()
    #expect(
      output == """
        server rejected WebSocket connection: HTTP 404
        4401 unknown token
        b'hello'

        """
    )
  }

  @Test func `the client exchanges messages with Python's server`() async throws {
    let python = try Python.start(
      """
      import asyncio, websockets
      async def serve(socket):
        # Version 14 has other names.
        old = int(websockets.__version__.split(".")[0]) < 14
        headers = socket.request_headers if old else socket.request.headers
        assert headers["X-Device"] == "17"
        async for message in socket:
          if message == b"close": await socket.close(4009, "enough")
          elif message == b"pieces": await socket.send([b"a" * 70000, b"b" * 3])
          else: await socket.send(message)
      async def main():
        server = await websockets.serve(
          serve, "127.0.0.1", 0, max_size=None, subprotocols=["sync.1"], ping_interval=0.05
        )
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()
      asyncio.run(main())
      """,
      []
    )
    // The child inherits a mask that blocks the signal of `terminate`.
    defer { kill(python.program.processIdentifier, SIGKILL) }
    let output = python.output
    let line = String(decoding: output.availableData, as: UTF8.self)
    let port = try #require(Int(line.trimmingCharacters(in: .newlines)), "\(line)")
    var settings = WebSocketClient.Configuration()
    settings.subprotocol = "sync.1"
    let client = try await WebSocketClient.start(settings)
    let connection = try await client.connect(
      to: "ws://127.0.0.1:\(port)/",
      headers: [("X-Device", "17")]
    )
    #expect(connection.request.subprotocol == "sync.1")
    for size in [0, 1, 125, 126, 65_535, 65_536, 5_000_000] {
      try await connection.send(bytes(size))
      #expect(try await connection.receive() == bytes(size))
    }
    try await connection.send(Array("pieces".utf8))
    let pieces = Array(repeating: UInt8(ascii: "a"), count: 70_000) + Array("bbb".utf8)
    #expect(try await connection.receive() == pieces)
    try await connection.send(Array("close".utf8))
    #expect(try await connection.receive() == nil)
    let closure = try await connection.ended()
    #expect(closure.code == 4009)
    #expect(closure.reason == "enough")
    #expect(closure.isFromPeer)
  }
}
