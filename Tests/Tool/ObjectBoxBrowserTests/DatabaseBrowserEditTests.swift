import Foundation
import ObjectBox
import ObjectBoxTool
import ObjectBoxTestSupport
import Testing

/// Edits of a database's objects through the page, which must equal a store's.
@Suite(.enabled(if: BrowsedDatabase.isThere, BrowsedDatabase.reason))
struct DatabaseBrowserEditTests {
  private func beside(
    _ body: @Sendable (BrowsedStore, BrowsedDatabase) throws -> Void
  ) async throws {
    try await WaitingThread.run {
      let store = try BrowsedStore()
      let database = try BrowsedDatabase(store)
      defer { database.database.close() }
      try body(store, database)
    }
  }

  /// The objects of both entities and their relations.
  private static func objects(_ browsed: some Browsed) throws -> [String] {
    var texts: [String] = []
    for entity in ["Note", "Author"] {
      for id in try browsed.page(["entity": entity]).ids {
        let object = try browsed.json("api/object", ["entity": entity, "id": id])
        texts.append("\(entity) \(id) \(object["digest"] ?? "")")
        for relation in object["relations"] as? [[String: Any]] ?? [] {
          let related = try browsed.page([
            "entity": relation["entity"] as? String ?? "",
            "filter": relation["filter"] as? String ?? "",
          ])
          texts.append("  \(relation["entity"] ?? ""): \(related.ids)")
        }
      }
    }
    return texts
  }

  @Test(
    .tags(.slow),
    arguments: [
      ("put", #"{"entity":"Note","id":"1","values":{"stars":"-7"}}"#),
      ("put", #"{"entity":"Note","id":"1","values":{"stars":null,"slug":"other"}}"#),
      ("put", #"{"entity":"Note","values":{"slug":"new","author":"2"}}"#),
      ("put", #"{"entity":"Author","values":{"name":"Ælfred 'the \\ Great'"}}"#),
      ("put", #"{"entity":"Note","id":"1","values":{"slug":"two","stars":"1"}}"#),
      ("put", #"{"entity":"Note","id":"1","values":{"stars":"1000"}}"#),
      ("put", #"{"entity":"Note","id":"1","values":{"stars":""}}"#),
      ("put", #"{"entity":"Note","id":"1","values":{"author":"77"}}"#),
      ("put", #"{"entity":"Note","id":"1","values":{"titel":"77"}}"#),
      ("put", #"{"entity":"Note","id":"99","values":{"stars":"7"}}"#),
      ("put", #"{"entity":"Note","id":"1","digest":"1","values":{"stars":"7"}}"#),
      ("put", #"{"entity":"Note","id":"1"}"#), ("put", "[]"),
      ("remove", #"{"entity":"Note","ids":["1","2","99"]}"#),
      ("remove", #"{"entity":"Author","ids":["2"]}"#),
      (
        "relate", #"{"entity":"Note","id":"3","relation":"readers","add":["1","2"],"remove":["1"]}"#
      ),
      ("relate", #"{"entity":"Note","id":"1","relation":"readers","remove":["1"]}"#),
      ("relate", #"{"entity":"Note","id":"3","relation":"readers","add":["1","77"]}"#),
      ("relate", #"{"entity":"Note","id":"99","relation":"readers","add":["1"]}"#),
      ("relate", #"{"entity":"Note","id":"1","relation":"nothing","add":["1"]}"#),
    ]
  )
  func `a change has the outcome that it has in a store`(_ name: String, _ body: String)
    async throws
  {
    try await beside { store, database in
      var outcomes: [[String]] = []
      for browsed in [store as any Browsed, database] {
        let answer = browsed.post(name, body)
        let content = try browsed.json(of: answer)
        var outcome = ["\(answer.status) \(content["property"] ?? "") \(content["id"] ?? "")"]
        outcome.append("\(content["count"] ?? "")")
        if name == "put", answer.status == 422 { outcome.append("\(content["fault"] ?? "")") }
        outcomes.append(outcome + (try Self.objects(browsed)))
      }
      #expect(outcomes[0] == outcomes[1])
    }
  }

  @Test func `an object that was changed meanwhile is not overwritten`() async throws {
    try await beside { _, database in
      let digest = try #require(
        try database.json("api/object", ["entity": "Note", "id": "1"])["digest"] as? String
      )
      let change = #"{"entity":"Note","id":"1","values":{"stars":"STARS"}}"#
      #expect(database.post("put", change.replacing("STARS", with: "9")).status == 200)
      let body = #"{"entity":"Note","id":"1","digest":"\#(digest)","values":{"stars":"2"}}"#
      #expect(database.post("put", body).status == 409)
      #expect(database.post("put", change.replacing("STARS", with: "5")).status == 200)
      #expect(database.post("put", body).status == 200)
    }
  }

  @Test func `another program sees what the page has put`() async throws {
    try await beside { _, database in
      let body = #"{"entity":"Note","id":"2","values":{"stars":"4","author":"1"}}"#
      #expect(database.post("put", body).status == 200)
      let filter = ["entity": "Note", "filter": "author.name == \"Ada\" && stars == 4"]
      // A second program, with its own connections.
      let other = try DatabaseContent(database.configuration, isWritable: false)
      defer { other.close() }
      #expect(try Other(content: other).page(filter).ids == ["2"])
    }
  }

  private struct Other: Browsed {
    let content: any BrowserContent
  }
}
