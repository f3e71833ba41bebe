internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

extension Verb {
  static let info = Verb(
    name: "info",
    summary: "tells what a store holds: its entities with their properties, and how many objects",
    operands: ["STORE"],
    options: [ReportFormat.option, SizeLimit.option],
    details: """
      version is the number of the last commit; an entity has its ID and UID behind its name, and the highest ID \
      that it has given out behind the number of its objects

      \(SizeLimit.details)

      ends with 0, or 1 when the store cannot be read
      """,
    examples: ["info notes", "info notes/data.mdb --format json"],
    run: info
  )

  private static func info(_ arguments: CommandArguments) throws -> ExitCode {
    let limit = try SizeLimit.bytes(arguments)
    let location = try StoreLocation.existing(arguments)
    let store = try location.openToRead()
    defer { store.close() }
    let report = try InfoReport(store, location, limit)
    try Console.write(ReportFormat(arguments) == .json ? report.json : report.text.printable)
    return .success
  }
}

/// Statistics of a store's content.
private struct InfoReport {
  private struct Entity {
    var schema: EntitySchema
    var count: Int
    var lastID: UInt64
  }

  private struct Relation {
    var schema: RelationSchema
    var source: String
    var target: String
    var count: Int
  }

  private let path: String
  private let pages: StorePages
  private let fileSize: Int
  private let pageSize: Int
  private let limit: SizeLimit
  private var entities: [Entity] = []
  private var relations: [Relation] = []
  private let retired: RetiredData

  init(_ store: Store, _ location: StoreLocation, _ maximumSize: Int) throws {
    path = location.file
    fileSize = location.fileSize ?? 0
    let statistics = try store.statistics
    pageSize = statistics.pageSizeInBytes
    retired = statistics.retiredData
    let schema = store.schema
    (pages, entities, relations) = try store.readingStored { version in
      (
        try store.pages(),
        try schema.entities.enumerated().map { index, entity in
          Entity(
            schema: entity,
            count: try version.count(entity: index),
            lastID: try version.lastID(entity: index)
          )
        },
        try schema.entities.flatMap { entity in
          try entity.relations.map { relation in
            Relation(
              schema: relation,
              source: entity.name,
              target: schema.name(ofEntity: relation.target.id),
              count: try version.linkCount(relation: relation.identity.id)
            )
          }
        }
      )
    }
    limit = SizeLimit(maximumSize, statistics, pages)
  }

  // MARK: Text

  var text: String {
    var text = """
      \(path)
        format     \(pages.format)
        version    \(pages.version)
        page size  \(pageSize)
        file size  \(fileSize) (\(fileSize.asByteCount))
        limit      \(limit.text)

      """
    for entity in entities {
      let schema = entity.schema
      text +=
        "\n\(schema.name) (\(schema.identity.text))  \(entity.count.counted("object")), last ID "
      text += "\(entity.lastID)\n"
      text += schema.propertyLines
    }
    if !relations.isEmpty {
      text += "\nstandalone relations\n"
      var table = ConsoleTable(["relation", "from", "to", "pairs"], numbers: [3])
      for relation in relations {
        table.add([relation.schema.title, relation.source, relation.target, "\(relation.count)"])
      }
      text += table.text
    }
    if !retired.isEmpty {
      text +=
        "\nkept of earlier models (\(retired.sizeInBytes.asByteCount); see discardRetiredData)\n"
      for entity in retired.entities {
        text +=
          "  entity \(entity.name) (UID \(entity.uid))  \(entity.objectCount.counted("object"))\n"
      }
      for relation in retired.relations {
        text += "  relation from \(relation.source) to \(relation.target) (UID \(relation.uid))  "
        text += "\(relation.linkCount.counted("pair"))\n"
      }
    }
    return text
  }

  // MARK: JSON

  var json: String {
    var writer = JSONWriter()
    let size: [(key: String, write: (inout JSONWriter) -> Void)] = [
      ("store", { $0.string(path) }), ("format", { $0.integer(pages.format) }),
      ("version", { $0.integer(pages.version) }), ("pageSize", { $0.integer(pageSize) }),
      ("fileSize", { $0.integer(fileSize) }),
    ]
    let content: [(key: String, write: (inout JSONWriter) -> Void)] = [
      ("entities", { $0.list(entities) { write($1, to: &$0) } }),
      (
        "relations",
        { writer in
          writer.list(relations) { writer, relation in
            writer.object([
              ("id", { $0.integer(relation.schema.identity.id) }),
              ("name", { $0.string(relation.schema.title) }),
              ("from", { $0.string(relation.source) }), ("to", { $0.string(relation.target) }),
              ("pairs", { $0.integer(relation.count) }),
            ])
          }
        }
      ),
      ("retiredBytes", { $0.integer(retired.sizeInBytes) }),
    ]
    writer.object(size + limit.members + content)
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private func write(_ entity: Entity, to writer: inout JSONWriter) {
    writer.object([
      ("name", { $0.string(entity.schema.name) }),
      ("id", { $0.string(entity.schema.identity.text) }),
      ("objects", { $0.integer(entity.count) }), ("lastId", { $0.integer(entity.lastID) }),
      (
        "properties",
        { writer in
          writer.list(entity.schema.properties) { writer, property in
            writer.object([
              ("name", { $0.string(property.name) }),
              ("id", { $0.string(property.identity.text) }),
              ("type", { $0.string(property.typeName) }),
              ("remarks", { $0.list(property.remarks) { $0.string($1) } }),
            ])
          }
        }
      ),
    ])
  }
}

extension JSONWriter {
  /// Appends an object whose members write their own values.
  mutating func object(_ members: [(key: String, write: (inout JSONWriter) -> Void)]) {
    raw("{")
    for (index, member) in members.enumerated() {
      if index > 0 { raw(",") }
      key(member.key)
      member.write(&self)
    }
    raw("}")
  }
}
