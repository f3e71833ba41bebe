/// The request by which a client opened a connection.
package struct WebSocketRequest: Sendable, Equatable {
  /// The path, with a leading slash, without the query; percent-decoded on a server.
  package let path: String
  /// The query without its question mark; empty if there is none.
  package let query: String
  /// The subprotocol that both sides use; nil if there is none.
  package let subprotocol: String?
  /// The network address of the peer, without its port.
  package let address: String

  /// The values by lower-case names; only of headers that the server's configuration names.
  let headers: [String: String]

  /// Returns the value of a header that the server's configuration names.
  ///
  /// - Parameter name: The name, in any case.
  /// - Returns: The value; nil without the header.
  package func header(_ name: String) -> String? { headers[name.lowercased()] }
}
