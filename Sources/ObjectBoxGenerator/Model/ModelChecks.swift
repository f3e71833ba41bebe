internal import ObjectBoxJSON

/// The rules that hold between the elements of a model file, checked while it is read.
struct ModelChecks {
  private static let leastUID: UInt64 = 256

  private(set) var diagnostics: [Diagnostic] = []
  private var uids: [UInt64: SourcePosition] = [:]
  private var entityNames: [String: SourcePosition] = [:]
  /// The first places of the IDs of an entity, or of an entity and a property of it.
  private var ids: [[UInt32]: SourcePosition] = [:]
  private var entityPositions: [UInt32: SourcePosition] = [:]
  /// The entity that is read.
  fileprivate var entity = ModelDocument.Entity()
  fileprivate var entityProperties: Set<ModelID> = []

  fileprivate mutating func report(
    _ message: DiagnosticMessage,
    at position: SourcePosition,
    other: SourcePosition? = nil,
    _ note: DiagnosticMessage = .otherPlace
  ) {
    let notes = other.map { [Diagnostic(note, at: $0)] } ?? []
    diagnostics.append(Diagnostic(message, at: position, notes: notes))
  }

  /// Notes the place of what may be there once.
  private mutating func note<Key>(
    _ key: Key,
    in places: WritableKeyPath<Self, [Key: SourcePosition]>,
    at position: SourcePosition,
    duplicate: DiagnosticMessage
  ) {
    if let other = self[keyPath: places][key] {
      report(duplicate, at: position, other: other)
    } else {
      self[keyPath: places][key] = position
    }
  }

  /// Notes a UID of an entity, a property or a retired element; each may be there once.
  mutating func note(uid: UInt64, at position: SourcePosition) {
    if uid < Self.leastUID || uid > UInt64(Int64.max) {
      report(.uidOutOfRange(uid), at: position)
    } else {
      note(uid, in: \.uids, at: position, duplicate: .duplicateUID(uid))
    }
  }

  fileprivate mutating func note(_ entity: ModelDocument.Entity, _ json: JSONValue) {
    let position = json.position(of: "id")
    let duplicate = DiagnosticMessage.duplicateEntityID(entity.name, entity.id.id)
    note([entity.id.id], in: \.ids, at: position, duplicate: duplicate)
    entityPositions[entity.id.id] = position
    note(
      entity.name.lowercased(),
      in: \.entityNames,
      at: json["name"]?.position ?? position,
      duplicate: .duplicateModelEntityName(entity.name)
    )
    note(uid: entity.id.uid, at: position)
    self.entity = entity
    entityProperties = []
  }

  fileprivate mutating func note(_ property: ModelDocument.Property, _ json: JSONValue) {
    let position = json.position(of: "id")
    note(
      [entity.id.id, property.id.id],
      in: \.ids,
      at: position,
      duplicate: .duplicatePropertyID(property.name, property.id.id, entity: entity.name)
    )
    note(uid: property.id.uid, at: position)
    entityProperties.insert(property.id)
  }

  /// Checks that the last ID of a kind is the greatest, and has the UID of its element.
  fileprivate mutating func check<Element: ModelElement>(
    _ elements: [Element],
    of owner: String? = nil,
    last: ModelID,
    at position: SourcePosition
  ) {
    let key = Element.kind.lastKey
    for element in elements {
      let (id, title) = (element.id, element.title(of: owner))
      let message: DiagnosticMessage
      if id.id > last.id {
        message = .aboveLast(title, id.id, key: key, last.id)
      } else if id.id == last.id, id.uid != last.uid {
        message = .lastUIDMismatch(title, id, key: key, last)
      } else {
        continue
      }
      let place = owner == nil ? entityPositions[id.id] : ids[[entity.id.id, id.id]]
      report(message, at: place ?? position, other: position, .lastID(key))
    }
  }
}

extension ModelDocument {
  func checkElements(_ json: JSONValue, _ reader: inout ModelReader) {
    let key = ElementKind.entity.lastKey
    let position = json.position(of: key)
    if !entities.isEmpty, json[key] == nil {
      reader.checks.report(.noLastEntityID, at: position)
    } else {
      reader.checks.check(entities, last: lastEntityID, at: position)
    }
    for kind in ElementKind.allCases {
      for value in json[kind.retiredKey]?.elements ?? [] {
        if let uid: UInt64 = value.integer() { reader.checks.note(uid: uid, at: value.position) }
      }
    }
  }
}

extension ModelDocument.Entity {
  func check(_ json: JSONValue, _ reader: inout ModelReader) { reader.checks.note(self, json) }

  func checkElements(_ json: JSONValue, _ reader: inout ModelReader) {
    let key = ElementKind.property.lastKey
    let position = json.position(of: key)
    if json[key] == nil {
      reader.checks.report(.noLastPropertyID(name), at: position)
    } else {
      reader.checks.check(properties, of: name, last: lastPropertyID, at: position)
    }
  }
}

extension ModelDocument.Property {
  func check(_ json: JSONValue, _ reader: inout ModelReader) { reader.checks.note(self, json) }
}

extension ModelDocument.CompoundIndex {
  func check(_ json: JSONValue, _ reader: inout ModelReader) {
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

extension JSONValue {
  /// The place of a member, or of the whole object when it lacks the member.
  fileprivate func position(of key: String) -> SourcePosition { self[key]?.position ?? position }
}

extension DiagnosticMessage {
  private static let restore = "restore the model file from version control"

  static func lastID(_ key: String) -> Self { Self(.note, "\(key) is here") }

  static func uidOutOfRange(_ uid: UInt64) -> Self {
    Self(.error, "the UID \(uid) is out of range, which is 256 to \(Int64.max); \(restore)")
  }

  static func duplicateUID(_ uid: UInt64) -> Self {
    Self(.error, "the UID \(uid) stands in the model file twice; \(restore)")
  }

  static func duplicateEntityID(_ name: String, _ id: UInt32) -> Self {
    Self(
      .error,
      "entity '\(name)' has ID \(id), which another entity of the model has; after a merge, give the "
        + "newer one the next ID and raise lastEntityId, else \(restore)"
    )
  }

  static func duplicateModelEntityName(_ name: String) -> Self {
    Self(
      .error,
      "two entities of the model are named '\(name)', where case does not count; \(restore)"
    )
  }

  static func duplicatePropertyID(_ name: String, _ id: UInt32, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' has ID \(id), which another property has; after a merge, "
        + "give the newer one the next ID and raise lastPropertyId, else \(restore)"
    )
  }

  static let noLastEntityID = Self(
    .error,
    "the model file has entities and no lastEntityId; \(restore)"
  )

  static func noLastPropertyID(_ entity: String) -> Self {
    Self(.error, "entity '\(entity)' of the model has no lastPropertyId; \(restore)")
  }

  static func aboveLast(_ element: String, _ id: UInt32, key: String, _ last: UInt32) -> Self {
    Self(.error, "\(element) has ID \(id), which is above \(key) with \(last); \(restore)")
  }

  static func lastUIDMismatch(
    _ element: String,
    _ id: ModelID,
    key: String,
    _ last: ModelID
  ) -> Self {
    Self(
      .error,
      "\(element) has ID \(id.id) and UID \(id.uid), and \(key) gives that ID the UID \(last.uid); "
        + restore
    )
  }
}
