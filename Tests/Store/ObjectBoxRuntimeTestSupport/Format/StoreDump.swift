import ObjectBox
import ObjectBoxFullText

/// Converts the content of a store file to JSON.
///
/// The schema, index entries, relation pairs and graphs come from the tables; the runtime reads the
/// objects.
package struct StoreDump {
  private let raw: RawStore
  private var content: [String: [String: JSON]] = [
    "entities": [:], "indexes": [:], "relations": [:], "graphs": [:],
  ]

  /// Returns the content of the store in a folder.
  ///
  /// - Parameters:
  ///   - path: The folder; the store must be closed.
  ///   - fixture: The model and the entities of the store.
  /// - Returns: The whole content, without the name of the model.
  /// - Throws: The errors of opening and reading.
  package static func json(path: String, _ fixture: StoreFixture) throws -> JSON {
    let store = try fixture.open(path: path)
    var objects: [String: [String: JSON]] = [:]
    for entity in fixture.entities { objects[entity.info.entityName] = try read(entity, store) }
    store.close()

    var dump = StoreDump(raw: try RawStore(path: path))
    var members = try dump.readAll()
    for (name, objects) in objects {
      var entity = dump.content["entities"]?[name]?.members ?? [:]
      entity["objects"] = .object(objects)
      dump.content["entities"]?[name] = .object(entity)
    }
    for (name, part) in dump.content { members[name] = .object(part) }
    return .object(members)
  }

  private init(raw: RawStore) {
    self.raw = raw
  }

  /// Returns the objects of an entity by ID, as the runtime reads them.
  private static func read<E: FixtureEntity>(_ entity: E.Type, _ store: Store) throws
    -> [String: JSON]
  {
    let objects = try store.box(for: FixtureObject<E>.self).all()
    return Dictionary(uniqueKeysWithValues: objects.map { ("\($0.id)", .object($0.values)) })
  }

  // MARK: Tables

  /// Reads all tables, and returns the decoded schema.
  private mutating func readAll() throws -> [String: JSON] {
    let (entities, last) = try FormatBytes.json(schema: try raw.value("schema") ?? [])
    for var entity in entities {
      let id = entity["identity"]?.elements.first?.int ?? 0
      let layouts = try raw.value("layouts/\(id)") ?? []
      entity["layoutCount"] = JSON(try FormatBytes.layoutCount(layouts))
      entity["sequence"] = try raw.value("sequence/\(id)").map { JSON($0[...].number(8)) } ?? .null
      entity["layouts"] = .object(
        try raw.objects("e\(id)").mapValues { JSON($0[...].number(2)) }.byText
      )
      for property in entity["properties"]?.elements.map(\.members) ?? [] {
        guard let index = property["index"]?.elements.first?.int else { continue }
        if property["graph"] == .null {
          try addIndex(index)
        } else {
          let graph = try graph("v\(index)")
          content["graphs"]?["\(index)"] = graph
        }
      }
      for index in entity["compoundIndexes"]?.elements ?? [] {
        try addIndex(index.members["identity"]?.elements.first?.int ?? 0)
      }
      for index in entity["fullTextIndexes"]?.elements ?? [] {
        let id = index.members["identity"]?.elements.first?.int ?? 0
        content["words", default: [:]]["\(id)"] = try words(id)
      }
      for relation in entity["relations"]?.elements ?? [] {
        let id = relation.members["identity"]?.elements.first?.int ?? 0
        let pairs = try pairs("r\(id)")
        content["relations"]?["\(id)"] = pairs
      }
      if let name = entity["name"]?.string { content["entities"]?[name] = .object(entity) }
    }
    if let retired = try raw.value("retired") { try addRetired(retired) }
    return last
  }

  private func pairs(_ name: String) throws -> JSON {
    .array(
      try raw.entries(name).map { entry in
        let source = entry.key.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return [JSON(source), JSON(entry.id)]
      }
    )
  }

  /// Adds the retired data of former models, with the stored records.
  private mutating func addRetired(_ bytes: [UInt8]) throws {
    var (entities, relations) = try FormatBytes.json(retired: bytes)
    for (name, var entity) in entities {
      let records = try raw.objects(entity["table"]?.string ?? "")
      entity["records"] = .object(records.mapValues { .text(Hex.text($0)) }.byText)
      entities[name] = entity
    }
    for (name, var relation) in relations {
      relation["pairs"] = try pairs(relation["table"]?.string ?? "")
      relations[name] = relation
    }
    content["retired"] = [
      "entities": .object(entities.mapValues { .object($0) }),
      "relations": .object(relations.mapValues { .object($0) }),
    ]
  }

  private mutating func addIndex(_ id: Int64) throws {
    let entries = try raw.entries("i\(id)").map { entry -> JSON in
      [.text(Hex.text(entry.key)), JSON(entry.id)]
    }
    content["indexes"]?["\(id)"] = .array(entries)
  }

  /// Returns the terms of a full-text index, with the IDs, frequencies and positions of the live
  /// objects that have them.
  private func words(_ id: Int64) throws -> JSON {
    let reader = try raw.fullTextIndex(id)
    var terms: [[UInt8]: [UInt64: JSON]] = [:]
    for run in reader.runs {
      let live = try run.liveBits
      try run.forEachTerm(startingWith: UnsafeRawBufferPointer(start: nil, count: 0)) {
        term,
        cursor in
        var next: UInt32 = 0
        while try cursor.skipBlocks(to: next) {
          try cursor.decode()
          for place in 0..<cursor.blockCount {
            let ordinal = cursor.ordinals[place]
            next = ordinal + 1
            if let live, live[Int(ordinal / 64)] >> (ordinal % 64) & 1 == 0 { continue }
            let positions = cursor.hasPositions ? Array(try cursor.positions(at: place)) : []
            terms[Array(term), default: [:]][try run.id(of: ordinal)] = [
              JSON(cursor.frequencies[place]), .array(positions.map { JSON($0) }),
            ]
          }
        }
      }
    }
    let pairs = terms.map { (Hex.text($0), JSON.object($1.byText)) }
    return [
      "objects": JSON(reader.objectCount),
      "terms": .object(Dictionary(uniqueKeysWithValues: pairs)),
    ]
  }

  private func graph(_ name: String) throws -> JSON {
    var nodes: [UInt64: JSON] = [:]
    var graph: [String: JSON] = [:]
    for (id, bytes) in try raw.objects(name) {
      if id == 0 {
        graph["form"] = JSON(bytes[0])
        graph["topLevel"] = JSON(bytes[1])
        graph["entry"] = JSON(bytes[2...].number(8))
        graph["count"] = JSON(bytes[10...].number(8))
        continue
      }
      var rest = bytes[1...]
      nodes[id] = .array(
        (0..<bytes[0]).map { _ in
          let count = Int(rest.number(4))
          rest = rest.dropFirst(4)
          defer { rest = rest.dropFirst(8 * count) }
          return .array((0..<count).map { JSON(rest.dropFirst(8 * $0).number(8)) })
        }
      )
    }
    graph["nodes"] = .object(nodes.byText)
    return .object(graph)
  }
}

extension ArraySlice<UInt8> {
  /// Reads a little-endian number.
  fileprivate func number(_ size: Int) -> UInt64 {
    prefix(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Dictionary where Key == UInt64, Value == JSON {
  fileprivate var byText: [String: JSON] {
    Dictionary<String, JSON>(uniqueKeysWithValues: map { ("\($0)", $1) })
  }
}
