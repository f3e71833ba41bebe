internal import Foundation

/// Refuses requests that do not come from this process's page.
///
/// Every path of the browser begins with a random token that only the terminal shows, so other users' programs
/// and other sites' pages cannot guess it. The host must be a name of the loopback interface, which defeats DNS
/// rebinding, and the origin must be this server. The page of a sync server has no token, so that the address
/// of its metrics stays the same.
package struct RequestGuard: Sendable {
  private let token: String?
  /// The names of the server with its port; nil for any.
  private let hosts: Set<String>?

  /// - Parameters:
  ///   - token: The first part of all paths.
  ///   - port: The port of the server.
  package init(token: String, port: UInt16) {
    self.token = token
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
  }

  /// Makes a guard without a token.
  ///
  /// - Parameters:
  ///   - names: The names of the server; nil for any.
  ///   - port: The port of the server.
  package init(hosts names: [String]?, port: UInt16) {
    token = nil
    hosts = names.map { Set($0.map { "\($0):\(port)" }) }
  }

  /// Returns a host in lower case with its port; without a port it is 80.
  private static func whole(_ host: String) -> String {
    // An address of IPv6 has colons inside of its brackets.
    let end = host.lastIndex(of: "]") ?? host.startIndex
    return host[end...].utf8.contains(UInt8(ascii: ":"))
      ? host.lowercased() : host.lowercased() + ":80"
  }

  /// Returns a token of 128 random bits.
  package static func randomToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Returns the part of the path after the token, or a refusal.
  package func path(of request: HTTPRequest) -> Result<String, Refusal> {
    guard let host = request.header["host"].map(Self.whole), hosts?.contains(host) ?? true else {
      return .failure(
        Refusal(421, "this server answers to its address on the loopback interface only")
      )
    }
    let scheme = "http://"
    if let origin = request.header["origin"]?.lowercased(),
      !origin.hasPrefix(scheme) || Self.whole(String(origin.dropFirst(scheme.count))) != host
    {
      return .failure(Refusal(403, "requests of other origins are refused"))
    }
    guard let token else { return accepted(String(request.path.drop { $0 == "/" }), of: request) }
    let parts = request.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    // "/TOKEN/rest" has an empty part before its first slash.
    let rest = parts.last.map {
      $0.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    }
    guard let rest, rest.count == 2, Self.isEqual(Array(rest[0].utf8), Array(token.utf8)) else {
      return .failure(Refusal(403, "open the whole address that 'objectbox browse' has printed"))
    }
    return accepted(String(rest[1]), of: request)
  }

  private func accepted(_ path: String, of request: HTTPRequest) -> Result<String, Refusal> {
    let site = request.header["sec-fetch-site"] ?? "none"
    // The page itself may be opened from a terminal or another page; its further requests come from
    // itself.
    guard path.isEmpty || ["same-origin", "none"].contains(site) else {
      return .failure(Refusal(403, "requests of other sites are refused"))
    }
    return .success(path)
  }

  /// Compares in constant time.
  private static func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The refusal of a request.
  package struct Refusal: Error {
    package var status: Int
    package var text: String

    init(_ status: Int, _ text: String) {
      self.status = status
      self.text = text
    }

    var response: HTTPResponse { .text(status, text) }
  }
}
