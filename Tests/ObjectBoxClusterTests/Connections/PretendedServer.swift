import Foundation

/// A server that speaks the beginning of PostgreSQL's protocol.
///
/// A class, since it owns a socket.
final class PretendedServer: Sendable {
  enum Answer: Sendable {
    case accepting(version: String)
    case refusing(state: String, String)
    case silent
  }

  let port: UInt16
  private let listener: Int32

  init(_ answer: Answer) throws {
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while case let client = accept(descriptor, nil, nil), client >= 0 {
        Self.serve(client, answer)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func serve(_ client: Int32, _ answer: Answer) {
    var request = [UInt8](repeating: 0, count: 4_096)
    _ = recv(client, &request, request.count, 0)
    var reply: [UInt8] = []
    switch answer {
    case .silent:
      // Kept open until the client goes.
      _ = recv(client, &request, request.count, 0)
    case .accepting(let version):
      reply += message("R", [0, 0, 0, 0])
      reply += message("S", Array("server_version\0\(version)\0".utf8))
      reply += message("Z", [UInt8(ascii: "I")])
    case .refusing(let state, let text):
      reply += message("E", Array("SFATAL\0VFATAL\0C\(state)\0M\(text)\0\0".utf8))
    }
    _ = send(client, reply, reply.count, 0)
    if case .accepting = answer { _ = recv(client, &request, request.count, 0) }
    close(client)
  }

  private static func message(_ type: Character, _ content: [UInt8]) -> [UInt8] {
    let length = UInt32(content.count + 4).bigEndian
    return [type.asciiValue ?? 0] + withUnsafeBytes(of: length) { Array($0) } + content
  }
}
