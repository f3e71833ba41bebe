internal import ObjectBoxJSON

/// Makes a model from JSON and collects everything that is wrong with it.
struct ModelReader {
  let path: String
  private(set) var diagnostics: [Diagnostic] = []

  init(path: String) {
    self.path = path
  }

  mutating func read(_ root: JSONValue) -> ModelDocument {
    var model = ModelDocument()
    guard root.isObject else {
      report(.modelUnreadable("it is \(root.kind), not an object"), at: root.position)
      return model
    }
    guard checkVersions(root) else { return model }
    model.lastEntityID = id(root["lastEntityId"]) ?? .none
    model.lastIndexID = id(root["lastIndexId"]) ?? .none
    model.lastRelationID = id(root["lastRelationId"]) ?? .none
    model.lastSequenceID = id(root["lastSequenceId"]) ?? .none
    model.newUIDPool = root["newUidPool"].map { numbers($0) }
    model.retiredEntityUIDs = root["retiredEntityUids"].map { numbers($0) } ?? []
    model.retiredIndexUIDs = root["retiredIndexUids"].map { numbers($0) } ?? []
    model.retiredPropertyUIDs = root["retiredPropertyUids"].map { numbers($0) } ?? []
    model.retiredRelationUIDs = root["retiredRelationUids"].map { numbers($0) } ?? []
    var checks = ModelChecks()
    for value in elements(root["entities"], of: "entities") {
      if let entity = entity(value, &checks) { model.entities.append(entity) }
    }
    checks.checkEntities(
      model.entities,
      last: root["lastEntityId"] == nil ? nil : model.lastEntityID,
      at: root["lastEntityId"]?.position ?? root.position
    )
    for key in [
      "retiredEntityUids", "retiredIndexUids", "retiredPropertyUids", "retiredRelationUids",
    ] {
      for value in root[key]?.elements ?? [] {
        if let uid = value.integer(UInt64.self) { checks.note(uid: uid, at: value.position) }
      }
    }
    diagnostics += checks.diagnostics
    return model
  }

  private mutating func report(_ message: DiagnosticMessage, at position: SourcePosition) {
    diagnostics.append(Diagnostic(message, at: position))
  }

  private mutating func checkVersions(_ root: JSONValue) -> Bool {
    let oldest = 4
    if let version = root["modelVersion"] {
      guard let number = version.integer(Int.self), number >= oldest else {
        report(.modelVersion(found: version.kind, oldest: oldest), at: version.position)
        return false
      }
    }
    if let minimum = root["modelVersionParserMinimum"], let number = minimum.integer(Int.self),
      number > ModelWriter.modelVersion
    {
      report(.modelTooNew(needs: number, known: ModelWriter.modelVersion), at: minimum.position)
      return false
    }
    return true
  }

  private mutating func entity(
    _ value: JSONValue,
    _ checks: inout ModelChecks
  ) -> ModelDocument.Entity? {
    guard let id = id(value["id"]), let name = text(value["name"], of: "name", in: value) else {
      if value["id"] == nil { report(.missingKey("id"), at: value.position) }
      return nil
    }
    var entity = ModelDocument.Entity(
      id: id,
      lastPropertyID: self.id(value["lastPropertyId"]) ?? .none,
      name: name
    )
    entity.flags = EntityFlags(rawValue: number(value["flags"]) ?? 0)
    entity.externalName = value["externalName"]?.string
    checks.note(entity, at: value["id"]?.position ?? value.position, name: value["name"]?.position)
    for item in elements(value["properties"], of: "properties") {
      if let property = property(item) {
        checks.note(property, of: entity, at: item["id"]?.position ?? item.position)
        entity.properties.append(property)
      }
    }
    for item in elements(value["relations"], of: "relations") {
      if let relation = relation(item) { entity.relations.append(relation) }
    }
    for item in elements(value["compoundIndexes"], of: "compoundIndexes") {
      if let index = compoundIndex(item, of: entity) { entity.compoundIndexes.append(index) }
    }
    checks.checkProperties(
      of: entity,
      hasLast: value["lastPropertyId"] != nil,
      at: value["lastPropertyId"]?.position ?? value.position
    )
    return entity
  }

  private mutating func property(_ value: JSONValue) -> ModelDocument.Property? {
    guard let id = id(value["id"]), let name = text(value["name"], of: "name", in: value) else {
      if value["id"] == nil { report(.missingKey("id"), at: value.position) }
      return nil
    }
    var property = ModelDocument.Property(id: id, name: name)
    property.indexID = self.id(value["indexId"])
    property.type = number(value["type"])
    property.flags = PropertyFlags(rawValue: number(value["flags"]) ?? 0)
    property.relationTarget = value["relationTarget"]?.string
    property.externalName = value["externalName"]?.string
    property.externalType = number(value["externalType"])
    property.collation = collation(value["collation"])
    property.onDelete = rule(value["onDelete"], of: "onDelete")
    return property
  }

  private mutating func compoundIndex(
    _ value: JSONValue,
    of entity: ModelDocument.Entity
  ) -> ModelDocument.CompoundIndex? {
    guard let id = id(value["id"]) else {
      if value["id"] == nil { report(.missingKey("id"), at: value.position) }
      return nil
    }
    var index = ModelDocument.CompoundIndex(id: id, isUnique: false, propertyIDs: [])
    for item in elements(value["properties"], of: "properties") {
      guard let property = self.id(item) else { continue }
      index.propertyIDs.append(property)
      if !entity.properties.contains(where: { $0.id == property }) {
        report(.noSuchIndexedProperty(property, entity: entity.name), at: item.position)
      }
    }
    if index.propertyIDs.count < 2 {
      report(
        .wrongValue("list of properties", expected: "one of two or more", found: "shorter"),
        at: value.position
      )
    }
    switch value["unique"]?.content {
    case .boolean(let isUnique): index.isUnique = isUnique
    case nil: break
    default:
      let found = value["unique"]?.kind ?? ""
      report(.wrongValue("unique", expected: "a Boolean", found: found), at: value.position)
    }
    return index
  }

  private mutating func relation(_ value: JSONValue) -> ModelDocument.Relation? {
    guard let id = id(value["id"]), let name = text(value["name"], of: "name", in: value) else {
      if value["id"] == nil { report(.missingKey("id"), at: value.position) }
      return nil
    }
    return ModelDocument.Relation(
      id: id,
      name: name,
      externalName: value["externalName"]?.string,
      externalType: number(value["externalType"]),
      targetID: self.id(value["targetId"]) ?? .none,
      onDelete: rule(value["onDelete"], of: "onDelete"),
      onTargetDelete: rule(value["onTargetDelete"], of: "onTargetDelete")
    )
  }

  // MARK: Values

  private mutating func elements(_ value: JSONValue?, of key: String) -> [JSONValue] {
    guard let value else { return [] }
    guard let elements = value.elements else {
      report(.wrongValue(key, expected: "an array", found: value.kind), at: value.position)
      return []
    }
    return elements
  }

  private mutating func text(_ value: JSONValue?, of key: String, in owner: JSONValue) -> String? {
    guard let value else {
      report(.missingKey(key), at: owner.position)
      return nil
    }
    guard let text = value.string else {
      report(.wrongValue(key, expected: "a text", found: value.kind), at: value.position)
      return nil
    }
    return text
  }

  private mutating func rule(_ value: JSONValue?, of key: String) -> DeleteRule? {
    guard let value else { return nil }
    guard let rule = value.string.flatMap(DeleteRule.init(rawValue:)) else {
      let words = "\"cascade\", \"restrict\" or \"nullify\""
      report(.wrongValue(key, expected: words, found: value.kind), at: value.position)
      return nil
    }
    return rule.stated
  }

  private mutating func collation(_ value: JSONValue?) -> Collation? {
    guard let value else { return nil }
    guard let collation = value.string.flatMap(Collation.init(rawValue:)) else {
      let words = "\"nocase\" or \"binary\""
      report(.wrongValue("collation", expected: words, found: value.kind), at: value.position)
      return nil
    }
    return collation.stated
  }

  private mutating func number<T: FixedWidthInteger>(_ value: JSONValue?) -> T? {
    guard let value else { return nil }
    guard let number = value.integer(T.self) else {
      report(
        .wrongValue("value", expected: "a whole number", found: value.kind),
        at: value.position
      )
      return nil
    }
    return number
  }

  private mutating func numbers(_ value: JSONValue) -> [UInt64] {
    elements(value, of: "list of UIDs").compactMap { number($0) }
  }

  /// Reads "id:uid".
  private mutating func id(_ value: JSONValue?) -> ModelID? {
    guard let value else { return nil }
    let parts = value.string?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, let id = UInt32(parts[0]), let uid = UInt64(parts[1]) else {
      report(
        .wrongValue("ID", expected: "a text \"id:uid\"", found: value.kind),
        at: value.position
      )
      return nil
    }
    return ModelID(id: id, uid: uid)
  }
}

extension DiagnosticMessage {
  static func modelVersion(found: String, oldest: Int) -> Self {
    Self(
      .error,
      "the model file has version \(found), and the oldest that can be read is \(oldest); update it with "
        + "the generator that wrote it"
    )
  }

  static func modelTooNew(needs: Int, known: Int) -> Self {
    Self(
      .error,
      "the model file asks for a generator that knows version \(needs), this one knows \(known); use a "
        + "newer generator"
    )
  }

  static func noSuchIndexedProperty(_ id: ModelID, entity: String) -> Self {
    modelUnreadable("an index of '\(entity)' is over property \(id.id):\(id.uid), which is missing")
  }

  static func missingKey(_ key: String) -> Self {
    modelUnreadable("the key \"\(key)\" is missing")
  }

  static func wrongValue(_ key: String, expected: String, found: String) -> Self {
    modelUnreadable("the \(key) is \(found), and \(expected) is expected")
  }
}
