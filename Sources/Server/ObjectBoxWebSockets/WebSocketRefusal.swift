/// The refusal of a client.
///
/// Before the upgrade, the answer to the request has the HTTP status `status`. Afterwards the connection is closed with
/// the code 4000 + `status`, such as 4401, and the reason.
package struct WebSocketRefusal: Error, Sendable, Equatable {
  /// The HTTP status, 400 to 599.
  package let status: Int
  /// A text for people.
  package let reason: String

  /// Creates a refusal.
  package init(status: Int, reason: String) {
    precondition((400..<600).contains(status), "a refusal needs an HTTP status of errors")
    self.status = status
    self.reason = reason
  }

  var closure: WebSocketClosure { WebSocketClosure(code: UInt16(4000 + status), reason: reason) }
}
