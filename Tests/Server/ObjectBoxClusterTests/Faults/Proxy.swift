import Foundation
import ObjectBox

/// A proxy between clients and a server, which cuts connections where a test wants it.
final class Proxy: Sendable {
  /// The moment to cut a connection.
  enum Cut: Sendable {
    /// After a number of bytes from the client to the server.
    case afterRequestBytes(Int)
    /// When the server's next answer arrives, which the client does not get.
    case beforeAnswer
    /// Before the client's next bytes, which the server does not get.
    case beforeRequest
  }

  private struct State {
    var cut: Cut?
    var isOpen = true
    var sockets: [Int32] = []
    var refusedCount = 0
  }

  let port: UInt16
  private let listener: Int32
  private let server: String
  private let state = Guarded(State())

  /// Listens on a free port of this machine.
  ///
  /// - Parameter server: The path of the server's socket.
  /// - Throws: `POSIXError` when no port is free.
  init(to server: String) throws {
    self.server = server
    let socket = try ListeningSocket(backlog: 64)
    (listener, port) = (socket.descriptor, socket.port)
    Thread.detachNewThread { [self] in accept() }
  }

  /// Cuts the connection at the next opportunity.
  func cut(_ cut: Cut) { state.withLock { $0.cut = cut } }

  /// Cuts all connections, and refuses new ones until it is opened again.
  func close() {
    let sockets = state.withLock { state in
      state.isOpen = false
      defer { state.sockets = [] }
      return state.sockets
    }
    for one in sockets { shutdown(one, Int32(SHUT_RDWR)) }
  }

  func open() { state.withLock { $0.isOpen = true } }

  /// Number of connections refused while closed.
  var refusedCount: Int { state.withLock { $0.refusedCount } }

  private func accept() {
    while true {
      let client = Foundation.accept(listener, nil, nil)
      guard client >= 0 else { return }
      guard state.withLock({ $0.isOpen }), let server = connect() else {
        _ = Foundation.close(client)
        state.withLock { $0.refusedCount += 1 }
        continue
      }
      state.withLock { $0.sockets += [client, server] }
      Thread.detachNewThread { [self] in pass(from: client, to: server, isRequest: true) }
      Thread.detachNewThread { [self] in pass(from: server, to: client, isRequest: false) }
    }
  }

  private func connect() -> Int32? {
    let descriptor = socket(AF_UNIX, ListeningSocket.stream, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: server.utf8) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    return isConnected ? descriptor : nil
  }

  /// Forwards bytes until the connection ends or is cut.
  ///
  /// The sockets stay open, so that no descriptor is reused.
  private func pass(from source: Int32, to target: Int32, isRequest: Bool) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let (allowed, isCut) = allowance(count, isRequest: isRequest)
      var sent = 0
      while sent < allowed {
        let step = buffer.withUnsafeBytes {
          send(target, $0.baseAddress.map { $0 + sent }, allowed - sent, noSignal)
        }
        guard step > 0 else { break }
        sent += step
      }
      if isCut || sent < allowed { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }

  /// Returns how many bytes may pass, and whether to cut the connection after them.
  private func allowance(_ count: Int, isRequest: Bool) -> (allowed: Int, isCut: Bool) {
    state.withLock { state in
      switch (state.cut, isRequest) {
      case (.afterRequestBytes(let left)?, true):
        state.cut = left <= count ? nil : .afterRequestBytes(left - count)
        return (min(count, left), left <= count)
      case (.beforeRequest?, true), (.beforeAnswer?, false):
        state.cut = nil
        return (0, true)
      default:
        return (count, false)
      }
    }
  }
}

#if canImport(Glibc)
  private let noSignal = Int32(MSG_NOSIGNAL)
#else
  private let noSignal: Int32 = 0
#endif

/// The parts of the server's address that tests need.
enum ServerPlace {
  /// The folder of the server's socket; nil for a server with another kind of address.
  static var socketFolder: String? {
    TestServer.address?.split(separator: "host=").dropFirst().first?.split(separator: "&").first
      .map(String.init)
  }

  static var socketPath: String? { socketFolder.map { $0 + "/.s.PGSQL.5432" } }

  /// The address through a proxy.
  static func address(by proxy: Proxy) -> String {
    "postgresql://postgres@127.0.0.1:\(proxy.port)/postgres?sslmode=disable&gssencmode=disable"
  }
}
