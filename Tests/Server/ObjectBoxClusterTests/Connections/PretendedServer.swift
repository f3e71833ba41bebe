import Foundation

/// A server that speaks the beginning of PostgreSQL's protocol.
final class PretendedServer: Sendable {
  enum Answer: Sendable {
    case accepting(version: String)
    case refusing(state: String, String)
    case silent
  }

  let port: UInt16
  private let listener: Int32

  init(_ answer: Answer) throws {
    let socket = try ListeningSocket(backlog: 8)
    (listener, port) = (socket.descriptor, socket.port)
    let descriptor = listener
    Thread.detachNewThread {
      while case let client = accept(descriptor, nil, nil), client >= 0 {
        Self.serve(client, answer)
      }
      // Not by `deinit`: the thread may still serve a client, and would then accept those of the socket
      // that got the number next.
      close(descriptor)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(_ client: Int32, _ answer: Answer) {
    var request = [UInt8](repeating: 0, count: 4_096)
    _ = recv(client, &request, request.count, 0)
    var reply: [UInt8] = []
    switch answer {
    case .silent:
      // Stays open until the client closes.
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
