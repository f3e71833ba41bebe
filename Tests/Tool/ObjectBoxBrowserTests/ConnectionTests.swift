#if OBJECTBOX_HTTP
  import Foundation
  import ObjectBox
  import ObjectBoxTestSupport
  import Testing

  /// The port and the connections of a running server.
  struct ConnectionTests {
    /// A running `objectbox browse`.
    private final class Server {
      let port: UInt16
      let token: String
      private let process = Process()

      init(_ folder: TemporaryDirectory) throws {
        process.executableURL = try BuiltProgram.url("objectbox")
        process.arguments = ["browse", "notes"]
        process.currentDirectoryURL = folder.url
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var told = ""
        while !told.contains("\n") {
          let data = pipe.fileHandleForReading.availableData
          if data.isEmpty { break }
          told += String(decoding: data, as: UTF8.self)
        }
        let match = try #require(told.firstMatch(of: /127\.0\.0\.1:([0-9]+)\/([0-9a-f]+)\//))
        port = try #require(UInt16(match.output.1))
        token = String(match.output.2)
      }

      deinit {
        // Foundation starts processes with blocked signals; only SIGKILL certainly ends them.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }

    /// A connection to the server.
    private final class Client {
      private let descriptor: Int32

      init(_ server: Server, sending text: String = "") throws {
        #if canImport(Glibc)
          descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
          descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // A server that does not answer must not block the tests.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        let status = withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        try #require(status == 0)
        _ = text.withCString { send(descriptor, $0, text.utf8.count, 0) }
      }

      deinit { _ = close(descriptor) }

      /// Whether the server has not closed the connection; without waiting for it.
      var isOpen: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) < 0
          && errno == EAGAIN
      }

      /// Returns the next bytes as text; empty when the server has closed the connection, nil after
      /// a time-out.
      func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 { return errno == ECONNRESET ? "" : nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
      }
    }

    private func request(_ path: String, _ server: Server) -> String {
      "GET /\(server.token)/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
    }

    @Test func `a store has its port again, unless another program uses it`() throws {
      let store = try BrowsedStore()
      store.store.close()
      func port() throws -> UInt16 { try Server(store.folder).port }
      let usual = try port()
      #expect(20_000..<30_000 ~= usual)
      #expect(try port() == usual)
      let running = try Server(store.folder)
      #expect(running.port == usual)
      #expect(try port() != usual)
    }

    @Test(
      arguments: [
        "", "GET /", "GET / HTTP/1.1\r\nHost: a\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf",
      ]
    )
    func `however many idle connections there are, the oldest give way`(_ beginning: String) throws
    {
      let store = try BrowsedStore()
      store.store.close()
      let server = try Server(store.folder)
      let feed = try Client(server, sending: request("api/events", server))
      #expect(feed.next()?.hasPrefix("HTTP/1.1 200") == true)
      // Fewer than the server's 256 connections: the closed ones end on their own threads, later on a
      // busy machine.
      let idle = try (0..<200).map { _ in try Client(server, sending: beginning) }
      let asking = try Client(server, sending: request("api/schema", server))
      #expect(asking.next()?.hasPrefix("HTTP/1.1 200") == true)
      // Of these and the one that asks, 64 stay.
      for (index, client) in idle.enumerated() {
        if index < 137 { #expect(client.next() == "") } else { #expect(client.isOpen, "\(index)") }
      }
      // A page that waits for events has made a request.
      #expect(feed.next()?.isEmpty == false)
    }
  }
#endif
