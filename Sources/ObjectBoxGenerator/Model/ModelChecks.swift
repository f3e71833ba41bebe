/// The rules that hold between the elements of a model file.
struct ModelChecks {
  private static let leastUID: UInt64 = 256

  private(set) var diagnostics: [Diagnostic] = []
  private var uids: [UInt64: SourcePosition] = [:]
  private var entityIDs: [UInt32: SourcePosition] = [:]
  private var entityNames: [String: SourcePosition] = [:]
  private var entityPositions: [UInt32: SourcePosition] = [:]
  private var propertyPositions: [UInt32: [UInt32: SourcePosition]] = [:]

  private mutating func report(
    _ message: DiagnosticMessage,
    at position: SourcePosition,
    other: SourcePosition? = nil,
    _ note: DiagnosticMessage = .otherPlace
  ) {
    let notes = other.map { [Diagnostic(note, at: $0)] } ?? []
    diagnostics.append(Diagnostic(message, at: position, notes: notes))
  }

  /// Notes a UID of an entity, a property or a retired element; each may be there once.
  mutating func note(uid: UInt64, at position: SourcePosition) {
    if uid < Self.leastUID || uid > UInt64(Int64.max) {
      report(.uidOutOfRange(uid), at: position)
    } else if let other = uids[uid] {
      report(.duplicateUID(uid), at: position, other: other)
    } else {
      uids[uid] = position
    }
  }

  mutating func note(
    _ entity: ModelDocument.Entity,
    at position: SourcePosition,
    name: SourcePosition?
  ) {
    if let other = entityIDs[entity.id.id] {
      report(.duplicateEntityID(entity.name, entity.id.id), at: position, other: other)
    } else {
      entityIDs[entity.id.id] = position
    }
    let key = entity.name.lowercased()
    if let other = entityNames[key] {
      report(.duplicateModelEntityName(entity.name), at: name ?? position, other: other)
    } else {
      entityNames[key] = name ?? position
    }
    entityPositions[entity.id.id] = position
    note(uid: entity.id.uid, at: position)
  }

  mutating func note(
    _ property: ModelDocument.Property,
    of entity: ModelDocument.Entity,
    at position: SourcePosition
  ) {
    if let other = propertyPositions[entity.id.id]?[property.id.id] {
      report(
        .duplicatePropertyID(property.name, property.id.id, entity: entity.name),
        at: position,
        other: other
      )
    } else {
      propertyPositions[entity.id.id, default: [:]][property.id.id] = position
    }
    note(uid: property.id.uid, at: position)
  }

  mutating func checkEntities(
    _ entities: [ModelDocument.Entity],
    last: ModelID?,
    at position: SourcePosition
  ) {
    guard !entities.isEmpty else { return }
    guard let last else { return report(.noLastEntityID, at: position) }
    for entity in entities {
      let place = entityPositions[entity.id.id] ?? position
      if entity.id.id > last.id {
        report(
          .aboveLast("entity '\(entity.name)'", entity.id.id, key: "lastEntityId", last.id),
          at: place,
          other: position,
          .lastID("lastEntityId")
        )
      } else if entity.id.id == last.id, entity.id.uid != last.uid {
        report(
          .lastUIDMismatch("entity '\(entity.name)'", entity.id, key: "lastEntityId", last),
          at: place,
          other: position,
          .lastID("lastEntityId")
        )
      }
    }
  }

  mutating func checkProperties(
    of entity: ModelDocument.Entity,
    hasLast: Bool,
    at position: SourcePosition
  ) {
    guard hasLast else { return report(.noLastPropertyID(entity.name), at: position) }
    let last = entity.lastPropertyID
    for property in entity.properties {
      let place = propertyPositions[entity.id.id]?[property.id.id] ?? position
      let title = "property '\(property.name)' of entity '\(entity.name)'"
      if property.id.id > last.id {
        report(
          .aboveLast(title, property.id.id, key: "lastPropertyId", last.id),
          at: place,
          other: position,
          .lastID("lastPropertyId")
        )
      } else if property.id.id == last.id, property.id.uid != last.uid {
        report(
          .lastUIDMismatch(title, property.id, key: "lastPropertyId", last),
          at: place,
          other: position,
          .lastID("lastPropertyId")
        )
      }
    }
  }
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
