import Foundation
import ObjectBoxSyncServer
import ObjectBoxTool
import Testing

/// The page of `objectbox sync-server`, without the network.
struct FigureSiteTests {
  @Test(
    arguments: [
      ("9090", "127.0.0.1", 9090), ("0.0.0.0:0", "0.0.0.0", 0), ("[::1]:80", "::1", 80),
      (":::9", "::", 9),
    ] as [(String, String, UInt16)]
  )
  func `a place is a port, or an address and a port`(
    _ text: String,
    _ host: String,
    _ port: UInt16
  ) throws {
    let address = try PageAddress(text)
    #expect(address.host == host)
    #expect(address.port == port)
  }

  @Test(arguments: ["", "x", "70000", "localhost:9", "127.0.0.1:", ":9", "1.2.3:9"])
  func `another text is no place`(_ text: String) {
    #expect(throws: (any Error).self) { try PageAddress(text) }
  }

  private func status(
    _ place: String,
    _ path: String,
    _ header: [String: String]
  ) throws -> Int {
    let guardian = try PageAddress(place).guardian(port: 9)
    return switch guardian.path(of: HTTPRequest("GET", path, header: header)) {
    case .success: 200
    case .failure(let refusal): refusal.status
    }
  }

  @Test func `a local page answers to local names, and to no other site`() throws {
    for host in ["127.0.0.1:9", "localhost:9"] {
      #expect(try status("9", "/metrics", ["host": host]) == 200)
    }
    #expect(try status("[::1]:9", "/", ["host": "[::1]:9"]) == 200)
    #expect(try status("[::1]:80", "/", ["host": "[::1]"]) == 421)
    #expect(try status("9", "/metrics", ["host": "evil.test:9"]) == 421)
    #expect(try status("9", "/metrics", [:]) == 421)
    #expect(
      try status("9", "/", ["host": "127.0.0.1:9", "origin": "http://evil.test"]) == 403
    )
    #expect(
      try status("9", "/metrics", ["host": "127.0.0.1:9", "sec-fetch-site": "cross-site"]) == 403
    )
  }

  @Test func `a page for others answers to any name, and to no other site`() throws {
    #expect(try status("0.0.0.0:9", "/metrics", ["host": "sync.internal:9"]) == 200)
    #expect(
      try status("0.0.0.0:9", "/api/figures", ["host": "sync:9", "origin": "http://evil.test"])
        == 403
    )
  }
}
