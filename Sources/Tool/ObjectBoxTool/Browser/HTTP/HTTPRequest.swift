/// A request that the server has read.
package struct HTTPRequest: Sendable {
  package var method: String
  /// The path without the query, unescaped.
  package var path: String
  /// The parameters of the query, unescaped.
  package var parameters: [String: String]
  /// The header fields, by their names in lower case.
  package var header: [String: String]
  package var body: [UInt8]

  package init(
    _ method: String,
    _ path: String,
    parameters: [String: String] = [:],
    header: [String: String] = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.parameters = parameters
    self.header = header
    self.body = body
  }
}
