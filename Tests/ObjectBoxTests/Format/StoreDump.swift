import Foundation
import ObjectBox
import ObjectBoxStorage

/// The content of a store file as JSON: the schema, index entries, relation pairs and graphs as they stand in
/// the tables, the objects as the runtime reads them.
struct StoreDump {
  private let transaction: StorageTransaction
  private var content: [String: [String: JSON]] = [
    "entities": [:], "indexes": [:], "relations": [:], "graphs": [:],
  ]

  /// Returns the content of the store in a folder.
  ///
  /// - Parameters:
  ///   - path: The folder; the store must be closed.
  ///   - fixture: What the store is opened with.
  /// - Returns: All of it, but for the name of the model.
  /// - Throws: What opening and reading throws.
  static func json(path: String, _ fixture: StoreFixture) throws -> JSON {
    let store = try fixture.open(path: path)
    var objects: [String: [String: JSON]] = [:]
    for entity in fixture.entities { objects[entity.info.entityName] = try read(entity, store) }
    store.close()

    let environment = try StorageEnvironment(
      directory: path,
      options: StorageEnvironment.Options(mapSizeInBytes: 1 << 24, maximumTableCount: 128)
    )
    defer { environment.close() }
    let transaction = try environment.beginRead()
    defer { transaction.abort() }
    var dump = StoreDump(transaction: transaction)
    var last = try dump.readAll()
    for (name, objects) in objects {
      var entity = dump.content["entities"]?[name]?.members ?? [:]
      entity["objects"] = .object(objects)
      dump.content["entities"]?[name] = .object(entity)
    }
    for (name, members) in dump.content { last[name] = .object(members) }
    return .object(last)
  }

  private init(transaction: StorageTransaction) {
    self.transaction = transaction
  }

  /// Returns the objects of an entity by ID, as the runtime reads them.
  private static func read<E: FixtureEntity>(_ entity: E.Type, _ store: Store) throws
    -> [String: JSON]
  {
    let objects = try store.box(for: FixtureObject<E>.self).all()
    return Dictionary(uniqueKeysWithValues: objects.map { ("\($0.id)", .object($0.values)) })
  }

  // MARK: Tables

  private func table(_ name: String, _ kind: StorageTable.Kind) throws -> StorageTable {
    guard let table = try transaction.openTable(name, kind, create: false) else {
      throw MissingTable(name: name)
    }
    return table
  }

  private struct MissingTable: Error {
    var name: String
  }

  private mutating func readAll() throws -> [String: JSON] {
    let system = try table("objectbox", .plain)
    let bytes = try transaction.get(system, key: Array("schema".utf8)) ?? []
    let (entities, last) = try FormatBytes.json(schema: bytes)
    for var entity in entities {
      let id = entity["identity"]?.elements.first?.int ?? 0
      let layouts = try transaction.get(system, key: Array("layouts/\(id)".utf8)) ?? []
      let sequence = try transaction.get(system, key: Array("sequence/\(id)".utf8))
      entity["layoutCount"] = JSON(try FormatBytes.layoutCount(layouts))
      entity["sequence"] = sequence.map { JSON(Self.number($0[...], 8)) } ?? .null
      entity["layouts"] = .object(
        try objects("e\(id)").mapValues { JSON(Self.number($0[...], 2)) }.byText
      )
      for property in entity["properties"]?.elements.map(\.members) ?? [] {
        guard let index = property["index"]?.elements.first?.int else { continue }
        if property["graph"] == .null {
          set("indexes", index, try entries("i\(index)") { .text(Hex.text($0)) })
        } else {
          set("graphs", index, try graph("v\(index)"))
        }
      }
      for index in entity["compoundIndexes"]?.elements ?? [] {
        let id = index.members["identity"]?.elements.first?.int ?? 0
        set("indexes", id, try entries("i\(id)") { .text(Hex.text($0)) })
      }
      for relation in entity["relations"]?.elements ?? [] {
        let id = relation.members["identity"]?.elements.first?.int ?? 0
        set("relations", id, try entries("r\(id)", Self.bigEndian))
      }
      if case .text(let name)? = entity["name"] { content["entities"]?[name] = .object(entity) }
    }
    return last
  }

  private mutating func set(_ part: String, _ id: Int64, _ value: JSON) {
    content[part]?["\(id)"] = value
  }

  private static func bigEndian(_ key: [UInt8]) -> JSON {
    JSON(key.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  /// Reads a little-endian number.
  private static func number(_ bytes: ArraySlice<UInt8>, _ size: Int) -> UInt64 {
    bytes.prefix(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func objects(_ name: String) throws -> [UInt64: [UInt8]] {
    let cursor = try transaction.cursor(try table(name, .objects))
    var objects: [UInt64: [UInt8]] = [:]
    var entry = try cursor.firstObject()
    while let object = entry {
      objects[object.id] = Array(object.record)
      entry = try cursor.nextObject()
    }
    return objects
  }

  private func entries(_ name: String, _ json: ([UInt8]) -> JSON) throws -> JSON {
    let cursor = try transaction.cursor(try table(name, .index))
    var entries: [JSON] = []
    var entry = try cursor.firstEntry()
    while let found = entry {
      entries.append([json(Array(found.key)), JSON(found.id)])
      entry = try cursor.nextEntry()
    }
    return .array(entries)
  }

  private func graph(_ name: String) throws -> JSON {
    var nodes: [UInt64: JSON] = [:]
    var graph: [String: JSON] = [:]
    for (id, bytes) in try objects(name) {
      if id == 0 {
        graph["form"] = JSON(bytes[0])
        graph["topLevel"] = JSON(bytes[1])
        graph["entry"] = JSON(Self.number(bytes[2...], 8))
        graph["count"] = JSON(Self.number(bytes[10...], 8))
        continue
      }
      var rest = bytes[1...]
      nodes[id] = .array(
        (0..<bytes[0]).map { _ in
          let count = Int(Self.number(rest, 4))
          rest = rest.dropFirst(4)
          defer { rest = rest.dropFirst(8 * count) }
          return .array((0..<count).map { JSON(Self.number(rest.dropFirst(8 * $0), 8)) })
        }
      )
    }
    graph["nodes"] = .object(nodes.byText)
    return .object(graph)
  }
}

extension Dictionary where Key == UInt64, Value == JSON {
  fileprivate var byText: [String: JSON] {
    Dictionary<String, JSON>(uniqueKeysWithValues: map { ("\($0)", $1) })
  }
}
