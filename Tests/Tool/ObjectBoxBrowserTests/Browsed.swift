import Foundation
import ObjectBoxTool

/// A page of a table, as the tests check it.
struct BrowsedPage {
  var ids: [String]
  var hasMore: Bool
  var isRestarted: Bool
  var plan: String
}

/// Objects and the site that shows them.
protocol Browsed: Sendable {
  var content: any BrowserContent { get }
}

extension Browsed {
  func answer(_ request: HTTPRequest, isWritable: Bool = true) -> HTTPResponse {
    var request = request
    if request.header["host"] == nil { request.header["host"] = "127.0.0.1:1" }
    return BrowserSite(
      content,
      isWritable: isWritable,
      guardian: RequestGuard(token: "token", port: 1),
      hub: EventHub()
    ).answer(request)
  }

  func get(
    _ path: String,
    _ parameters: [String: String] = [:],
    isWritable: Bool = true
  ) -> HTTPResponse {
    answer(HTTPRequest("GET", "/token/" + path, parameters: parameters), isWritable: isWritable)
  }

  func post(_ name: String, _ body: String, isWritable: Bool = true) -> HTTPResponse {
    answer(
      HTTPRequest(
        "POST",
        "/token/api/" + name,
        header: ["content-type": "application/json"],
        body: Array(body.utf8)
      ),
      isWritable: isWritable
    )
  }

  func json(of response: HTTPResponse) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any] ?? [:]
  }

  func json(
    _ path: String,
    _ parameters: [String: String] = [:],
    isWritable: Bool = true
  ) throws -> [String: Any] {
    try json(of: get(path, parameters, isWritable: isWritable))
  }

  /// A page of notes, unless the parameters name another entity.
  func page(_ parameters: [String: String]) throws -> BrowsedPage {
    let content = try json("api/objects", ["entity": "Note"].merging(parameters) { $1 })
    let rows = content["rows"] as? [[String: Any]] ?? []
    return BrowsedPage(
      ids: rows.compactMap { $0["id"] as? String },
      hasMore: content["hasMore"] as? Bool ?? false,
      isRestarted: content["isRestarted"] as? Bool ?? false,
      plan: content["plan"] as? String ?? ""
    )
  }

  func ids(order: String, limit: Int) throws -> [String] {
    try page(["order": order, "limit": "\(limit)"]).ids
  }
}
