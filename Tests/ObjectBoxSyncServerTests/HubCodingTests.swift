import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxSyncServer

struct HubCodingTests {
  @Test func `a stored value of another form is told`() throws {
    let bytes = Verdict.accepted.hubBytes
    #expect(try Verdict(hubBytes: bytes, "the verdict") == .accepted)
    for other in [[], [2] + bytes.dropFirst(), bytes + [0], [1, 9]] as [[UInt8]] {
      let error = #expect(throws: HubError.self) { try Verdict(hubBytes: other, "the verdict") }
      #expect(error?.message.hasPrefix("the verdict in the hub's tables has a form") == true)
    }
  }
}
