internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

/// Elements that the model no longer has, but whose data the database keeps.
struct RetiredElements: Sendable {
  struct Property: Sendable {
    /// The UID of its entity.
    var entity: UInt64
    var schema: PropertySchema
  }

  struct Relation: Sendable {
    var uid: UInt64
    /// The UIDs of the entities at its ends.
    var source: UInt64
    var target: UInt64
  }

  /// Entities with their last properties.
  var entities: [EntitySchema] = []
  /// Retired properties of current entities, and properties that retired entities had lost before.
  var properties: [Property] = []
  var relations: [Relation] = []

  /// The prefix of retired tables and columns; the UID follows.
  static let prefix = "objectbox_retired_"

  static func name(_ uid: UInt64) -> String { "\(prefix)\(uid)" }
}

/// The schema of a database, as its catalogue describes it.
struct SchemaCatalogue: Sendable {
  /// The version of the tables that this code creates and reads.
  ///
  /// Versions below 3 were never released.
  static let format = 3

  /// The number of the current model in the database's history; 0 without a model.
  var number = 0
  var model = StoreSchema(of: [], lastEntity: nil)
  /// True while a copy into the database is incomplete, and constraints and indexes are missing.
  var isCopying = false
  var retired = RetiredElements()
  /// True when the wanted model was the database's current model before another one.
  var hadWanted = false
  var hasNamespace = false
  /// True when the catalogue's own tables exist.
  var hasTables = false
  var neighbors = VectorIndexes()
  var texts = PresentTexts()
}

extension ClusterTables {
  /// The table of retired elements, qualified by its schema.
  var retiredTable: String { "\(namespace).\"objectbox_retired\"" }

  /// The model as the catalogue stores it; equal models have equal texts.
  var modelText: String { Self.text(of: model) }

  static func text(of model: StoreSchema) -> String {
    var writer = JSONWriter()
    model.writeModelJSON(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Creates the catalogue's tables.
  ///
  /// The model with the highest number is current. Earlier models show a program that its model is
  /// older.
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

  /// Asks for the current model, in one round trip; fails with `undefinedTable` in a database
  /// without models.
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
  /// - Throws: ``ClusterError/schemaNewer(message:)`` and ``ClusterError/schemaConflict(message:)`` for
  ///   tables of another version; ``ServerFailure``.
  init(_ tables: ClusterTables, on connection: Connection) async throws {
    let present = try await connection.run(
      [
        Statement("SELECT to_regnamespace($1) IS NOT NULL") { $0.append(tables.namespace) },
        Statement("SELECT to_regclass($1) IS NOT NULL") { $0.append(tables.modelTable) },
      ] + tables.vectorIndexCheck + [tables.textColumnCheck]
    )
    hasNamespace = present[0].bool(0, 0) ?? false
    hasTables = present[1].bool(0, 0) ?? false
    neighbors = VectorIndexes(present[2], present[3])
    texts = PresentTexts(present[4])
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
    number = Int(rows[0].anyInteger(0, 0) ?? 0)
    model = try Self.schema(rows[0].text(0, 2) ?? "")
    isCopying = rows[0].bool(0, 3) ?? false
    hadWanted = rows[1].bool(0, 0) ?? false
    retired = try RetiredElements(rows[2])
  }

  /// Throws when another version of this library made the tables.
  static func check(format: Int64?, in namespace: String) throws {
    guard let format, format != Self.format else { return }
    let found =
      "the schema \(namespace) has the format \(format), and this version of the library reads \(Self.format): "
    guard format > Self.format else {
      throw ClusterError.schemaConflict(
        message: found + "no release of the library made it; use another schema, or drop this one"
      )
    }
    throw ClusterError.schemaNewer(
      message: found + "a later version of the library made it; update the program"
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
  /// Records an entity as retired.
  func retiring(_ entity: EntitySchema) -> String {
    var entity = entity
    entity.relations = []
    entity.compoundIndexes = []
    for index in entity.properties.indices { entity.properties[index].removeLinks() }
    return retiring(entity.identity.uid, .entity, entity.name, fragment(entity))
  }

  /// Records a property of an entity as retired.
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

  /// Records a standalone relation as retired.
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

  /// Records that an element is no longer retired.
  func restoring(_ uid: UInt64) -> String {
    "DELETE FROM \(retiredTable) WHERE uid = \(uid.bits)"
  }

  /// Records the model as the current one.
  func noting(number: Int, isCopying: Bool) -> String {
    "INSERT INTO \(modelTable) (number, format, model, copying) VALUES "
      + "(\(number), \(SchemaCatalogue.format), \(modelText.quotedText), \(isCopying))"
  }

  private func fragment(_ entity: EntitySchema) -> String {
    Self.text(of: StoreSchema(of: [entity], lastEntity: entity.identity))
  }
}

extension PropertySchema {
  /// Removes references to other elements, which may not exist when the property is restored.
  fileprivate mutating func removeLinks() {
    index = nil
    targetEntityName = nil
  }
}

extension UInt64 {
  /// The number's bits as a bigint.
  var bits: Int64 { Int64(bitPattern: self) }
}
