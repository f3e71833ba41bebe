import ObjectBoxTool
import Testing

/// Requests that do not come from the page get nothing.
struct RequestGuardTests {
  private let guardian = RequestGuard(token: "abc123", port: 8080)

  private func path(
    _ path: String,
    host: String? = "127.0.0.1:8080",
    _ header: [String: String] = [:]
  ) -> Result<String, RequestGuard.Refusal> {
    var header = header
    header["host"] = host
    return guardian.path(of: HTTPRequest("GET", path, header: header))
  }

  private func status(_ result: Result<String, RequestGuard.Refusal>) -> Int {
    switch result {
    case .success: 200
    case .failure(let refusal): refusal.status
    }
  }

  @Test func `the whole address is served`() throws {
    #expect(try path("/abc123/").get() == "")
    #expect(try path("/abc123/api/schema").get() == "api/schema")
    #expect(try path("/abc123/", host: "localhost:8080").get() == "")
    #expect(try path("/abc123/", host: "LOCALHOST:8080").get() == "")
  }

  @Test(
    arguments: [
      "/", "", "/abc123", "/abc124/", "/abc1234/", "/ABC123/", "abc123/", "//abc123/", "/abc12",
    ]
  )
  func `a path without the token is refused`(_ wrong: String) {
    #expect(status(path(wrong)) == 403)
  }

  @Test(
    arguments: [
      nil, "", "127.0.0.1", "127.0.0.1:8081", "evil.test", "evil.test:8080",
      "127.0.0.1:8080.evil.test",
      "localhost.evil.test:8080", "0.0.0.0:8080", "[::1]:8080",
    ] as [String?]
  )
  func `another host is refused, also with the token`(_ host: String?) {
    #expect(status(path("/abc123/", host: host)) == 421)
  }

  /// Programs omit a host's port if it is the scheme's default.
  @Test(
    arguments: ["127.0.0.1", "127.0.0.1:80", "localhost", "LOCALHOST:80"],
    [nil, "http://127.0.0.1", "http://127.0.0.1:80", "http://localhost", "http://localhost:80"]
      as [String?]
  )
  func `on port 80 the host and the origin may have no port`(_ host: String, _ origin: String?) {
    let guardian = RequestGuard(token: "abc123", port: 80)
    var header = ["host": host]
    header["origin"] = origin
    let result = guardian.path(of: HTTPRequest("GET", "/abc123/", header: header))
    let isOwn = origin.map { $0.contains("localhost") == host.lowercased().contains("localhost") }
    #expect(status(result) == (isOwn ?? true ? 200 : 403))
  }

  @Test(arguments: ["127.0.0.1:8080", "127.0.0.1:", "evil.test", "evil.test:80", "127.0.0.1:80:80"])
  func `on port 80 another host is refused`(_ host: String) {
    let guardian = RequestGuard(token: "abc123", port: 80)
    let request = HTTPRequest("GET", "/abc123/", header: ["host": host])
    #expect(status(guardian.path(of: request)) == 421)
  }

  @Test(
    arguments: [
      "http://evil.test", "https://127.0.0.1:8080", "http://127.0.0.1:8081",
      "http://localhost:8080", "null", "",
    ]
  )
  func `another origin is refused, also with the token`(_ origin: String) {
    #expect(status(path("/abc123/api/schema", ["origin": origin])) == 403)
    #expect(status(path("/abc123/", ["origin": origin])) == 403)
  }

  @Test func `the own origin is served`() {
    #expect(status(path("/abc123/api/put", ["origin": "http://127.0.0.1:8080"])) == 200)
  }

  @Test(arguments: ["cross-site", "same-site"])
  func `data for another site is refused, and a link to the page is not`(_ site: String) {
    #expect(status(path("/abc123/api/schema", ["sec-fetch-site": site])) == 403)
    #expect(status(path("/abc123/main.js", ["sec-fetch-site": site])) == 403)
    #expect(status(path("/abc123/", ["sec-fetch-site": site])) == 200)
  }

  @Test func `tokens have 128 bits, and no two are the same`() {
    let tokens = (0..<100).map { _ in RequestGuard.randomToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }
}
