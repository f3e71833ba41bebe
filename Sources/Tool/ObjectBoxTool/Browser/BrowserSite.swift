/// The pages and data that the browser serves, independent of the network.
package struct BrowserSite: Sendable {
  private let guardian: RequestGuard
  private let api: BrowserAPI
  private let hub: EventHub

  /// - Parameters:
  ///   - content: The objects, which must stay open.
  ///   - isWritable: True when objects may be changed.
  ///   - guardian: Refuses foreign requests.
  ///   - hub: Receives the events of commits.
  package init(
    _ content: any BrowserContent,
    isWritable: Bool,
    guardian: RequestGuard,
    hub: EventHub
  ) {
    self.guardian = guardian
    self.hub = hub
    api = BrowserAPI(content: content, isWritable: isWritable)
  }

  /// Answers a request.
  package func answer(_ request: HTTPRequest) -> HTTPResponse {
    switch guardian.path(of: request) {
    case .failure(let refusal): return refusal.response
    case .success(let path): return answer(request, path)
    }
  }

  private func answer(_ request: HTTPRequest, _ path: String) -> HTTPResponse {
    if path.hasPrefix("api/") {
      let name = String(path.dropFirst("api/".count))
      if name == "events", request.method == "GET" { return HTTPResponse(hub.feed()) }
      return api.answer(request, name)
    }
    guard request.method == "GET" else { return Self.notAllowed("GET") }
    guard let file = PageFile.all[path.isEmpty ? "index.html" : path] else {
      return .text(404, "there is no such page")
    }
    return HTTPResponse(200, file.type, file.bytes)
  }

  static func notAllowed(_ method: String) -> HTTPResponse {
    var response = HTTPResponse.text(405, "use \(method)")
    response.header = [("Allow", method)]
    return response
  }
}
