package import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

/// Stores the objects and pairs of a dump under their original IDs.
///
/// Uses one transaction, or batches. With batches, stored objects stay when a later line is bad.
/// The same load can run again without harm, since it puts objects under the same IDs. Memory is
/// bounded by the largest object and by the pages of a transaction.
package struct Load {
  /// The number of objects and pairs above which a load uses batches by default.
  package static let allInOneLimit = 100_000
  package static let usualBatchSize = 20_000

  /// The outcome of a finished load.
  package struct Outcome: Sendable {
    package var objects = 0
    package var pairs = 0
  }

  /// The error of a load that ended early; its stored batches stay.
  package struct Stopped: Error {
    package var cause: any Error
    /// The number of stored objects and pairs.
    package var stored: Int
    /// The number of the last stored line.
    package var line: Int
  }

  private let lines: InputLines
  package let header: DumpHeader
  private var entities: [String: LoadEntity] = [:]
  private var relations: Set<UInt32> = []

  /// Reads the header of a dump.
  ///
  /// - Parameter lines: The lines of the dump.
  /// - Throws: ``LineFault`` when it is no dump; ``ObjectBoxError`` for an error in its model.
  package init(_ lines: InputLines) throws {
    self.lines = lines
    guard let line = try lines.next() else {
      throw LineFault(
        "found the end of the input, and a dump is expected",
        at: JSONPlace(path: lines.name, line: 1, column: 1)
      )
    }
    header = try DumpHeader(try Self.value(line, of: lines))
    relations = Set(header.relations.map(\.id))
    for entity in header.entities {
      let schema = header.schema.entities[entity.index]
      entities[schema.name] = LoadEntity(schema, index: entity.index)
    }
  }

  /// Returns the number of objects and pairs of a transaction; nil for one transaction.
  package func batchSize(asked: Int?) -> Int? {
    guard let asked else {
      return header.totalCount > Self.allInOneLimit ? Self.usualBatchSize : nil
    }
    return asked == 0 ? nil : asked
  }

  /// Checks that the dump's objects fit a store.
  ///
  /// Throws ``Failure`` with all differences.
  package func check(against schema: StoreSchema) throws {
    let lines = SchemaDifferences.lines(
      dump: header.schema,
      entities: header.entities.map(\.index),
      store: schema
    )
    guard lines.isEmpty else {
      throw Failure(
        "the store has another schema than the dump, so nothing is stored:\n  "
          + lines.joined(separator: "\n  ")
      )
    }
  }

  /// Stores everything.
  ///
  /// - Parameters:
  ///   - store: A store that ``check(against:)`` accepts.
  ///   - batchSize: The number of objects and pairs of a transaction; nil for one transaction.
  ///   - progress: Gets the number of objects and pairs read. If it throws, the load ends.
  /// - Returns: How much was stored.
  /// - Throws: ``Stopped`` with the cause: ``LineFault`` for a line that cannot be stored,
  ///   ``ObjectBoxError`` when the store cannot be written.
  package func run(
    into store: Store,
    batchSize: Int?,
    progress: (_ done: Int) throws -> Void = { _ in }
  ) throws -> Outcome {
    var run = LoadRun(
      lines: lines,
      header: header,
      entities: try indexed(in: store.schema),
      relations: relations
    )
    var storedLine = lines.number
    while !run.isAtEnd {
      let before = run
      do {
        try store.writingStored { writing in
          try run.storeBatch(writing, size: batchSize, progress)
        }
        storedLine = lines.number
      } catch {
        throw Stopped(cause: error, stored: before.count, line: storedLine)
      }
    }
    return run.outcome
  }

  /// Returns the entities, with their indices in the store's schema.
  private func indexed(in schema: StoreSchema) throws -> [String: LoadEntity] {
    try entities.mapValues { entity in
      guard let index = schema.index(ofEntity: entity.entity.name) else {
        throw Failure("the store has no entity '\(entity.entity.name)'")
      }
      return LoadEntity(schema.entities[index], index: index)
    }
  }

  fileprivate static func value(_ line: [UInt8], of lines: InputLines) throws -> JSONValue {
    do {
      return try JSONParser.parse(line: line, path: lines.name, number: lines.number)
    } catch {
      throw LineFault("found no JSON: \(error.text)", at: error.place)
    }
  }
}

/// An entity and its fields by name.
private struct LoadEntity {
  let entity: DumpEntity
  let fields: [String: DumpEntity.Field]

  init(_ schema: EntitySchema, index: Int) {
    entity = DumpEntity(schema, index: index)
    fields = Dictionary(
      entity.fields.map { ($0.property.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}

/// The state of a load between two lines.
private struct LoadRun {
  let lines: InputLines
  let header: DumpHeader
  let entities: [String: LoadEntity]
  let relations: Set<UInt32>
  private(set) var outcome = Load.Outcome()
  private(set) var isAtEnd = false
  private var objectCounts: [Int: Int] = [:]
  private var pairCounts: [UInt32: Int] = [:]

  init(
    lines: InputLines,
    header: DumpHeader,
    entities: [String: LoadEntity],
    relations: Set<UInt32>
  ) {
    self.lines = lines
    self.header = header
    self.entities = entities
    self.relations = relations
  }

  /// The number of objects and pairs so far.
  var count: Int { outcome.objects + outcome.pairs }

  /// Stores lines until a number of objects and pairs is reached, or the dump ends.
  mutating func storeBatch(
    _ writing: StoredWriting,
    size: Int?,
    _ progress: (Int) throws -> Void
  ) throws {
    let end = size.map { count + $0 }
    var shown = count
    while end.map({ count < $0 }) ?? true {
      guard let line = try lines.next() else { return try finish(writing) }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      try store(try Load.value(line, of: lines), writing)
      if count - shown >= 256 {
        shown = count
        try progress(count)
      }
    }
    try progress(count)
  }

  private mutating func store(_ line: JSONValue, _ writing: StoredWriting) throws {
    guard case .object(let members) = line.content, let (key, value) = members.first else {
      throw LineFault("found \(line.kind), and an object of an entity is expected", at: line.place)
    }
    if key == "relation", !value.isObject { return try storePairs(line, value, writing) }
    guard let entity = entities[key] else {
      let known = entities.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      throw LineFault(
        "found the key \"\(key)\", and an entity of this dump is expected: "
          + (known.isEmpty ? "it has none" : known),
        at: value.keyPlace ?? line.place
      )
    }
    guard members.count == 1 else {
      throw LineFault(
        "found the key \"\(members[1].key)\" behind an object, and the end of the line is expected",
        at: members[1].value.keyPlace ?? line.place
      )
    }
    try store(value, as: entity, writing)
    outcome.objects += 1
    objectCounts[entity.entity.index, default: 0] += 1
  }

  private func store(
    _ object: JSONValue,
    as target: LoadEntity,
    _ writing: StoredWriting
  ) throws {
    let entity = target.entity
    guard case .object(let members) = object.content else {
      throw LineFault(
        "found \(object.kind), and an object with the values of '\(entity.name)' is expected",
        at: object.place
      )
    }
    let idValue = try object.expected(entity.idKey)
    guard let id = idValue.integer(UInt64.self), id > 0, id < .max else {
      throw LineFault(
        "'\(entity.name).\(entity.idKey)' is \(idValue.kind), and an ID from 1 to \(UInt64.max - 1) is expected",
        at: idValue.place
      )
    }
    do {
      try writing.put(entity: entity.index, id: id) { set in
        for (key, value) in members where key != entity.idKey {
          guard let field = target.fields[key] else {
            let names = entity.fields.map { "'\($0.property.name)'" }.joined(separator: ", ")
            throw LineFault(
              "found the key \"\(key)\", and a property of '\(entity.name)' is expected: \(names)",
              at: value.keyPlace ?? value.place
            )
          }
          try value.withExact(as: field.form, "'\(entity.name).\(key)'") { set(field.property, $0) }
        }
      }
    } catch let error as ObjectBoxError {
      throw error.isOfValue ? LineFault(error.message, at: object.place) as any Error : error
    }
  }

  private mutating func storePairs(
    _ line: JSONValue,
    _ relation: JSONValue,
    _ writing: StoredWriting
  ) throws {
    guard let id = relation.integer(UInt32.self), relations.contains(id) else {
      throw LineFault(
        "found \(relation.kind), and the ID of a relation of this dump is expected",
        at: relation.place
      )
    }
    let source: UInt64 = try line.expected("source").number("an ID")
    for value in try line.expected("targets").list() {
      let target: UInt64 = try value.number("an ID")
      do {
        try writing.relate(relation: id, source: source, target: target)
      } catch ObjectBoxError.notFound(let message) {
        throw LineFault(
          "found a pair of relation \(id) whose objects are not both stored: \(message)",
          at: value.place
        )
      }
      outcome.pairs += 1
      pairCounts[id, default: 0] += 1
    }
  }

  /// Checks that nothing is missing, and restores the highest assigned IDs.
  private mutating func finish(_ writing: StoredWriting) throws {
    let place = JSONPlace(path: lines.name, line: lines.number + 1, column: 1)
    for entity in header.entities {
      let name = header.schema.entities[entity.index].name
      guard let index = entities[name]?.entity.index else { continue }
      let found = objectCounts[index] ?? 0
      if let count = entity.count, count != found {
        throw LineFault(
          "found the end of the dump after \(found.counted("object")) of '\(name)', and \(count) are expected",
          at: place
        )
      }
      try writing.raiseLastID(entity: index, to: entity.lastID)
    }
    for relation in header.relations {
      let found = pairCounts[relation.id] ?? 0
      if let count = relation.count, count != found {
        throw LineFault(
          "found the end of the dump after \(found.counted("pair")) of relation \(relation.id), and \(count) "
            + "are expected",
          at: place
        )
      }
    }
    isAtEnd = true
  }
}

extension ObjectBoxError {
  /// Whether an object is at fault, not the store.
  var isOfValue: Bool {
    switch self {
    case .uniqueViolation, .constraintViolated, .illegalArgument: true
    default: false
    }
  }
}
