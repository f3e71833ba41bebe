import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

@testable import ObjectBoxCluster

/// The page's data from a database.
@Suite(.enabled(if: BrowsedDatabase.isThere, BrowsedDatabase.reason))
struct DatabaseBrowserTests {
  /// Runs a body on a store and a database with the same objects.
  private func beside(
    isWritable: Bool = true,
    _ body: @Sendable (BrowsedStore, BrowsedDatabase) throws -> Void
  ) async throws {
    try await WaitingThread.run {
      let store = try BrowsedStore()
      let database = try BrowsedDatabase(store, isWritable: isWritable)
      defer { database.database.close() }
      try body(store, database)
    }
  }

  /// The members that may differ between a store and a database: versions, plans, times and names.
  private static let own: Set = ["version", "plan", "microseconds", "store", "name", "isDatabase"]

  private static func common(_ response: HTTPResponse) throws -> String {
    guard response.type.hasPrefix("application/json"),
      var content = try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any]
    else { return "\(response.status) \(response.type) \(response.bytes)" }
    for (key, _) in content where own.contains(key) { content[key] = nil }
    let data = try JSONSerialization.data(withJSONObject: content, options: .sortedKeys)
    return "\(response.status) \(String(decoding: data, as: UTF8.self))"
  }

  // MARK: Reading

  @Test(
    .tags(.slow),
    arguments: [
      ("schema", [:]), ("objects", ["entity": "Note"]), ("objects", ["entity": "Author"]),
      ("objects", ["entity": "Note", "limit": "2", "after": "3"]),
      ("objects", ["entity": "Note", "order": "-id", "limit": "2", "after": "3"]),
      ("objects", ["entity": "Note", "order": "-stars", "after": "99,3"]),
      ("objects", ["entity": "Note", "order": "slug", "after": "99"]),
      ("objects", ["entity": "Note", "filter": "stars > 1 && author.name == \"Ada\""]),
      ("objects", ["entity": "Author", "filter": "Note.author(stars == 2)", "order": "-name"]),
      ("objects", ["entity": "Note", "filter": "readers(name == \"Grace\")"]),
      ("objects", ["entity": "Note", "filter": "stars > 1 && titel == 1"]),
      ("objects", ["entity": "Note", "order": "nothing"]),
      ("count", ["entity": "Note", "filter": "stars > 2"]), ("count", ["entity": "Note"]),
      ("object", ["entity": "Note", "id": "1"]), ("object", ["entity": "Author", "id": "2"]),
      ("removal", ["entity": "Author", "ids": "1"]), ("removal", ["entity": "Note", "ids": "1,2"]),
      ("groups", ["entity": "Note", "property": "author", "filter": "stars > -9"]),
      ("groups", ["entity": "Note", "property": "slug"]), ("blank", ["entity": "Note"]),
      ("labels", ["entity": "Author", "ids": "1,2,3"]),
      ("object", ["entity": "Note", "id": "99"]), ("object", ["entity": "Note", "id": "-1"]),
      ("bytes", ["entity": "Note", "id": "1", "property": "slug"]),
      ("bytes", ["entity": "Note", "id": "6", "property": "author"]),
      ("neighbours", ["entity": "Note", "id": "99", "property": "slug"]), ("nothing", [:]),
    ] as [(String, [String: String])]
  )
  func `a database answers as the store that was copied`(
    _ name: String,
    _ parameters: [String: String]
  ) async throws {
    try await beside { store, database in
      let answers = try [store as any Browsed, database].map { browsed in
        try Self.common(browsed.get("api/\(name)", parameters))
      }
      #expect(answers[0] == answers[1])
    }
  }

  @Test(arguments: ["", "-id", "stars", "-stars", "slug", "-slug", "author", "-author"])
  func `pages list each object once, in the order of the store`(_ order: String) async throws {
    try await beside { store, database in
      let all = try store.ids(order: order, limit: 500)
      #expect(try database.ids(order: order, limit: 500) == all)
      for limit in 1...3 {
        var ids: [String] = []
        var after = ""
        while true {
          let page = try database.page(["order": order, "limit": "\(limit)", "after": after])
          ids += page.ids
          guard page.hasMore, let last = page.ids.last else { break }
          after = last
        }
        #expect(ids == all, "\(order) by \(limit)")
      }
    }
  }

  @Test(
    arguments: ["flag", "small", "born", "part", "measure", "many"].flatMap { [$0, "-" + $0] }
  )
  func `pages of all types that have an order are those of the store`(_ order: String) async throws
  {
    try await WaitingThread.run {
      let store = try BrowsedStore(Self.values)
      let box = try store.store.box(named: "Value")
      let dates = [0, -1.5, 1_700_000_000].map(Date.init(timeIntervalSince1970:))
      for index in 0..<3 {
        try box.put([
          [
            "flag": index == 1, "small": Int8([0, -128, 127][index]), "born": dates[index],
            "part": [0, -Float.infinity, Float.nan][index], "measure": [-0.0, 1e300, -2.5][index],
            "many": [UInt64.max, 0, 1 << 62][index],
          ],
          ["small": Int8(0), "measure": 0.0, "flag": false],
        ])
      }
      let database = try BrowsedDatabase(store)
      defer { database.database.close() }
      for limit in [1, 2, 500] {
        var (ids, after, hasMore) = ([String](), "", true)
        while hasMore {
          let parameters = ["entity": "Value", "order": order, "limit": "\(limit)", "after": after]
          let pages = try [store.page(parameters), database.page(parameters)]
          #expect(pages[0].ids == pages[1].ids, "\(limit) after \(after)")
          #expect(pages[0].hasMore == pages[1].hasMore)
          ids += pages[0].ids
          after = pages[0].ids.last ?? ""
          hasMore = pages[0].hasMore
        }
        #expect(ids.map { Int($0) ?? 0 }.sorted() == [1, 2, 3, 4, 5, 6], "\(limit)")
      }
    }
  }

  private static let values = """
    {"entities":[
      {"id":"1:1000","lastPropertyId":"7:1007","name":"Value","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},
        {"id":"2:1002","name":"flag","type":1}, {"id":"3:1003","name":"small","type":2},
        {"id":"4:1004","name":"born","type":10}, {"id":"5:1005","name":"part","type":7},
        {"id":"6:1006","name":"measure","type":8,"flags":8,"indexId":"1:5000"},
        {"id":"7:1007","name":"many","type":6,"flags":8192}],"relations":[]}],
     "lastEntityId":"1:1000","lastIndexId":"1:5000","modelVersion":5}
    """

  @Test func `the plan is that of the server, and the answer names its snapshot`() async throws {
    try await beside { _, database in
      let answer = try database.json("api/objects", ["entity": "Note", "filter": "stars > 1"])
      #expect((answer["plan"] as? String)?.contains("'Note'") ?? false, "\(answer)")
      #expect((answer["version"] as? String)?.wholeMatch(of: /\d+:\d+:[\d,]*/) != nil)
      #expect(try database.json("api/schema")["isDatabase"] as? Bool == true)
    }
  }

  @Test func `nearest neighbours are those of the store`() async throws {
    try await WaitingThread.run {
      let store = try BrowsedStore(Self.places)
      let places: [[String: any Sendable]] = (1...40).map { number in
        ["place": [Float(number), Float(number % 7), 1] as [Float]]
      }
      try store.store.box(named: "Place").put(places)
      try store.store.box(named: "Place").put([[:]])
      let database = try BrowsedDatabase(store)
      defer { database.database.close() }
      for id in ["1", "20", "41", "42"] {
        let parameters = ["entity": "Place", "id": id, "property": "place", "limit": "5"]
        let answers = try [store, database as any Browsed]
          .map { try Self.common($0.get("api/neighbours", parameters)) }
        #expect(answers[0] == answers[1])
      }
      let filter = ["entity": "Place", "filter": "place is nearest to [3, 3, 1] at most 4"]
      #expect(try database.page(filter).ids == store.page(filter).ids)
      #expect(try database.page(filter).ids.count == 4)
    }
  }

  private static let places = """
    {"entities":[
      {"id":"1:1000","lastPropertyId":"2:1002","name":"Place","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},
        {"id":"2:1002","name":"place","type":28,"flags":8,"indexId":"1:5000",
         "vectorIndex":{"dimensions":3}}],"relations":[]}],
     "lastEntityId":"1:1000","lastIndexId":"1:5000","modelVersion":5}
    """

  // MARK: Searches

  private static func articles(
    isWritable: Bool = true,
    _ body: @Sendable (BrowsedStore, BrowsedDatabase) throws -> Void
  ) async throws {
    try await WaitingThread.run {
      let store = try BrowsedStore(ArticlesModel.json)
      try store.store.box(named: "Article").put(
        (1...5).map { ["title": "Swift \($0)", "text": String(repeating: "swift ", count: $0)] }
      )
      let database = try BrowsedDatabase(store, isWritable: isWritable)
      defer { database.database.close() }
      try body(store, database)
    }
  }

  @Test func `the best matches are those of the store, page by page`() async throws {
    try await Self.articles { store, database in
      let search = ["entity": "Article", "filter": #"words matches "swift""#, "best": "1"]
      for place in [[:], ["limit": "2"], ["limit": "2", "after": "2"], ["after": "4"]] {
        let parameters = search.merging(place) { $1 }
        let own = try Self.common(store.get("api/objects", parameters))
        let found = try Self.common(database.get("api/objects", parameters))
        #expect(found == own)
      }
    }
  }

  private static func change(_ database: BrowsedDatabase) throws {
    let schema = database.configuration.schema
    try Waiting.run {
      _ = try await MovingDatabase(database.configuration).connection.run([
        Statement(once: "UPDATE \"\(schema)\".\"Article\" SET text = 'by SQL' WHERE id = 2")
      ])
    }
  }

  private static let sqlSearch = ["entity": "Article", "filter": #"text matches "sql""#]

  @Test func `texts that were stored by SQL are found if the page may write`() async throws {
    try await Self.articles { _, database in
      try Self.change(database)
      let page = try database.json("api/objects", Self.sqlSearch)
      #expect((page["rows"] as? [Any])?.count == 1)
      try Self.change(database)
      #expect(try database.json("api/count", Self.sqlSearch)["count"] as? Int == 1)
    }
  }

  @Test func `a page that may not write says that words are missing`() async throws {
    try await Self.articles(isWritable: false) { _, database in
      try Self.change(database)
      let answer = database.get("api/objects", Self.sqlSearch)
      #expect(answer.status >= 400)
      let fault = try database.json(of: answer)["fault"] as? String
      #expect(fault?.contains("words are missing") == true)
    }
  }

  @Test func `statistics are those of a database, with nothing of a file`() async throws {
    try await beside { _, database in
      let report = try database.json("api/statistics")
      #expect((report["server"] as? String)?.hasPrefix("PostgreSQL ") ?? false)
      #expect(report["isReplica"] as? Bool == false)
      #expect(report["connections"] as? Int ?? 0 > 0)
      let tables = try #require(report["tables"] as? [[String: Any]])
      let note = try #require(tables.first { $0["name"] as? String == "Note" })
      #expect(note["content"] as? String == "objects of Note")
      #expect(note["rows"] as? Int == 7)
      #expect(note["indexBytes"] as? Int ?? 0 > 0)
      #expect(tables.contains { $0["content"] as? String == "pairs from Note to Author" })
      let indexes = try #require(report["indexes"] as? [[String: Any]])
      #expect(indexes.contains { $0["content"] as? String == "Note.slug" })
      #expect((report["replicas"] as? [Any])?.isEmpty == true)
      #expect(report.keys.filter(["pages", "freePages", "readers", "maximumSize"].contains) == [])
    }
  }

  // MARK: Versions

  @Test func `a follower tells the present version, and the one after a commit`() async throws {
    try await beside { _, database in
      var follower = try database.content.follower()
      let first = try follower.next()
      let author = database.post("put", #"{"entity":"Author","values":{"name":"Alan"}}"#)
      #expect(author.status == 200)
      #expect(try follower.next() != first)
    }
  }

  @Test func `a schema that a program has changed is told, and not read by the old names`()
    async throws
  {
    try await beside { _, database in
      #expect(database.get("api/schema").status == 200)
      try run(
        "INSERT INTO %.objectbox_model (number, format, model) "
          + "SELECT number + 1, format, model FROM %.objectbox_model ORDER BY number DESC LIMIT 1",
        in: database
      )
      let answer = database.get("api/schema")
      #expect(answer.status == 409)
      #expect(String(decoding: answer.bytes, as: UTF8.self).contains("has changed the schema"))
      let edit = database.post("put", #"{"entity":"Author","values":{"name":"Alan"}}"#)
      #expect(edit.status == 409)
    }
  }

  /// Runs a statement outside the browser; `%` stands for the schema.
  private func run(_ sql: String, in database: BrowsedDatabase) throws {
    let configuration = database.configuration
    let statement = sql.replacing("%", with: configuration.schema.quotedName)
    try Waiting.run {
      _ = try await Connection.alone(configuration).run([Statement(once: statement)])
    }
  }

  // MARK: Refusals

  @Test func `a database that is only shown is changed by nothing`() async throws {
    try await beside(isWritable: false) { _, database in
      let before = try Self.common(database.get("api/objects", ["entity": "Note"]))
      let body =
        #"{"entity":"Note","id":"1","ids":["1"],"relation":"readers","add":["2"],"values":{"slug":"x"}}"#
      for name in ["put", "remove", "relate"] {
        #expect(database.post(name, body, isWritable: false).status == 403)
        // Skips the check of the flag.
        let answer = database.post(name, body, isWritable: true)
        #expect(answer.status == 403, "\(String(decoding: answer.bytes, as: UTF8.self))")
      }
      #expect(try Self.common(database.get("api/objects", ["entity": "Note"])) == before)
      #expect(try database.json("api/schema", isWritable: false)["isWritable"] as? Bool == false)
    }
  }

  @Test func `the server itself refuses writes of a database that is only shown`() async throws {
    try await beside { _, database in
      var configuration = database.configuration
      configuration.isReadOnly = true
      try Waiting.run { [configuration] in
        let shown = try await DynamicCluster(configuration)
        await #expect(throws: ServerFailure.self) {
          let connection = try await shown.cluster.pool.checkOut()
          defer { shown.cluster.pool.checkIn(connection) }
          _ = try await connection.run([
            Statement("DELETE FROM \(configuration.schema.quotedName).\"Note\"")
          ])
        }
        await shown.close()
      }
      #expect(try database.page([:]).ids.count == 7)
    }
  }

  @Test func `no password is shown`() async throws {
    try await beside { _, database in
      var configuration = database.configuration
      configuration.address += "&password=Geheimnis&application_name=x"
      let shown = try DatabaseContent(configuration, isWritable: false)
      defer { shown.close() }
      let site = Site(content: shown)
      for name in ["schema", "statistics", "nothing"] {
        let text = String(decoding: site.get("api/\(name)").bytes, as: UTF8.self)
        #expect(!text.contains("Geheimnis"))
      }
      #expect(try site.json("api/schema")["store"] as? String ?? "" != "")
    }
  }

  @Test(
    arguments: [
      ("postgresql://ada:geheim@db1:5433/app?sslpassword=x", "postgresql://ada@db1:5433/app"),
      ("postgresql://ada:ge%40heim@db1:5433,db2/app", "postgresql://ada@db1:5433,db2/app"),
      ("host=db1,db2 port=5433 dbname=app password='geheim'", "postgresql://db1:5433,db2:5433/app"),
      ("postgresql:///app?host=/run/db&user=ada", "postgresql://ada@/app?host=/run/db"),
      ("postgresql://ada@db1", "postgresql://ada@db1/ada"),
    ]
  )
  func `an address is shown without passwords and options`(_ address: String, _ shown: String)
    throws
  {
    #expect(try ConnectionAddress(address).shown == shown)
  }

  private struct Site: Browsed {
    let content: any BrowserContent
  }

  @Test func `what cannot be browsed is told as by queries`() async throws {
    try await beside { store, database in
      func message(_ change: (inout Cluster.Configuration) -> Void) -> String {
        var configuration = database.configuration
        change(&configuration)
        do {
          try DatabaseContent(configuration, isWritable: false).close()
          return ""
        } catch {
          return (error as? ClusterError)?.message ?? "\(error)"
        }
      }
      #expect(message { $0.schema = "nothing" }.contains("has no objects of a cluster"))
      #expect(
        message { $0.address = "postgresql://ada:Geheimnis@nowhere.invalid/app" }
          .contains("no such host")
      )
      let refused = message { $0.address = "postgresql://ada:Geheimnis@127.0.0.1:1/app" }
      #expect(refused.contains("no server listens") && !refused.contains("Geheimnis"))
      #expect(message { $0.address += "&dbname=nothing" }.contains("no such database"))
      #expect(message { $0.address += "&user=nobody" }.contains("does not accept the name"))
      try run("UPDATE %.objectbox_model SET copying = true", in: database)
      #expect(message { _ in }.contains("is not complete"))
      try run("UPDATE %.objectbox_model SET copying = false, format = 99", in: database)
      #expect(message { _ in }.contains("a later version of the library made it"))
    }
  }
}
