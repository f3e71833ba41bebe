import Foundation

/// A TCP socket without WebSockets, for peers that break the rules.
package final class RawSocket: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // A test that waits in vain fails, instead of hanging.
    var limit = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &limit,
      socklen_t(MemoryLayout<timeval>.size)
    )
  }

  deinit { Foundation.close(descriptor) }

  /// Connects to a port of this machine.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - source: The last number of the own address, 127.0.0.1; Linux has all of them.
  /// - Throws: ``RawSocketError``.
  package convenience init(port: Int, from source: UInt8 = 1) throws {
    self.init(socket(AF_INET, Self.stream, 0))
    if source != 1 { try Self.check(Self.withAddress(0, source) { bind(descriptor, $0, $1) }) }
    try Self.check(Self.withAddress(port) { connect(descriptor, $0, $1) })
  }

  /// Listens on a free port of this machine.
  package static func listening() throws -> RawSocket {
    let listener = RawSocket(socket(AF_INET, stream, 0))
    try check(withAddress(0) { bind(listener.descriptor, $0, $1) })
    try check(listen(listener.descriptor, 8))
    return listener
  }

  package var port: Int {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bytes in
        _ = getsockname(descriptor, bytes, &size)
      }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a connection.
  package func accept() async throws -> RawSocket {
    try await blocking { RawSocket(try Self.check(Foundation.accept(self.descriptor, nil, nil))) }
  }

  package func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
      }
      rest = rest.dropFirst(Int(try Self.check(Int32(count))))
    }
  }

  /// Tells the peer that nothing more is sent.
  package func endWriting() { Foundation.shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads until the peer closes, or until `enough` is true.
  package func read(
    atOnce size: Int = 65_536,
    until enough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
  ) async throws -> [UInt8] {
    try await blocking {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: size)
      while !enough(all) {
        let count = recv(self.descriptor, &buffer, buffer.count, 0)
        if count == 0 || (count < 0 && errno == ECONNRESET) { break }
        all += buffer.prefix(Int(try Self.check(Int32(count))))
      }
      return all
    }
  }

  /// Sends the handshake of a WebSocket client, with further headers, and reads the answer.
  package func upgrade(path: String = "/", headers: [String: String] = [:]) async throws {
    let more = headers.map { "\($0): \($1)\r\n" }.joined()
    let request = """
      GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\(more)\r\n
      """
    try write(Array(request.utf8))
    // By single bytes: frames may follow at once.
    let answer = try await read(atOnce: 1) { $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }
    guard String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 101") else {
      let rest = try await read()
      throw RawSocketError(reason: String(decoding: answer + rest, as: UTF8.self))
    }
  }

  /// A frame of a client, masked with zeros.
  package static func frame(opcode: UInt8, isLast: Bool = true, _ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count < 126)
    return [(isLast ? 0x80 : 0) | opcode, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
  }

  #if canImport(Glibc) || canImport(Musl)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #endif

  @discardableResult
  private static func check(_ result: Int32) throws -> Int32 {
    guard result >= 0 else { throw RawSocketError(reason: String(cString: strerror(errno))) }
    return result
  }

  private static func withAddress(
    _ port: Int,
    _ host: UInt8 = 1,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = (UInt32(0x7F00_0000) | UInt32(host)).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

package struct RawSocketError: Error {
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

/// Runs a function that blocks on a thread that tasks do not need.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
  -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}
