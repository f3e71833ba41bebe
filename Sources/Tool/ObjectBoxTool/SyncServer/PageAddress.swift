internal import Foundation
internal import ObjectBoxCommandLine

/// The place where `sync-server` serves its page.
package struct PageAddress: Equatable, Sendable {
  /// The numeric network address.
  package let host: String
  /// The port; 0 for any free port.
  package let port: UInt16

  /// Reads `PORT`, `HOST:PORT` or `[HOST]:PORT`.
  ///
  /// - Throws: ``UsageFault`` for another text.
  package init(_ text: String) throws {
    let colon = text.lastIndex(of: ":")
    let port = colon.map { text[text.index(after: $0)...] } ?? text[...]
    var host = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard let port = UInt16(port), Self.isNumeric(host) else {
      throw UsageFault(
        text:
          "'\(text)' is no value of option '--page'; use a port, or a numeric address and a port, such as 0.0.0.0:9090"
      )
    }
    self.host = host
    self.port = port
  }

  /// True if only programs of this machine reach the page.
  var isLocal: Bool { host == "::1" || host.hasPrefix("127.") }

  /// The host as addresses of pages have it.
  private var shownHost: String { host.contains(":") ? "[\(host)]" : host }

  /// The address of the page.
  ///
  /// - Parameter port: The port that the server listens on.
  /// - Returns: The address.
  func url(port: UInt16) -> String { "http://\(shownHost):\(port)/" }

  /// Returns the guard that rejects foreign requests.
  ///
  /// A page on the loopback interface answers to its names only, so that no other site gets it under
  /// a name of its own. On other interfaces a server may have any name.
  ///
  /// - Parameter port: The port that the server listens on.
  /// - Returns: The guard.
  package func guardian(port: UInt16) -> RequestGuard {
    RequestGuard(hosts: isLocal ? [shownHost, "127.0.0.1", "localhost"] : nil, port: port)
  }

  static func isNumeric(_ host: String) -> Bool {
    var bytes = in6_addr()
    return inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
  }
}
