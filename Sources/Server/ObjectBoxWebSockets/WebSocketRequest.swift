/// The request by which a client opened a connection.
package struct WebSocketRequest: Sendable, Equatable {
  /// The path, with a leading slash, without the query; a server has it with percent signs decoded.
  package let path: String
  /// The query without its question mark; empty without one.
  package let query: String
  /// The subprotocol that both sides use; nil without one.
  package let subprotocol: String?
  /// The network address of the peer, without its port.
  package let address: String

  /// Values by names in lower case; only the headers that the server's configuration names.
  let headers: [String: String]

  /// Returns the value of a header that the server's configuration names.
  ///
  /// - Parameter name: The name, in any case.
  /// - Returns: Nil without the header.
  package func header(_ name: String) -> String? { headers[name.lowercased()] }
}
