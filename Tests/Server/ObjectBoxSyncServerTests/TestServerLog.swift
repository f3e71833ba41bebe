import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxJSON
import ObjectBoxSyncProtocol

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// A server in a new schema of the tests' server.
///
/// `Item` has an owner, a value, which may be a clock, a title, and pairs to `Label`, whose name may have a full-text
/// index. `Note` has an item, and is not synchronized unless a test says so. `Value` has a property of each type, and
/// unsigned numbers. `Code` has a unique text and an item. `Tally`, in models that have it, has a counter, a unique
/// code that is merged, another tally, and clocks of properties.
struct TestServerLog {
  let cluster: Cluster
  let serverLog: ServerLog
  let connection: Connection
  let schema: ServerLogSchema

  static let item = EntityUID(901)
  static let label = EntityUID(902)
  static let labelName = PropertyUID(2002)
  static let note = EntityUID(903)
  static let values = EntityUID(904)
  /// The list of texts of `Value`.
  static let list = PropertyUID(4013)
  static let owner = PropertyUID(1002)
  static let value = PropertyUID(1003)
  static let title = PropertyUID(1004)
  static let labels = PropertyUID(5001)
  static let code = EntityUID(905)
  static let text = PropertyUID(5102)
  static let codeItem = PropertyUID(5103)
  static let tally = EntityUID(906)
  static let tallyCode = PropertyUID(6002)
  static let tallyCount = PropertyUID(6003)

  init(
    syncsItems: Bool = true,
    syncsNotes: Bool = false,
    hasTallies: Bool = false,
    hasTitles: Bool = true,
    findsNames: Bool = false,
    noteRule: String = "cascade",
    tallyRule: String = "nullify",
    valueFlag: PropertyFlags? = nil,
    logging properties: [EntityUID: [PropertyUID]] = [item: [owner]],
    in namespace: String = "sync \(UUID().uuidString)",
    width: UInt64 = ServerLogSweep.partitionWidth,
    at address: String? = TestServer.address
  ) async throws {
    cluster = try await Self.cluster(
      in: namespace,
      syncsItems: syncsItems,
      syncsNotes: syncsNotes,
      hasTallies: hasTallies,
      hasTitles: hasTitles,
      findsNames: findsNames,
      noteRule: noteRule,
      tallyRule: tallyRule,
      valueFlag: valueFlag,
      at: address
    )
    schema = try ServerLogSchema(
      cluster,
      logging: syncsItems ? properties : [:],
      partitionWidth: width
    )
    serverLog = try await schema.run()
    connection = try await TestServer.connect(to: address)
  }

  var namespace: String { cluster.tables.namespaceName }

  static func cluster(
    in namespace: String,
    syncsItems: Bool = true,
    syncsNotes: Bool = false,
    hasTallies: Bool = false,
    hasTitles: Bool = true,
    findsNames: Bool = false,
    noteRule: String = "cascade",
    tallyRule: String = "nullify",
    valueFlag: PropertyFlags? = nil,
    at address: String? = TestServer.address
  ) async throws -> Cluster {
    let configuration = TestServer.configuration(at: address, in: namespace)
    let json = model(
      syncsItems: syncsItems,
      syncsNotes: syncsNotes,
      hasTallies: hasTallies,
      hasTitles: hasTitles,
      findsNames: findsNames,
      noteRule: noteRule,
      tallyRule: tallyRule,
      valueFlag: valueFlag
    )
    let model = try StoreSchema(modelJSON: JSONParser.parse(json, path: "model.json"))
    let tables = ClusterTables(model, in: namespace)
    return try await Cluster(tables, configuration) { connection in
      try await DatabaseUpgrade(tables, mayBeOlder: true).run(on: connection)
    }
  }

  /// Runs a statement in which `@` stands for the quoted schema and its point.
  @discardableResult
  func sql(_ text: String, on other: Connection? = nil) async throws -> [[String?]] {
    let rows = try await (other ?? connection).run([Statement(once: complete(text))])[0]
    return (0..<rows.count).map { row in (0..<rows.columnCount).map { rows.text(row, $0) } }
  }

  func complete(_ text: String) -> String {
    text.replacing("@", with: "\(namespace.quotedName).")
  }

  /// Returns the lines of the log since the last call, and empties it: entity, ID, values before and
  /// after, ordered.
  func takeLog() async throws -> [String] {
    func values(_ column: String) -> String {
      let width = "cardinality(\(column)) / cardinality(ids)"
      return "coalesce((\(column)[(place - 1) * (\(width)) + 1:place * (\(width))])::text, '-')"
    }
    let rows = try await sql(
      """
      SELECT entity::text || ' ' || id::text || ' ' || \(values("old")) || ' ' || \(values("new"))
      FROM (
        SELECT *, CASE WHEN before IS NOT NULL THEN ARRAY(SELECT unnest(before)) END AS old,
          CASE WHEN after IS NOT NULL THEN ARRAY(SELECT unnest(after)) END AS new
        FROM @objectbox_changes
      ) AS flat, unnest(ids) WITH ORDINALITY AS i (id, place)
      ORDER BY entity, id, xact, before, after
      """
    )
    try await sql("DELETE FROM @objectbox_changes")
    return rows.compactMap { $0[0] }
  }

  // MARK: Model

  static func model(
    syncsItems: Bool,
    syncsNotes: Bool,
    hasTallies: Bool = false,
    hasTitles: Bool = true,
    findsNames: Bool = false,
    noteRule: String = "cascade",
    tallyRule: String = "nullify",
    valueFlag: PropertyFlags? = nil
  ) -> String {
    func property(
      _ number: Int,
      _ uid: Int,
      _ name: String,
      _ type: PropertyType,
      _ more: String = ""
    )
      -> String
    {
      #"{"id":"\#(number):\#(uid)","name":"\#(name)","type":\#(type.rawValue)\#(more)}"#
    }
    let id = #","flags":1"#
    let clock = valueFlag.map { #","flags":\#($0.rawValue)"# } ?? ""
    let to = #","flags":520,"indexId":"1:7001","relationTarget":"Item","onDelete":"\#(noteRule)""#
    let title = hasTitles ? "," + property(4, 1004, "title", .string) : ""
    let unique = #","flags":2080,"indexId":"2:7002""#
    let reference = #","flags":520,"indexId":"3:7003","relationTarget":"Item""#
    let types: [PropertyType] = [
      .bool, .byte, .short, .int, .long, .date, .dateNano, .float, .double, .string, .byteVector,
      .stringVector,
    ]
    let unsigned = #","flags":8192"#
    let valueProperties =
      types.enumerated().map { property($0 + 2, 4002 + $0, "value\($0)", $1) } + [
        property(14, 4014, "value12", .long, unsigned),
        property(15, 4015, "value13", .int, unsigned),
      ]
    let words =
      findsNames ? #","fullTextIndexes":[{"id":"6:7006","properties":["2:2002"]}]"# : ""
    let merge = #","flags":536872992,"indexId":"4:7004""#
    let parent =
      #","flags":520,"indexId":"5:7005","relationTarget":"Tally","onDelete":"\#(tallyRule)""#
    let tally = """
      ,{"id":"6:906","name":"Tally","flags":1073741826,"lastPropertyId":"5:6005","properties":[
          \(property(1, 6001, "id", .long, id)),\(property(2, 6002, "code", .string, merge)),
          \(property(3, 6003, "count", .long, #","flags":1073741824"#)),
          \(property(4, 6004, "title", .string)),
          \(property(5, 6005, "parent", .relation, parent))],"relations":[]}
      """
    return """
      {"entities":[
        {"id":"1:901","name":"Item","flags":\(syncsItems ? 2 : 0),"lastPropertyId":"4:1004","properties":[
          \(property(1, 1001, "id", .long, id)),\(property(2, 1002, "owner", .long)),
          \(property(3, 1003, "value", .long, clock))\(title)],
         "relations":[{"id":"1:5001","name":"labels","targetId":"2:902"}]},
        {"id":"2:902","name":"Label","flags":2,"lastPropertyId":"2:2002","properties":[
          \(property(1, 2001, "id", .long, id)),\(property(2, 2002, "name", .string))]\(words),"relations":[]},
        {"id":"3:903","name":"Note","flags":\(syncsNotes ? 2 : 0),"lastPropertyId":"2:3002","properties":[
          \(property(1, 3001, "id", .long, id)),\(property(2, 3002, "item", .relation, to))],"relations":[]},
        {"id":"4:904","name":"Value","flags":2,"lastPropertyId":"15:4015","properties":[
          \(property(1, 4001, "id", .long, id)),\(valueProperties.joined(separator: ","))],"relations":[]},
        {"id":"5:905","name":"Code","flags":2,"lastPropertyId":"3:5103","properties":[
          \(property(1, 5101, "id", .long, id)),\(property(2, 5102, "text", .string, unique)),
          \(property(3, 5103, "item", .relation, reference))],"relations":[]}\(hasTallies ? tally : "")
       ],"lastEntityId":"\(hasTallies ? "6:906" : "5:905")","lastIndexId":"\(findsNames ? "6:7006" : hasTallies ? "5:7005" : "3:7003")","lastRelationId":"1:5001","modelVersion":5}
      """
  }
}
