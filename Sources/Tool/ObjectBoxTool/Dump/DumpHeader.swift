package import ObjectBox
package import ObjectBoxDynamic
package import ObjectBoxJSON

/// The first line of a dump: its version, the schema, and the content.
package struct DumpHeader: Sendable {
  /// The version of dumps that this code writes, and the newest that it reads.
  package static let version = 1

  /// An entity whose objects follow.
  package struct Entity: Sendable {
    /// The index of the entity in the schema.
    package var index: Int
    /// The number of objects; nil when unknown and not checked.
    package var count: Int?
    /// The entity's highest assigned ID.
    package var lastID: UInt64
  }

  /// A standalone relation whose pairs follow.
  package struct Relation: Sendable {
    package var id: UInt32
    /// The number of pairs; nil when unknown and not checked.
    package var count: Int?
  }

  package var schema: StoreSchema
  package var entities: [Entity] = []
  package var relations: [Relation] = []

  /// The number of objects and pairs; unknown numbers count as 0.
  package var totalCount: Int {
    entities.reduce(0) { $0 + ($1.count ?? 0) } + relations.reduce(0) { $0 + ($1.count ?? 0) }
  }

  /// Describes the dump of a version.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - schema: Its schema.
  ///   - names: The entities; empty for all.
  /// - Throws: ``Failure`` for an entity that the store lacks; ``ObjectBoxError`` when the store
  ///   cannot be read.
  package init(_ version: StoredVersion, _ schema: StoreSchema, entities names: [String]) throws {
    self.schema = schema
    for name in names where schema.index(ofEntity: name) == nil {
      let known = schema.entities.map { "'\($0.name)'" }.joined(separator: ", ")
      throw Failure(
        "the store has no entity '\(name)'; it has \(known.isEmpty ? "none" : known)"
      )
    }
    let chosen = schema.entities.indices.filter { index in
      names.isEmpty || names.contains(schema.entities[index].name)
    }
    entities = try chosen.map { index in
      Entity(
        index: index,
        count: try version.count(entity: index),
        lastID: try version.lastID(entity: index)
      )
    }
    for relation in chosen.flatMap({ schema.entities[$0].relations })
    where chosen.contains(where: { schema.entities[$0].identity.id == relation.target.id }) {
      let id = relation.identity.id
      relations.append(Relation(id: id, count: try version.linkCount(relation: id)))
    }
  }

  /// Appends the line without its end.
  package func write(to writer: inout JSONWriter) {
    writer.raw("{\"objectboxDump\":")
    writer.integer(Self.version)
    writer.raw(",\"entities\":")
    writer.list(entities) { writer, entity in
      writer.raw("{\"entity\":")
      writer.string(schema.entities[entity.index].name)
      if let count = entity.count {
        writer.raw(",\"count\":")
        writer.integer(count)
      }
      writer.raw(",\"lastId\":")
      writer.integer(entity.lastID)
      writer.raw("}")
    }
    writer.raw(",\"relations\":")
    writer.list(relations) { writer, relation in
      writer.raw("{\"relation\":")
      writer.integer(relation.id)
      if let count = relation.count {
        writer.raw(",\"count\":")
        writer.integer(count)
      }
      writer.raw("}")
    }
    writer.raw(",\"model\":")
    schema.writeModelJSON(to: &writer)
    writer.raw("}")
  }

  private static func lastID(_ value: JSONValue) throws -> UInt64 {
    let id: UInt64 = try value.number("an ID")
    guard id < .max else {
      throw LineFault(
        "found \(value.kind), and an ID up to \(UInt64.max - 1) is expected",
        at: value.place
      )
    }
    return id
  }

  /// Parses the line.
  ///
  /// Throws ``LineFault`` when it is no header, or of a newer version; ``ObjectBoxError`` for an
  /// error in the model.
  package init(_ line: JSONValue) throws {
    guard let version = line["objectboxDump"] else {
      throw LineFault(
        "found \(line.kind), and the first line of a dump is expected, which begins with "
          + "{\"objectboxDump\":\(Self.version)",
        at: line.place
      )
    }
    guard let number = version.integer(Int.self), number == Self.version else {
      throw LineFault(
        "the dump has the version \(version.kind), and this program reads version \(Self.version); load it "
          + "with the program that wrote it, or a later one",
        at: version.place
      )
    }
    schema = try StoreSchema(modelJSON: try line.expected("model"))
    for value in try line.expected("entities").list() {
      let name = try value.expected("entity")
      guard let index = name.string.flatMap({ schema.index(ofEntity: $0) }) else {
        throw LineFault("\(name.kind) is none of the entities of the model", at: name.place)
      }
      entities.append(
        Entity(
          index: index,
          count: try value["count"]?.number("a number of objects"),
          lastID: try value["lastId"].map(Self.lastID) ?? 0
        )
      )
    }
    let known = Set(schema.entities.flatMap(\.relations).map(\.identity.id))
    for value in try line.expected("relations").list() {
      let id = try value.expected("relation")
      guard let number = id.integer(UInt32.self), known.contains(number) else {
        throw LineFault("\(id.kind) is none of the relations of the model", at: id.place)
      }
      relations.append(
        Relation(id: number, count: try value["count"]?.number("a number of pairs"))
      )
    }
  }
}

extension JSONValue {
  /// Returns the member with a key, or throws a ``LineFault``.
  func expected(_ key: String) throws -> JSONValue {
    guard let value = self[key] else {
      throw LineFault("found \(kind), and an object with \"\(key)\" is expected", at: place)
    }
    return value
  }

  /// Returns the elements of an array, or throws a ``LineFault``.
  func list() throws -> [JSONValue] {
    guard let elements else {
      throw LineFault("found \(kind), and an array is expected", at: place)
    }
    return elements
  }

  /// Returns a whole number, or throws a ``LineFault``.
  func number<T: FixedWidthInteger>(_ expected: String) throws -> T {
    guard let number = integer(T.self), number >= 0 else {
      throw LineFault("found \(kind), and \(expected) is expected", at: place)
    }
    return number
  }
}
