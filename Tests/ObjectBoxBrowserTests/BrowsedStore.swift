import Foundation
import ObjectBox
import ObjectBoxTestSupport
import ObjectBoxTool

/// A store of notes with the site that shows it.
struct BrowsedStore {
  struct Page {
    var ids: [String]
    var hasMore: Bool
    var isRestarted: Bool
    var plan: String
  }

  let folder: TemporaryDirectory
  let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(
      directoryPath: folder.path + "/notes",
      modelJSON: URL(fileURLWithPath: try folder.write(NotesModel.json, to: "model.json"))
    )
    let authors = try store.box(named: "Author").put([["name": "Ada"], ["name": "Grace"]])
    let notes = try store.box(named: "Note")
    try notes.put([
      ["slug": "one", "stars": 5, "author": authors[0]], ["slug": "two", "stars": -1],
      ["slug": "three", "stars": 2], ["slug": "four", "stars": 2, "author": authors[1]],
      ["slug": "five", "stars": 3], ["slug": nil], ["slug": "seven"],
    ])
    try notes.add(authors, to: "readers", of: 1)
    try notes.add([authors[1]], to: "readers", of: 2)
  }

  func answer(_ request: HTTPRequest, isWritable: Bool = true) -> HTTPResponse {
    var request = request
    if request.header["host"] == nil { request.header["host"] = "127.0.0.1:1" }
    return BrowserSite(
      StoreContent(store, at: folder.path + "/notes/data.mdb", maximumSize: 1 << 30),
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

  func content(_ response: HTTPResponse) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any] ?? [:]
  }

  func json(
    _ path: String,
    _ parameters: [String: String] = [:],
    isWritable: Bool = true
  ) throws -> [String: Any] {
    try content(get(path, parameters, isWritable: isWritable))
  }

  /// A page of notes, unless the parameters name another entity.
  func page(_ parameters: [String: String]) throws -> Page {
    let content = try json("api/objects", ["entity": "Note"].merging(parameters) { $1 })
    let rows = content["rows"] as? [[String: Any]] ?? []
    return Page(
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
