import Foundation
import ObjectBox

/// A server between clients and a server, which cuts their connections where a test wants it.
///
/// A class, since it owns sockets and threads.
final class Proxy: Sendable {
  /// When a connection is cut.
  enum Cut: Sendable {
    /// After so many bytes of the client went to the server from now on.
    case afterRequestBytes(Int)
    /// When the server's next answer comes, which the client does not get.
    case beforeAnswer
    /// Before the next bytes of the client, which the server does not get.
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
  /// - Throws: When no port is free.
  init(to server: String) throws {
    self.server = server
    let socket = try ListeningSocket(backlog: 64)
    (listener, port) = (socket.descriptor, socket.port)
    Thread.detachNewThread { [self] in accept() }
  }

  /// Cuts the connection at the next opportunity.
  func cut(_ cut: Cut) { state.withLock { $0.cut = cut } }

  /// Cuts all connections, and refuses others until it is opened again.
  func close() {
    let sockets = state.withLock { state in
      state.isOpen = false
      defer { state.sockets = [] }
      return state.sockets
    }
    for one in sockets { shutdown(one, Int32(SHUT_RDWR)) }
  }

  func open() { state.withLock { $0.isOpen = true } }

  /// Number of connections that were refused while it was closed.
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

  /// Passes bytes on until the connection ends, or is cut.
  ///
  /// The sockets stay open, so that no number is used twice.
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

  /// Returns how many bytes may pass, and whether the connection is cut after them.
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

/// The parts of the server's address that tests change.
enum ServerPlace {
  /// The folder of the server's socket; nil for a server that has another address.
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
