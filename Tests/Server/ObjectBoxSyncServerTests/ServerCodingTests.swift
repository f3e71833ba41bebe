import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxSyncServer

struct ServerCodingTests {
  @Test func `a stored value of another form is told`() throws {
    let bytes = Decision.accepted.serverBytes
    #expect(try Decision(serverBytes: bytes, "the decision") == .accepted)
    for other in [[], [2] + bytes.dropFirst(), bytes + [0], [1, 9]] as [[UInt8]] {
      let error = #expect(throws: ServerLogError.self) {
        try Decision(serverBytes: other, "the decision")
      }
      let message = error?.message ?? ""
      #expect(message.hasPrefix("the decision in the server log's tables has a form"))
    }
  }
}
