import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxTestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if OBJECTBOX_WEBSOCKETS && OBJECTBOX_TOKENS && OBJECTBOX_LIBPQ
  private let hasLibraries = true
#else
  private let hasLibraries = false
#endif

/// `objectbox sync-server`.
@Suite(.enabled(if: hasLibraries, "libwebsockets, libcrypto or libpq is missing"))
struct SyncServerVerbTests {
  private let tool: BuiltProgram

  private static let model = """
    {"entities":[
      {"id":"1:901","name":"Item","flags":2,"lastPropertyId":"8:1008","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},{"id":"2:1002","name":"owner","type":9},
        {"id":"3:1003","name":"team","type":5},{"id":"4:1004","name":"open","type":1},
        {"id":"5:1005","name":"price","type":9,"externalType":103},
        {"id":"6:1006","name":"readers","type":30},
        {"id":"7:1007","name":"shop","type":11,"flags":520,"indexId":"1:7001","relationTarget":"Shop"},
        {"id":"8:1008","name":"weight","type":8}],
       "relations":[{"id":"1:8001","name":"labels","targetId":"2:902"}]},
      {"id":"2:902","name":"Label","flags":2,"lastPropertyId":"2:2002","properties":[
        {"id":"1:2001","name":"id","type":6,"flags":1},{"id":"2:2002","name":"name","type":9}],"relations":[]},
      {"id":"3:903","name":"Note","lastPropertyId":"1:3001","properties":[
        {"id":"1:3001","name":"id","type":6,"flags":1}],"relations":[]},
      {"id":"4:904","name":"Shop","flags":2,"lastPropertyId":"4:4004","properties":[
        {"id":"1:4001","name":"id","type":6,"flags":1},{"id":"2:4002","name":"staff","type":30},
        {"id":"3:4003","name":"note","type":11,"flags":520,"indexId":"2:7002","relationTarget":"Note"},
        {"id":"4:4004","name":"part","type":11,"flags":520,"indexId":"3:7003","relationTarget":"Shop"}],
       "relations":[]}
     ],"lastEntityId":"4:904","lastIndexId":"3:7003","lastRelationId":"1:8001","modelVersion":5}
    """

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.write(Self.model, to: "model.json")
    try tool.folder.write("a secret of tokens, of 37 bytes long.\n", to: "secret")
  }

  private func check(
    _ configuration: String,
    environment: [String: String] = [:]
  ) throws -> BuiltProgram.Result {
    try tool.folder.write(configuration, to: "sync.json")
    return try tool.run(
      program: try BuiltProgram.url("objectbox").path,
      ["sync-server", "sync.json", "--check"],
      environment: environment
    )
  }

  // MARK: Check

  @Test func `a right configuration is told in words`() throws {
    let result = try check(
      #"""
      {"cluster": {"url": "postgresql://ada:hidden@db1/app", "schema": "shop"},
       "listen": {"port": 9001},
       "authentication": {"kind": "jwt", "issuer": "login",
         "keys": [{"secretFile": "secret"}, {"secretVariable": "SECOND", "name": "k2"}]},
       "rules": {"Item": {
         "see": [{"owner": {"user": "id"}}, {"team": {"claim": "team"}}, {"open": [true, null]}],
         "write": [{"owner": {"user": "id"}, "open": [true, null]}, {"readers": {"user": "id"}, "team": 1}]},
        "Shop": {
         "see": {"part": {"link": [{"staff": {"user": "id"}}, {"part": 3}]}, "staff": "a"},
         "write": {"part": {"link": {"part": {"link": {"staff": {"user": "id"}}}, "staff": "b"}}}}}}
      """#,
      environment: ["SECOND": "another secret, of 32 or more bytes."]
    )
    #expect(result.errors == "")
    #expect(
      result.output == """
        devices: ws://127.0.0.1:9001
        database: postgresql://ada@db1/app, schema 'shop'
        users: JSON Web Tokens, signed by one of 2 keys, of the issuer 'login'
        'Item': users see what has owner == user.id or team == user.claims["team"] or open == true or open == null, \
        and write what has owner == user.id and (open == true or open == null) or user.id in readers and team == 1
        'Shop': users see what has (user.id in part.staff or part.part == 3) and "a" in staff, and write what has \
        user.id in part.part.staff and "b" in part.staff
        'Label': no rules, so nobody sees or writes it

        """
    )
    #expect(result.status == 0)
  }

  @Test func `all faults of a configuration are told with their places`() throws {
    let result = try check(
      #"""
      {"cluster": {"url": "postgresql://[db1/app"},
       "lisen": {},
       "listen": {"host": "localhost", "port": 70000, "certificate": "none.pem"},
       "authentication": {"kind": "sharedSecret", "secret": "in the file"},
       "limits": {"connections": 0},
       "rules": {
         "Itme": {"see": "all"},
         "Note": {"see": "all"},
         "Label": {},
         "Shop": {"see": {"note": {"link": {"id": 1}}, "staff": {"link": {}}},
           "write": {"part": [{"link": "all"}, {"link": {"price": 1}}]}},
         "Item": {"see": [{"owner": {"user": "id"}}, {"owner": 5}, {"team": 3000000000}, {"id": 1}],
           "write": [{"price": "1"}, {                       }, {"ownr": "a"}, {"open": []}, "all"]}}}
      """#
    )
    let found = [
      "sync.json:1:21: cannot read the address of the cluster",
      "sync.json:2:2: a configuration has no 'lisen'; use 'cluster', 'model', 'listen'",
      "sync.json:3:21: 'listen.host' is 'localhost', and a numeric address is expected",
      "sync.json:3:42: 'listen.port' is the number 70000, and a whole number from 0 to 65535",
      "sync.json:3:64: 'listen.certificate' names '\(tool.folder.path)/none.pem', which cannot be read",
      "sync.json:3:12: 'listen' has 'certificate' without 'key'; TLS needs both",
      "sync.json:4:55: 'authentication.secret' stands in the configuration",
      "sync.json:5:28: 'limits.connections' is the number 0, and a whole number from 1 is expected",
      "sync.json:7:4: the model does not synchronize an entity 'Itme'; it synchronizes 'Item', 'Label', "
        + "'Shop'",
      "sync.json:8:4: the model does not synchronize an entity 'Note'",
      "sync.json:9:13: the rules of 'Label' have neither 'see' nor 'write'",
      "sync.json:10:29: 'rules.Shop.see' follows 'note' to 'Note', which the model does not synchronize",
      "sync.json:10:59: 'rules.Shop.see' follows 'staff' of 'Shop', which is no relation",
      "sync.json:11:34: 'rules.Shop.write' follows 'part' by the text \"all\", and an object with properties",
      "sync.json:11:52: 'Shop' has no property 'price'; it has 'id', 'staff', 'note', 'part'",
      "sync.json:12:31: 'rules.Item.see' compares 'owner' with the user, whom this authentication",
      "sync.json:12:58: 'rules.Item.see' compares 'owner' with the number 5, and a text, null",
      "sync.json:12:71: 'rules.Item.see' compares 'team' with the number 3000000000, and a whole number",
      "sync.json:13:17: rules cannot compare 'price' of 'Item'",
      "sync.json:13:32: 'rules.Item.write' has an object without properties; write \"all\"",
      "sync.json:13:60: 'Item' has no property 'ownr'; it has 'id', 'owner', 'team', 'open', 'price', "
        + "'readers', 'shop', 'weight', 'labels'",
      "sync.json:13:83: 'rules.Item.write' compares 'open' with no value",
      "sync.json:13:88: 'rules.Item.write' has the text \"all\", and an object is expected",
    ]
    let lines = result.errors.split(separator: "\n").map(String.init)
    for text in found {
      #expect(lines.contains { $0.hasPrefix(text) }, "\(text)\n\(result.errors)")
    }
    #expect(lines.count == found.count, "\(result.errors)")
    #expect(result.output == "")
    #expect(result.status == 1)
  }

  @Test func `comparisons by order and links over all relations are told in words`() throws {
    let result = try check(
      #"""
      {"cluster": {"urlVariable": "OBJECTBOX_TEST_ADDRESS"},
       "authentication": {"kind": "jwt", "keys": [{"secretFile": "secret"}]},
       "limits": {"scopes": 50},
       "rules": {
        "Item": {
         "see": [{"team": {">=": 1, "<": 10, "!=": [4, {"claim": "team"}]}}, {"owner": {"!=": null}},
           {"weight": {">": 0.5}}, {"weight": 2}, {"labels": {"link": {"name": {"<=": "m"}}}}, {"id": [7, 8]}],
         "write": {"labels": {"link": {"name": {"user": "id"}}}, "open": {"!=": true}}},
        "Label": {"see": {"Item.labels": {"link": {"owner": {"user": "id"}}}}},
        "Shop": {"see": {"Item.shop": [{"link": {"team": {">": 3}}}, {"link": {"owner": "a"}}]}}}}
      """#,
      environment: ["OBJECTBOX_TEST_ADDRESS": "postgresql://db1/app"]
    )
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n").dropFirst(3)
    #expect(
      lines.elementsEqual([
        #"'Item': users see what has team >= 1 and team < 10 and team != 4 and team != user.claims["team"] or "#
          + #"owner != null or weight > 0.5 or weight == 2 or labels.name <= "m" or id == 7 or id == 8, and write "#
          + #"what has labels.name == user.id and open != true"#,
        "'Label': users see what has Item.labels.owner == user.id, and write nothing",
        #"'Shop': users see what has Item.shop.team > 3 or Item.shop.owner == "a", and write nothing"#,
      ]),
      "\(result.output)"
    )
    #expect(result.status == 0)
  }

  @Test(
    arguments: [
      (#"{"team": {"=>": 1}}"#, #"{"=>"#, "compares 'team' with an object"),
      (#"{"team": {">": 1, "=>": 1}}"#, #""=>"#, "compares 'team' by '=>'; use '==',"),
      (#"{"team": {"<": [1, 2]}}"#, #""<"#, "compares 'team' by '<', which takes one value"),
      (#"{"team": {"<": null}}"#, #""<"#, "compares 'team' by '<', which takes one value"),
      (#"{"team": {"<": "a"}}"#, #""a""#, "compares 'team' with the text \"a\""),
      (#"{"open": {"<": true}}"#, #""<"#, "compares 'open' by '<', and Booleans have no order"),
      (#"{"readers": {"!=": "a"}}"#, #""!="#, "compares 'readers' by '!=', and a list"),
      (#"{"shop": {"!=": 3}}"#, #""!="#, "compares 'shop' by '!=', and IDs"),
      (#"{"id": {">": 3}}"#, #"">"#, "compares 'id' by '>', and IDs and relations are compared by"),
      (
        #"{"team": {"!=": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}}"#, #""!="#,
        "compares 'team' by '!=' with 17 values; at most 16 are possible"
      ),
      (#"{"labels": 3}"#, "3", "compares 'labels' with the number 3, and a relation to several"),
      (#"{"Item.shop": 1}"#, #""Item.shop"#, "the model has no relation 'Item.shop' to 'Item'"),
      (
        #"{"labels": {"link": {"Item.shop": 1}}}"#, #""Item.shop"#,
        "the model has no relation 'Item.shop' to 'Label'"
      ),
    ]
  )
  func `a comparison that rules lack is told with its place`(
    rule: String,
    place: String,
    message: String
  ) throws {
    let start = #"{"authentication": {"kind": "none"}, "rules": {"Item": {"see": "#
    let result = try check(start + rule + "}}}")
    let line = try #require(result.errors.split(separator: "\n").first)
    let before = try #require((start + rule).range(of: place, options: .backwards)).lowerBound
    let column = (start + rule).distance(from: start.startIndex, to: before) + 1
    #expect(line.hasPrefix("sync.json:1:\(column): "), "\(column): \(result.errors)")
    #expect(line.contains(message), "\(result.errors)")
    #expect(result.status == 1)
  }

  @Test func `rules of writes over backlinks are told with their place`() throws {
    let result = try check(
      #"""
      {"authentication": {"kind": "none"},
       "rules": {"Shop": {"write": {"Item.shop": {"link": {"team": 1}}}},
         "Item": {"write": {"shop": {"link": {"Item.shop": {"link": {"team": 1}}}}}}}}
      """#
    )
    #expect(
      result.errors.split(separator: "\n").map { String($0.prefix(68)) } == [
        "sync.json:2:31: 'rules.Shop.write' follows the backlink 'Item.shop';",
        "sync.json:3:41: 'rules.Item.write' follows the backlink 'Item.shop';",
      ],
      "\(result.errors)"
    )
    #expect(result.status == 1)
  }

  @Test(
    arguments: [
      ("{", "sync.json:2:1: the configuration is no JSON: a key in quotes"),
      ("[]", "sync.json:1:1: the configuration is an array, and an object is expected"),
      ("{}", "sync.json:1:1: there is no 'authentication'; its 'kind' is"),
      ("{}", "sync.json:1:1: there are no 'rules'"),
      (#"{"model": "no.json"}"#, "sync.json:1:11: cannot read the model file"),
      (
        #"{"authentication": {"kind": "password"}}"#,
        "sync.json:1:29: 'authentication.kind' is the text \"password\""
      ),
      (
        #"{"authentication": {"kind": "jwt", "keys": [{"secretVariable": "NOT_SET"}]}}"#,
        "sync.json:1:64: 'authentication.keys[0].secretVariable' names the environment variable 'NOT_SET'"
      ),
      (
        #"{"authentication": {"kind": "jwt", "keys": [{"publicKeyFile": "secret"}]}}"#,
        "sync.json:1:45: 'authentication.keys[0]': a key of tokens is no public key in PEM"
      ),
      (
        #"{"authentication": {"kind": "jwt", "keys": [{"keySetFile": "secret"}]}}"#,
        "sync.json:1:60: 'authentication.keys[0]': a key set is no JSON object with a list 'keys'"
      ),
      (
        #"{"authentication": {"kind": "jwt", "keys": [{"keySetFile": "none.json"}]}}"#,
        "sync.json:1:60: 'authentication.keys[0].keySetFile' names"
      ),
      (
        #"{"authentication": {"kind": "sharedSecret", "secretVariable": "SHORT"}}"#,
        "sync.json:1:20: the shared secret has 5 bytes"
      ),
      (
        #"{"cluster": {"url": "postgresql:///a", "urlVariable": "SHORT"}}"#,
        "sync.json:1:55: 'cluster' names several addresses; keep one"
      ),
    ]
  )
  func `a fault of a configuration is told with its place`(
    configuration: String,
    message: String
  ) throws {
    let result = try check(configuration, environment: ["SHORT": "short"])
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output == "")
    #expect(result.status == 1)
  }

  @Test func `a missing file is told, and connections without TLS are warned of`() throws {
    let missing = try tool.run("sync-server", "none.json", "--check")
    #expect(missing.errors.hasPrefix("error: cannot read 'none.json'"), "\(missing.errors)")
    #expect(missing.status == 1)
    let open = try check(
      #"""
      {"listen": {"host": "::", "port": 0}, "authentication": {"kind": "none"},
       "rules": {"Item": {"see": "all", "write": "none"}}}
      """#
    )
    #expect(open.errors.hasPrefix("warning: others on the network can read"), "\(open.errors)")
    #expect(open.output.contains("devices: ws://[::]:0\n"))
    #expect(open.output.contains("database: that of libpq's environment"))
    #expect(open.status == 0)
  }

  // MARK: Serving

  /// Tells when all changes have arrived.
  private final class Completion: SyncCompletedListener, Sendable {
    let events: AsyncStream<Void>
    private let event: AsyncStream<Void>.Continuation

    init() { (events, event) = AsyncStream.makeStream() }

    func updatesCompleted() { event.yield() }
  }

  private struct Device {
    let store: Store
    let items: DynamicBox
    let client: any SyncClient

    init(
      _ folder: TemporaryDirectory,
      _ name: String,
      _ url: String,
      claims: String,
      _ signature: String
    ) throws {
      store = try Store(
        directoryPath: folder.path + "/" + name,
        modelJSON: folder.url.appendingPathComponent("model.json")
      )
      items = try store.box(named: "Item")
      let parts = [#"{"alg":"HS256"}"#, claims].map { part in
        Data(part.utf8).base64EncodedString().replacing("=", with: "")
      }
      let token = parts.joined(separator: ".") + "." + signature
      let configuration = Sync.Configuration(store: store, url: url)
      configuration.credentials = [.jwt(token)]
      client = try Sync.makeClient(configuration: configuration)
    }

    /// Starts, and waits until everything has arrived.
    func startCompletely() async throws {
      let completion = Completion()
      client.completedListener = completion
      try client.start()
      for await _ in completion.events { return }
    }

    /// Waits until the server has decided what was written so far.
    func waitForDecisions() async {
      for await count in client.decisions where count == 0 { return }
    }
  }

  @Test(.enabled(if: CopyServer.isThere, CopyServer.reason), .timeLimit(.minutes(15)))
  func `a server without code keeps to its rules, and ends by a signal`() async throws {
    let configuration = try tool.folder.write(
      #"""
      {"cluster": {"urlVariable": "OBJECTBOX_TEST_POSTGRES", "schema": "\#(CopyServer.configuration().schema)"},
       "listen": {"port": 0},
       "authentication": {"kind": "jwt", "keys": [{"secretFile": "secret"}]},
       "rules": {"Item": {
         "see": [{"owner": {"user": "id"}}, {"team": {"claim": "team"}}, {"readers": {"user": "id"}, "open": true},
           {"shop": {"link": {"staff": {"user": "id"}}}}, {"team": {">=": 100, "<": 200, "!=": 150}},
           {"labels": {"link": {"name": {"user": "id"}}}}],
         "write": {"owner": {"user": "id"}}},
        "Label": {"write": {"name": {"!=": "closed"}}},
        "Shop": {"see": {"Item.shop": {"link": {"team": {">": 10}}}}, "write": "all"}}}
      """#,
      to: "sync.json"
    )
    let process = Process()
    process.executableURL = try BuiltProgram.url("objectbox")
    process.arguments = ["sync-server", configuration]
    #if OBJECTBOX_HTTP
      process.arguments?.append(contentsOf: ["--page", "0"])
    #endif
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    defer { if process.isRunning { process.terminate() } }
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first)
    let url = String(line.trimmingPrefix("devices: "))

    let ada = try Device(
      tool.folder,
      "ada",
      url,
      claims: #"{"sub":"ada","exp":4102444800,"team":7}"#,
      "G4jDZkAUL1kQ2izP2RDRcahSHJ06UkiDlIYRbdv1DgA"
    )
    try ada.items.put(["owner": "ada", "team": 7])
    try ada.items.put(["owner": "ada", "team": 8])
    try ada.items.put(["owner": "ada", "team": 9, "readers": ["cy", "dee"], "open": true])
    try ada.items.put(["owner": "ada", "team": 10, "readers": ["cy"]])
    let shop = try ada.store.box(named: "Shop").put(["staff": ["bob", "cy"]])
    try ada.items.put(["owner": "ada", "team": 11, "shop": shop])
    for team in [99, 100, 150, 200] { try ada.items.put(["owner": "ada", "team": team]) }
    let labels = try ada.store.box(named: "Label")
    let label = try labels.put(["name": "bob"])
    let item = try ada.items.put(["owner": "ada", "team": 13])
    try ada.items.add([label], to: "labels", of: item)
    try labels.put(["name": "closed"])
    try ada.client.start()
    await ada.waitForDecisions()
    #expect(try ada.client.rejections().flatMap { $0.parts.map(\.reason) } == [.permission])
    // Others of the team see what has its number, readers what is open, and staff what is of their shop.
    let cy = try Device(
      tool.folder,
      "cy",
      url,
      claims: #"{"sub":"cy","exp":4102444800,"team":7}"#,
      "FdET71l9TsVY7_XBHzAs_1xAl8v4mCPtOuNelGLycds"
    )
    try await cy.startCompletely()
    #expect(try cy.items.all().map { $0["team"].map { "\($0)" } } == ["7", "9", "11", "100"])
    #expect(try cy.store.box(named: "Shop").count() == 1)
    // A user without the claim sees what is of the shop or has the label, and writes nothing of others.
    let bob = try Device(
      tool.folder,
      "bob",
      url,
      claims: #"{"sub":"bob","exp":4102444800}"#,
      "q2bso9QFOa7IGN7V3cCdoM35nFkdj0ogyB3GZ7orFd0"
    )
    try await bob.startCompletely()
    #expect(try bob.items.all().map { $0["team"].map { "\($0)" } } == ["11", "100", "13"])
    try bob.items.put(["owner": "ada"])
    await bob.waitForDecisions()
    #expect(try bob.client.rejections().first?.parts.map(\.reason) == [.permission])
    #expect(try bob.items.count() == 3)

    #if OBJECTBOX_HTTP
      try await checkPage(of: text)
    #endif
    for device in [ada, bob, cy] { device.client.close() }
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }

  /// Checks what the page of a server tells after the logins of three devices, whose address is in the
  /// server's output.
  private func checkPage(of text: String) async throws {
    let page = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("page: ") }?.dropFirst("page: ".count)
    )
    func get(_ path: String) async throws -> Data {
      let url = try #require(URL(string: page + path))
      let (data, response) = try await URLSession.shared.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200, "\(path)")
      return data
    }
    let metrics = String(decoding: try await get("metrics"), as: UTF8.self)
    #expect(metrics.contains("objectbox_sync_logins_total 3\n"), "\(metrics)")
    #expect(metrics.contains("objectbox_sync_rejections_total{reason=\"permission\"} 2\n"))
    let figures = try JSONSerialization.jsonObject(with: try await get("api/figures"))
    let devices = (figures as? [String: Any])?["devices"] as? [[String: Any]]
    #expect(Set(devices?.compactMap { $0["user"] as? String } ?? []) == ["ada", "bob", "cy"])
    let files = try await String(decoding: get(""), as: UTF8.self)
      .matches(of: /(?:src|href)="([a-z]+\.[a-z]+)"/).map { String($0.output.1) }
    #expect(files.count == 4)
    for file in files + ["api.js", "dom.js", "report.js"] {
      #expect(try await !get(file).isEmpty, "\(file)")
    }
  }
}
