internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

/// The elements that the model has lost, and whose data the database keeps.
struct RetiredElements: Sendable {
  struct Property: Sendable {
    /// The UID of its entity.
    var entity: UInt64
    var schema: PropertySchema
  }

  struct Relation: Sendable {
    var uid: UInt64
    /// The UIDs of the entities that it led from and to.
    var source: UInt64
    var target: UInt64
  }

  /// With the properties that they had last.
  var entities: [EntitySchema] = []
  /// Retired elements of the present entities, and those that retired entities had lost before.
  var properties: [Property] = []
  var relations: [Relation] = []

  /// The beginning of the names of retired tables and columns, before the UID.
  static let prefix = "objectbox_retired_"

  static func name(_ uid: UInt64) -> String { "\(prefix)\(uid)" }
}

/// The schema of a database as its catalogue tells it.
struct SchemaCatalogue: Sendable {
  /// The version of the tables that this code makes, and the newest that it reads.
  ///
  /// Since 2 unique values have unique indexes; before, they had deferrable constraints and exclusion constraints.
  static let format = 2

  /// The version of the tables of the database.
  var format = Self.format
  /// The number of the model among those that the database has had; 0 for none.
  var number = 0
  var model = StoreSchema(of: [], lastEntity: nil)
  /// True while a copy into the database is not complete; no constraints and indexes are there then.
  var isCopying = false
  var retired = RetiredElements()
  /// True when the database has had the wanted model before another one.
  var hadWanted = false
  var hasNamespace = false
  /// True when the catalogue's own tables are there.
  var hasTables = false
  var neighbors = VectorIndexes()
}

extension ClusterTables {
  /// The names of elements that the model has lost, with that of the schema.
  var retiredTable: String { "\(namespace).\"objectbox_retired\"" }

  /// The model as the catalogue keeps it; equal models have equal texts.
  var modelText: String { Self.text(of: model) }

  static func text(of model: StoreSchema) -> String {
    var writer = JSONWriter()
    model.writeModelJSON(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Makes the tables of the catalogue.
  ///
  /// The model with the highest number is in use; earlier ones tell a program that it is older.
  var modelStatements: [String] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(modelTable) (
        number integer PRIMARY KEY, format integer NOT NULL, model text NOT NULL,
        copying boolean NOT NULL DEFAULT false, since timestamptz NOT NULL DEFAULT clock_timestamp()
      )
      """,
      """
      CREATE TABLE IF NOT EXISTS \(retiredTable) (
        uid bigint PRIMARY KEY, kind text NOT NULL, name text NOT NULL, model text,
        source bigint, target bigint, since timestamptz NOT NULL DEFAULT clock_timestamp()
      )
      """,
    ]
  }

  /// Asks whether the database has a model in use, in one round trip; fails with `undefinedTable` where it has none.
  var modelCheck: Statement {
    Statement(
      "SELECT format, copying, model = $1, "
        + "pg_has_role((SELECT relowner FROM pg_class WHERE oid = m.tableoid), 'USAGE') "
        + "FROM \(modelTable) AS m ORDER BY number DESC LIMIT 1"
    ) { $0.append(modelText) }
  }
}

extension SchemaCatalogue {
  /// Reads the catalogue.
  ///
  /// - Parameters:
  ///   - tables: The tables of the wanted model.
  ///   - connection: A connection in a transaction.
  /// - Throws: ``ClusterError/schemaNewer(message:)`` for tables of a later version; ``ServerFailure``.
  init(_ tables: ClusterTables, on connection: Connection) async throws {
    let present = try await connection.run(
      [
        Statement("SELECT to_regnamespace($1) IS NOT NULL") { $0.append(tables.namespace) },
        Statement("SELECT to_regclass($1) IS NOT NULL") { $0.append(tables.modelTable) },
      ] + tables.vectorIndexCheck
    )
    hasNamespace = present[0].bool(0, 0) ?? false
    hasTables = present[1].bool(0, 0) ?? false
    neighbors = VectorIndexes(present[2], present[3])
    guard hasTables else { return }
    let rows = try await connection.run([
      Statement(
        "SELECT number, format, model, copying FROM \(tables.modelTable) ORDER BY number DESC LIMIT 1"
      ),
      Statement("SELECT EXISTS (SELECT FROM \(tables.modelTable) WHERE model = $1)") {
        $0.append(tables.modelText)
      },
      Statement(
        "SELECT uid, kind, model, source, target FROM \(tables.retiredTable) ORDER BY since, uid"
      ),
    ])
    guard rows[0].count > 0 else { return }
    try Self.check(format: rows[0].anyInteger(0, 1), in: tables.namespace)
    format = Int(rows[0].anyInteger(0, 1) ?? 0)
    number = Int(rows[0].anyInteger(0, 0) ?? 0)
    model = try Self.schema(rows[0].text(0, 2) ?? "")
    isCopying = rows[0].bool(0, 3) ?? false
    hadWanted = rows[1].bool(0, 0) ?? false
    retired = try RetiredElements(rows[2])
  }

  /// Throws when the tables are those of a later version of this library.
  static func check(format: Int64?, in namespace: String) throws {
    guard let format, format > Self.format else { return }
    throw ClusterError.schemaNewer(
      message:
        "the schema \(namespace) has the format \(format), and this program knows \(Self.format): a later "
        + "version of the library made it; update the program"
    )
  }

  fileprivate static func schema(_ text: String) throws -> StoreSchema {
    do {
      let model = try StoreSchema(modelJSON: try JSONParser.parse(text, path: "objectbox_model"))
      try SchemaNames.checkCharacters(of: model) { title, reason in
        .schemaConflict(
          message:
            "the catalogue of the database has \(title), which cannot be used: \(reason); rename it by "
            + "SQL, with its entry in 'objectbox_model', or restore the catalogue from a backup"
        )
      }
      return model
    } catch let error as ClusterError {
      throw error
    } catch {
      throw ClusterError.schemaConflict(
        message:
          "the catalogue of the database has a model that cannot be read: \(error); restore it from a backup"
      )
    }
  }
}

extension RetiredElements {
  fileprivate enum Kind: String {
    case entity, property, relation
  }

  fileprivate init(_ rows: ResultRows) throws {
    for row in 0..<rows.count {
      let uid: UInt64 = rows.integer(row, 0) ?? 0
      switch Kind(rawValue: rows.text(row, 1) ?? "") {
      case .entity:
        entities += try SchemaCatalogue.schema(rows.text(row, 2) ?? "").entities
      case .property:
        for entity in try SchemaCatalogue.schema(rows.text(row, 2) ?? "").entities {
          properties += entity.properties.map {
            Property(entity: entity.identity.uid, schema: $0)
          }
        }
      case .relation:
        relations.append(
          Relation(
            uid: uid,
            source: rows.integer(row, 3) ?? 0,
            target: rows.integer(row, 4) ?? 0
          )
        )
      case nil: break
      }
    }
  }
}

// MARK: - Statements

extension ClusterTables {
  /// Notes an entity as retired.
  func retiring(_ entity: EntitySchema) -> String {
    var entity = entity
    entity.relations = []
    entity.compoundIndexes = []
    for index in entity.properties.indices { entity.properties[index].removeLinks() }
    return retiring(entity.identity.uid, .entity, entity.name, fragment(entity))
  }

  /// Notes a property of an entity as retired.
  func retiring(_ property: PropertySchema, of entity: EntitySchema) -> String {
    var owner = entity
    owner.relations = []
    owner.compoundIndexes = []
    owner.properties = [property]
    owner.properties[0].removeLinks()
    return retiring(
      property.identity.uid,
      .property,
      "\(entity.name).\(property.name)",
      fragment(owner)
    )
  }

  /// Notes a standalone relation as retired.
  func retiring(_ relation: RelationSchema, of entity: EntitySchema) -> String {
    let ends = "\(entity.identity.uid.bits), \(relation.target.uid.bits)"
    return "INSERT INTO \(retiredTable) (uid, kind, name, source, target) VALUES "
      + "(\(relation.identity.uid.bits), 'relation', \("\(entity.name).\(relation.title)".quotedText), \(ends))"
  }

  private func retiring(
    _ uid: UInt64,
    _ kind: RetiredElements.Kind,
    _ name: String,
    _ fragment: String
  ) -> String {
    "INSERT INTO \(retiredTable) (uid, kind, name, model) VALUES "
      + "(\(uid.bits), '\(kind.rawValue)', \(name.quotedText), \(fragment.quotedText))"
  }

  /// Notes that an element is no longer retired.
  func restoring(_ uid: UInt64) -> String {
    "DELETE FROM \(retiredTable) WHERE uid = \(uid.bits)"
  }

  /// Notes the model as the one in use.
  func noting(number: Int, isCopying: Bool) -> String {
    "INSERT INTO \(modelTable) (number, format, model, copying) VALUES "
      + "(\(number), \(SchemaCatalogue.format), \(modelText.quotedText), \(isCopying))"
  }

  private func fragment(_ entity: EntitySchema) -> String {
    Self.text(of: StoreSchema(of: [entity], lastEntity: entity.identity))
  }
}

extension PropertySchema {
  /// Removes what leads to other elements, which may be gone when the property comes back.
  fileprivate mutating func removeLinks() {
    index = nil
    targetEntityName = nil
  }
}

extension UInt64 {
  /// The number as a bigint, which has its bits.
  var bits: Int64 { Int64(bitPattern: self) }
}
