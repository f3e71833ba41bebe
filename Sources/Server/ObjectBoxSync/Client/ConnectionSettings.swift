internal import Foundation
internal import ObjectBox
internal import ObjectBoxSyncConnection
internal import ObjectBoxWebSockets

/// The settings of a client's connections, from its configuration.
struct ConnectionSettings: Sendable {
  let urls: [String]
  let sockets: WebSocketClient.Configuration
  let headers: [(name: String, value: String)]

  /// Reads a configuration.
  ///
  /// - Throws: ``ObjectBoxError/sync(message:)`` for settings with which no connection can be opened.
  init(_ configuration: Sync.Configuration) throws {
    urls = configuration.urls
    for url in urls {
      guard ["ws", "wss"].contains(URL(string: url)?.scheme?.lowercased()) else {
        throw ObjectBoxError.sync(
          message:
            "'\(url)' is not the address of a sync server; use 'ws://HOST:PORT' or 'wss://HOST:PORT'"
        )
      }
    }
    guard !urls.isEmpty else {
      throw ObjectBoxError.sync(
        message:
          "a sync client needs the address of a server; give 'Sync.Configuration' a URL, such as 'wss://HOST:PORT'"
      )
    }
    headers = configuration.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    do { try WebSocketClient.check(headers) } catch {
      throw ObjectBoxError.sync(message: error.description)
    }
    var sockets = WebSocketClient.Configuration()
    sockets.subprotocol = SyncConnection.subprotocol
    sockets.additionalAuthorities = configuration.certificatePaths
    sockets.pins = try configuration.certificatePins.map(Self.pin)
    sockets.proxy = try configuration.proxy.map(Self.proxy)
    sockets.limits.messageSize = SyncConnection.frameSize
    self.sockets = sockets
  }

  private static func pin(_ text: String) throws -> [UInt8] {
    guard let bytes = Data(base64Encoded: text), bytes.count == 32 else {
      throw ObjectBoxError.sync(
        message:
          "'\(text)' is no pin of a certificate's public key; a pin is the SHA-256 of its SubjectPublicKeyInfo in Base64"
      )
    }
    return Array(bytes)
  }

  private static func proxy(_ text: String) throws -> WebSocketProxy {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      port > 0, case let host = text[..<colon], !host.isEmpty,
      !host.contains(where: { "/@: ".contains($0) })
    else {
      throw ObjectBoxError.sync(
        message: "'\(text)' is no HTTP proxy; write 'HOST:PORT', such as 'proxy.example.org:3128'"
      )
    }
    return WebSocketProxy(host: String(host), port: port)
  }
}
