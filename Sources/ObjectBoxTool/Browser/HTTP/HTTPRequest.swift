/// A request as the server has read it.
package struct HTTPRequest: Sendable {
  package var method: String
  /// The path, without the query, with its escapes resolved.
  package var path: String
  /// The parameters of the query, with their escapes resolved.
  package var parameters: [String: String]
  /// The fields of the header by their names in lower case.
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
