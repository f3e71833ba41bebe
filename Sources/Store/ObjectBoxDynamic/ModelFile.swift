package import Foundation
internal import ObjectBox
internal import ObjectBoxJSON

/// Reads a model.json, by the calls of ``ModelBuilder`` that generated code makes.
///
/// Each fault is an ``ObjectBoxError/schema(message:)`` that begins with its location,
/// `path:line:column`.
package struct ModelFile {
  /// The range of `modelVersion` that can be read.
  private static let oldestVersion = 4
  private static let newestVersion = 5

  private let root: JSONValue
  private let builder: ModelBuilder
  private var checks = ModelFileChecks()

  /// Reads a file.
  ///
  /// - Parameter url: The URL of the file.
  /// - Returns: The finished model.
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when the file cannot be read, `schema` when it
  ///   is not a model.
  package static func model(at url: URL) throws -> OpaquePointer {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw ObjectBoxError.storageGeneral(
        message: "cannot read the model file '\(url.path)': \(error.localizedDescription); check "
          + "that it is there and may be read"
      )
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ModelFileFault("the model file is not UTF-8; restore it from version control")
        .error(at: JSONPlace(path: url.path, line: 1, column: 1))
    }
    return try model(text, path: url.path)
  }

  /// Reads a model from a file's text.
  static func model(_ text: String, path: String) throws -> OpaquePointer {
    do {
      var file = try ModelFile(try JSONParser.parse(text, path: path))
      try file.read()
      return file.builder.finish()
    } catch let fault as JSONFault {
      let text =
        fault.isConflict
        ? "the model file has a merge conflict; keep the entities and properties of both sides"
        : "the model file is no JSON: \(fault.text); restore it from version control"
      throw ModelFileFault(text).error(at: fault.place)
    }
  }

  /// Reads a store's schema from the form of a model file that ``StoreSchema/writeModelJSON(to:)``
  /// writes.
  ///
  /// - Parameter root: The whole model.
  /// - Returns: The schema.
  /// - Throws: ``ObjectBoxError/schema(message:)`` with the location of a fault.
  static func schema(_ root: JSONValue) throws -> StoreSchema {
    var file = try ModelFile(root, isFromStore: true)
    try file.read()
    return file.builder.schema.inOrderOfIDs
  }

  private init(_ root: JSONValue, isFromStore: Bool = false) throws {
    self.root = root
    builder = try ModelBuilder()
    checks.isFromStore = isFromStore
  }

  private mutating func read() throws {
    guard root.isObject else {
      throw ModelFileFault.wrongValue("model", root, expected: "an object")
    }
    try checkVersions()
    let last = try root.member("lastEntityId").map(ModelFileID.init)
    for value in try root.elements(of: "entities") {
      try addEntity(value, last)
    }
    let entities = builder.schema.entities
    try checks.checkTargets { target in
      switch target {
      case .name(let name): entities.contains { $0.name == name }
      case .identity(let identity): entities.contains { $0.identity == identity }
      }
    }
    if let last { builder.lastEntity(id: last.id, uid: last.uid) }
    if let last = try root.member("lastIndexId").map(ModelFileID.init), last.id != 0 {
      builder.lastIndex(id: last.id, uid: last.uid)
    }
    if let last = try root.member("lastRelationId").map(ModelFileID.init), last.id != 0 {
      builder.lastRelation(id: last.id, uid: last.uid)
    }
    for kind in ["Entity", "Index", "Property", "Relation"] {
      for value in try root.elements(of: "retired\(kind)Uids") {
        try checks.note(uid: try value.number(of: "UID"), at: value.place)
      }
    }
  }

  private func checkVersions() throws {
    if let value = root.member("modelVersion") {
      let version: Int = try value.number(of: "modelVersion")
      guard version >= Self.oldestVersion else {
        throw ModelFileFault(
          "the model file has version \(version), and the oldest that can be read is "
            + "\(Self.oldestVersion); update it with the generator that wrote it"
        ).error(at: value.place)
      }
    }
    if let value = root.member("modelVersionParserMinimum") {
      let version: Int = try value.number(of: "modelVersionParserMinimum")
      guard version <= Self.newestVersion else {
        throw ModelFileFault(
          "the model file asks for a reader that knows version \(version), this one knows "
            + "\(Self.newestVersion); update this library"
        ).error(at: value.place)
      }
    }
  }

  // MARK: Entities

  private mutating func addEntity(_ value: JSONValue, _ last: ModelFileID?) throws {
    let id = try ModelFileID(try value.required("id"))
    let name = try value.required("name").text(of: "name")
    let title = "entity '\(name)'"
    guard let last else {
      throw ModelFileFault("the model file has entities and no lastEntityId; \(Self.restore)")
        .error(at: root.place)
    }
    try checks.check(id, last: last, key: "lastEntityId", title)
    try checks.note(uid: id.uid, at: id.place)
    let entity: EntityBuilder<Never> = try Self.placing(id.place) {
      try builder.entityBuilder(named: name, id: id.id, uid: id.uid)
    }
    let flags: UInt32 = try value.member("flags")?.number(of: "flags") ?? 0
    if flags != 0 { try entity.flags(rawValue: flags) }
    if let name = try value.member("externalName")?.text(of: "externalName") {
      try entity.externalName(name)
    }
    guard let lastProperty = try value.member("lastPropertyId").map(ModelFileID.init) else {
      throw ModelFileFault("\(title) of the model has no lastPropertyId; \(Self.restore)")
        .error(at: value.place)
    }
    for property in try value.elements(of: "properties") {
      try addProperty(property, to: entity, of: name, lastProperty)
    }
    for relation in try value.elements(of: "relations") { try add(relation, to: entity) }
    for index in try value.elements(of: "compoundIndexes") { try add(index: index, to: entity) }
    for index in try value.elements(of: "fullTextIndexes") { try add(fullText: index, to: entity) }
    try entity.lastProperty(id: lastProperty.id, uid: lastProperty.uid)
    guard entity.idPropertyCount == 1 || checks.isFromStore else {
      throw ModelFileFault(
        "\(title) has \(entity.idPropertyCount) properties with the flag of an ID (1), and needs one; "
          + Self.restore
      ).error(at: value.place)
    }
  }

  // MARK: Properties

  private mutating func addProperty(
    _ value: JSONValue,
    to entity: EntityBuilder<Never>,
    of owner: String,
    _ last: ModelFileID
  ) throws {
    let id = try ModelFileID(try value.required("id"))
    let name = try value.required("name").text(of: "name")
    try checks.check(id, last: last, key: "lastPropertyId", "property '\(name)' of '\(owner)'")
    try checks.note(uid: id.uid, at: id.place)
    let type = try propertyType(value)
    let index = try value.member("indexId").map(ModelFileID.init)
    if let index { try checks.note(index: index) }
    let property = try Self.placing(id.place) {
      try entity.addProperty(
        name: name,
        type: type,
        id: id.id,
        uid: id.uid,
        indexId: index?.id ?? 0,
        indexUid: index?.uid ?? 0
      )
    }
    var flags: UInt32 = try value.member("flags")?.number(of: "flags") ?? 0
    // Optional unsigned numbers have this key in place of the flag.
    if try value.member("unsigned")?.boolean(of: "unsigned") == true {
      flags |= PropertyFlags.unsigned.rawValue
    }
    property.change { $0.flags = flags }
    if type == .relation, !checks.isFromStore || value.member("relationTarget") != nil {
      let target = try value.required("relationTarget").text(of: "relationTarget")
      property.change { $0.targetEntityName = target }
      checks.note(target: target, of: "property '\(owner).\(name)'", at: value.place)
    }
    if let type: UInt32 = try value.member("externalType")?.number(of: "externalType") {
      try property.externalType(type)
    }
    if let name = try value.member("externalName")?.text(of: "externalName") {
      try property.externalName(name)
    }
    if let word = value.member("collation") {
      let collation = try word.word(
        of: "collation",
        ["binary": Collation.binary, "nocase": .nocase]
      )
      _ = try Self.placing(word.place) { try property.collation(collation) }
    }
    if let word = value.member("onDelete") {
      try property.onDelete(try word.word(of: "onDelete", Self.deleteRules))
    }
    // An old property of several stands for the function of whole objects.
    let sources = try value.elements(of: "migratedFromProperties").map(ModelFileID.init)
    let types = try value.elements(of: "migratedFromTypes")
    if let source = try value.member("migratedFrom").map(ModelFileID.init) ?? sources.first {
      let type = try types.first ?? value.required("migratedFromType")
      let number: UInt16 = try type.number(of: "migratedFromType")
      _ = try Self.placing(source.place) {
        try property.migrated(
          from: source.id,
          uid: source.uid,
          type: PropertyType(rawValue: number) ?? .unknown
        ) { _, _ in
          throw ObjectBoxError.illegalState(
            message:
              "the function of the migration is in the program, which must open the store first"
          )
        }
      }
    }
    if let graph = value.member("vectorIndex") {
      let parameters = try HnswParameters(graph)
      property.change { $0.hnsw = parameters }
    }
  }

  private func propertyType(_ value: JSONValue) throws -> PropertyType {
    let type = try value.required("type")
    let number: UInt16 = try type.number(of: "type")
    guard let known = PropertyType(rawValue: number), known != .unknown || checks.isFromStore else {
      throw ModelFileFault(
        "the model has a property of type \(number), which this library does not know; update it"
      ).error(at: type.place)
    }
    return known
  }

  // MARK: Relations and indexes

  private static var deleteRules: [String: DeleteRule] {
    ["nullify": .nullify, "restrict": .restrict, "cascade": .cascade]
  }

  private mutating func add(_ value: JSONValue, to entity: EntityBuilder<Never>) throws {
    let id = try ModelFileID(try value.required("id"))
    let name = try value.required("name").text(of: "name")
    let target = try ModelFileID(try value.required("targetId"))
    try Self.placing(id.place) {
      try entity.addToManyRelation(
        id: id.id,
        uid: id.uid,
        targetId: target.id,
        targetUid: target.uid
      )
    }
    try entity.relationName(name)
    checks.note(target: target, of: "relation '\(name)'")
    if let type: UInt32 = try value.member("externalType")?.number(of: "externalType") {
      try entity.relationExternalType(type)
    }
    if let name = try value.member("externalName")?.text(of: "externalName") {
      try entity.relationExternalName(name)
    }
    if let word = value.member("onDelete") {
      try entity.relationOnDelete(try word.word(of: "onDelete", Self.deleteRules))
    }
    if let word = value.member("onTargetDelete") {
      try entity.relationOnTargetDelete(try word.word(of: "onTargetDelete", Self.deleteRules))
    }
  }

  private mutating func add(index value: JSONValue, to entity: EntityBuilder<Never>) throws {
    let id = try ModelFileID(try value.required("id"))
    try checks.note(index: id)
    let properties = try properties(of: value, in: entity)
    let isUnique = try value.member("unique")?.boolean(of: "unique") ?? false
    try Self.placing(id.place) {
      try entity.addCompoundIndex(
        id: id.id,
        uid: id.uid,
        propertyIds: properties,
        isUnique: isUnique
      )
    }
  }

  /// Returns the IDs of the properties of an index.
  private func properties(
    of value: JSONValue,
    in entity: EntityBuilder<Never>
  ) throws -> [UInt32] {
    let known = entity.propertyIdentities
    return try value.elements(of: "properties").map { element in
      let property = try ModelFileID(element)
      guard checks.isFromStore || known.contains(SchemaIdentity(id: property.id, uid: property.uid))
      else {
        throw ModelFileFault(
          "an index names the property \(property.id):\(property.uid), which its entity lacks; \(Self.restore)"
        ).error(at: property.place)
      }
      return property.id
    }
  }

  private mutating func add(fullText value: JSONValue, to entity: EntityBuilder<Never>) throws {
    let id = try ModelFileID(try value.required("id"))
    try checks.note(index: id)
    let keepsDiacritics = try value.member("diacritics")?
      .word(of: "diacritics", ["fold": false, "keep": true])
    let name = try value.member("name")?.text(of: "name")
    let properties = try properties(of: value, in: entity)
    let weights: [UInt8] = try value.elements(of: "weights").map { try $0.number(of: "weights") }
    let language = try value.member("language")?.text(of: "language")
    let lengths: [Int] = try value.elements(of: "prefix").map { try $0.number(of: "prefix") }
    let k1 = try value.member("k1")?.real(of: "k1")
    let b = try value.member("b")?.real(of: "b")
    try Self.placing(id.place) {
      try entity.addFullTextIndex(
        id: id.id,
        uid: id.uid,
        name: name,
        propertyIds: properties,
        weights: weights,
        language: language,
        prefixLengths: lengths,
        keepsDiacritics: keepsDiacritics ?? false,
        k1: k1 ?? FullTextIndexSchema.usualK1,
        b: b ?? FullTextIndexSchema.usualB
      )
    }
  }

  // MARK: Faults

  static let restore = "restore the model file from version control"

  /// Runs a call of a builder, and adds the location in the file to its errors.
  private static func placing<T>(_ place: JSONPlace, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as ObjectBoxError {
      throw ModelFileFault(error.message).error(at: place)
    }
  }
}
