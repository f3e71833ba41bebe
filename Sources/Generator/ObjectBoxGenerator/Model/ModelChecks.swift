package import ObjectBoxJSON

/// Checks the rules between the elements of a model file while it is read.
struct ModelChecks {
  private static let leastUID: UInt64 = 256

  private(set) var diagnostics: [Diagnostic] = []
  /// Position of the first occurrence of each key.
  ///
  /// Keys are UIDs, entity names, and IDs, which are an entity's ID or the IDs of an entity and a
  /// property.
  private var places: [AnyHashable: SourcePosition] = [:]
  private var entityPositions: [UInt32: SourcePosition] = [:]
  /// The entity that is being read.
  fileprivate var entity = ModelDocument.Entity()
  fileprivate var entityProperties: Set<ModelID> = []

  private mutating func report(
    _ message: DiagnosticMessage,
    at position: SourcePosition,
    other: SourcePosition? = nil,
    _ note: DiagnosticMessage = .otherPlace
  ) {
    let notes = other.map { [Diagnostic(note, at: $0)] } ?? []
    diagnostics.append(Diagnostic(message, at: position, notes: notes))
  }

  /// Notes the position of a key; reports a duplicate.
  private mutating func note(
    _ key: some Hashable,
    at position: SourcePosition,
    _ duplicate: DiagnosticMessage
  ) {
    if let other = places[key] {
      report(duplicate, at: position, other: other)
    } else {
      places[key] = position
    }
  }

  /// Notes a UID of an entity, a property or a retired element; reports a duplicate.
  fileprivate mutating func note(uid: UInt64, at position: SourcePosition) {
    if uid < Self.leastUID || uid > UInt64(Int64.max) {
      report(.uidOutOfRange(uid), at: position)
    } else {
      note(uid, at: position, .duplicateUID(uid))
    }
  }

  fileprivate mutating func note(_ entity: ModelDocument.Entity, _ json: JSONValue) {
    let (id, position) = (entity.id.id, json.position(of: "id"))
    note([id], at: position, .duplicateEntityID(entity.name, id))
    entityPositions[id] = position
    let namePosition = json["name"]?.position ?? position
    note(entity.name.lowercased(), at: namePosition, .duplicateModelEntityName(entity.name))
    note(uid: entity.id.uid, at: position)
    self.entity = entity
    entityProperties = []
  }

  fileprivate mutating func note(_ property: ModelDocument.Property, _ json: JSONValue) {
    let (id, position) = (property.id.id, json.position(of: "id"))
    let duplicate = DiagnosticMessage.duplicatePropertyID(property.name, id, entity: entity.name)
    note([entity.id.id, id], at: position, duplicate)
    note(uid: property.id.uid, at: position)
    entityProperties.insert(property.id)
  }

  /// Checks that the last ID of a kind is the greatest ID and has its element's UID.
  fileprivate mutating func check<Element: ModelElement>(
    _ elements: [Element],
    of owner: String? = nil,
    last: ModelID,
    in json: JSONValue,
    missing: DiagnosticMessage
  ) {
    let key = Element.kind.lastKey
    let position = json.position(of: key)
    guard json[key] != nil else { return report(missing, at: position) }
    for element in elements where element.id.id >= last.id && element.id != last {
      let (id, title) = (element.id, element.title(of: owner))
      let place = owner == nil ? entityPositions[id.id] : places[[entity.id.id, id.id]]
      let message: DiagnosticMessage =
        id.id > last.id
        ? .aboveLast(title, id.id, key: key, last.id)
        : .lastUIDMismatch(title, id, key: key, last)
      report(message, at: place ?? position, other: position, .lastID(key))
    }
  }
}

extension ModelDocument {
  package func checkElements(_ json: JSONValue, _ reader: inout ModelReader) {
    if !entities.isEmpty {
      reader.checks.check(entities, last: lastEntityID, in: json, missing: .noLastEntityID)
    }
    for value in ElementKind.allCases.flatMap({ json[$0.retiredKey]?.elements ?? [] }) {
      if let uid: UInt64 = value.integer() { reader.checks.note(uid: uid, at: value.position) }
    }
  }
}

extension ModelDocument.Entity {
  package func check(_ json: JSONValue, _ reader: inout ModelReader) {
    reader.checks.note(self, json)
  }

  package func checkElements(_ json: JSONValue, _ reader: inout ModelReader) {
    reader.checks.check(
      properties,
      of: name,
      last: lastPropertyID,
      in: json,
      missing: .noLastPropertyID(name)
    )
  }
}

extension ModelDocument.Property {
  package func check(_ json: JSONValue, _ reader: inout ModelReader) {
    reader.checks.note(self, json)
  }
}

extension ModelDocument.CompoundIndex {
  package func check(_ json: JSONValue, _ reader: inout ModelReader) {
    for item in json["properties"]?.elements ?? [] {
      if let id = ModelID(item), !reader.checks.entityProperties.contains(id) {
        let message = DiagnosticMessage.noSuchIndexedProperty(id, entity: reader.checks.entity.name)
        reader.report(message, at: item.position)
      }
    }
    guard propertyIDs.count < 2 else { return }
    reader.report(
      .wrongValue("list of properties", expected: "one of two or more", found: "shorter"),
      at: json.position
    )
  }
}

extension ModelDocument.FullTextIndex {
  package func check(_ json: JSONValue, _ reader: inout ModelReader) {
    for item in json["properties"]?.elements ?? [] {
      if let id = ModelID(item), !reader.checks.entityProperties.contains(id) {
        let message = DiagnosticMessage.noSuchIndexedProperty(id, entity: reader.checks.entity.name)
        reader.report(message, at: item.position)
      }
    }
    func report(_ name: String, expected: String, found: String) {
      reader.report(.wrongValue(name, expected: expected, found: found), at: json.position)
    }
    if propertyIDs.isEmpty {
      report("list of properties", expected: "one of one or more", found: "empty")
    }
    if !weights.isEmpty, weights.count != propertyIDs.count || weights.contains(0) {
      report(
        "list of weights",
        expected: "a weight from 1 for each property",
        found: "another list"
      )
    }
  }
}

extension JSONValue {
  /// Position of a member; of the whole object when it lacks the member.
  fileprivate func position(of key: String) -> SourcePosition { self[key]?.position ?? position }
}

extension DiagnosticMessage {
  private static func broken(_ text: String) -> Self {
    "\(text); restore the model file from version control"
  }

  /// The message about a fault that a merge by hand leaves behind.
  private static func duplicate(_ title: String, _ id: UInt32, _ other: String, key: String) -> Self
  {
    "\(title) has ID \(id), which another \(other) has; after a merge, give the newer one the next "
      + "ID and raise \(key), else restore the model file from version control"
  }

  static func lastID(_ key: String) -> Self { note("\(key) is here") }

  static func uidOutOfRange(_ uid: UInt64) -> Self {
    broken("the UID \(uid) is out of range, which is 256 to \(Int64.max)")
  }

  static func duplicateUID(_ uid: UInt64) -> Self {
    broken("the UID \(uid) stands in the model file twice")
  }

  static func duplicateEntityID(_ name: String, _ id: UInt32) -> Self {
    duplicate("entity '\(name)'", id, "entity of the model", key: "lastEntityId")
  }

  static func duplicateModelEntityName(_ name: String) -> Self {
    broken("two entities of the model are named '\(name)', where case does not count")
  }

  static func duplicatePropertyID(_ name: String, _ id: UInt32, entity: String) -> Self {
    duplicate("property '\(name)' of entity '\(entity)'", id, "property", key: "lastPropertyId")
  }

  static let noLastEntityID = broken("the model file has entities and no lastEntityId")

  static func noLastPropertyID(_ entity: String) -> Self {
    broken("entity '\(entity)' of the model has no lastPropertyId")
  }

  static func aboveLast(_ element: String, _ id: UInt32, key: String, _ last: UInt32) -> Self {
    broken("\(element) has ID \(id), which is above \(key) with \(last)")
  }

  static func lastUIDMismatch(
    _ element: String,
    _ id: ModelID,
    key: String,
    _ last: ModelID
  ) -> Self {
    broken(
      "\(element) has ID \(id.id) and UID \(id.uid), and \(key) gives that ID the UID \(last.uid)"
    )
  }
}
