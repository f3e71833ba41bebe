internal import Foundation

extension ConnectAttempt {
  /// Reads the address of a server.
  ///
  /// - Throws: ``WebSocketError`` when the address or a header cannot be sent.
  init(_ url: String, _ headers: [(name: String, value: String)]) throws(WebSocketError) {
    let shown = Self.withoutSecrets(url)
    func refusal(_ reason: String) -> WebSocketError { .invalidAddress(shown, reason: reason) }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw refusal("it has characters other than printable ASCII")
    }
    let rest: Substring
    if url.lowercased().hasPrefix("wss://") {
      (usesTLS, rest) = (true, url.dropFirst(6))
    } else if url.lowercased().hasPrefix("ws://") {
      (usesTLS, rest) = (false, url.dropFirst(5))
    } else {
      throw refusal("it begins with neither 'ws://' nor 'wss://'")
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let target = rest.dropFirst(authority.count).prefix { $0 != "#" }
    path = target.hasPrefix("/") ? String(target) : "/" + target
    guard !authority.contains("@") else {
      throw refusal("it has a user; send credentials in a header")
    }
    let name: Substring
    let portText: Substring
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      name = authority[authority.index(after: authority.startIndex)..<end]
      portText = authority[authority.index(after: end)...]
      guard !usesTLS else {
        throw refusal("the library cannot compare an IPv6 address with a certificate; use a name")
      }
    } else {
      name = authority.prefix { $0 != ":" }
      portText = authority.dropFirst(name.count)
    }
    guard !name.isEmpty else { throw refusal("it has no host") }
    if portText.isEmpty {
      port = usesTLS ? 443 : 80
    } else if portText.hasPrefix(":"), let number = UInt16(portText.dropFirst()), number > 0 {
      port = Int(number)
    } else {
      throw refusal("'\(portText)' is no port, which is a number from 1 to 65535")
    }
    try Self.check(headers)
    self.url = shown
    self.host = String(name)
    self.headers = headers
    addresses = []
  }

  /// Throws ``WebSocketError/invalidHeader(name:reason:)`` for headers that cannot be sent.
  static func check(_ headers: [(name: String, value: String)]) throws(WebSocketError) {
    for header in headers {
      let isToken = header.name.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
      }
      guard isToken, !header.name.isEmpty else {
        throw .invalidHeader(name: header.name, reason: "that is no name of a header")
      }
      guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        let reason = "its value has control characters, such as the end of a line"
        throw .invalidHeader(name: header.name, reason: reason)
      }
    }
  }

  /// Returns an address without user, password and query, for errors.
  private static func withoutSecrets(_ url: String) -> String {
    let start = url.prefix { $0 != "?" && $0 != "#" }
    guard let end = start.lastIndex(of: "@") else { return String(start) }
    let scheme = start.range(of: "://").map { String(start[..<$0.upperBound]) } ?? ""
    return scheme + String(start[start.index(after: end)...])
  }
}
