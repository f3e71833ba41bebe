internal import ObjectBox
internal import ObjectBoxJSON

/// Changes of objects, each of them one transaction.
extension BrowserAPI {
  /// Returns the body of a request for a change, which is an object of JSON.
  ///
  /// - Throws: ``Fault`` unless changes are allowed. The media type is one that a form of another page cannot send.
  func edit(_ request: HTTPRequest) throws(Fault) -> JSONValue {
    guard isWritable else {
      throw Fault(
        403,
        "this store is shown only; start 'objectbox browse' with --writable to change it"
      )
    }
    guard request.header["content-type"]?.lowercased().hasPrefix("application/json") ?? false else {
      throw Fault(415, "the body must be JSON")
    }
    guard let text = String(validating: request.body, as: UTF8.self),
      let value = try? JSONParser.parse(text, path: "request"), value.isObject
    else { throw Fault(400, "the body is no object of JSON") }
    return value
  }

  private func entity(_ edit: JSONValue) throws(Fault) -> EntitySchema {
    try Parameters.entity(edit["entity"]?.string ?? "", in: store.schema)
  }

  // MARK: Values

  /// Stores a new object, or changes the named properties of a stored one; values are texts as in CSV, or null.
  func put(_ edit: JSONValue) throws -> Members {
    let entity = try entity(edit)
    let index = store.schema.index(ofEntity: entity.name) ?? 0
    let given = try edit["id"]?.string.map { text throws(Fault) in try Parameters.id(text) }
    guard case .object(let members) = edit["values"]?.content ?? .null else {
      throw Fault(400, "'values' is no object of JSON")
    }
    let id = try store.writingStored { writing in
      if let given { try checkUnchanged(entity, given, edit["digest"]?.string) }
      let id = try given ?? (writing.lastID(entity: index) + 1)
      do {
        try writing.put(entity: index, id: id, keepsOthers: given != nil) { set in
          for (name, value) in members { try self.set(name, value, of: entity, set) }
          try checkRequired(entity, members.map(\.key), isNew: given == nil)
        }
      } catch let error as ObjectBoxError {
        // The message names the property of an index.
        guard case .uniqueViolation(let message) = error else { throw error }
        let property = entity.properties.first { message.contains("'\(entity.name).\($0.name)'") }
        throw Fault(409, message, property: property?.name)
      }
      return id
    }
    return [("id", { $0.id(id) })]
  }

  private func set(
    _ name: String,
    _ value: JSONValue,
    of entity: EntitySchema,
    _ set: (PropertySchema, ExactValue) -> Void
  ) throws {
    guard let property = entity.properties.first(where: { $0.name == name }), !property.has(.id)
    else { throw Fault(422, "'\(entity.name)' has no property '\(name)' that can be changed") }
    guard let text = value.string else {
      guard !property.has(.notNull) else {
        throw Fault(422, "a value is required", property: name)
      }
      return set(property, .null)
    }
    let form = ValueForm(property)
    let field = CSVRecord.Field(text: text, isQuoted: true, place: value.place)
    let json = ImportRecords.value(field, as: form)
    if case .null = json.content {
      throw Fault(422, "a value is expected here, or null", property: name)
    }
    do {
      try ImportRun.dated(json, property).withExact(as: form, "'\(name)'") { exact in
        set(property, exact)
      }
    } catch let fault as LineFault {
      throw Fault(422, fault.text, property: name)
    }
    try checkTarget(property, json)
  }

  private func checkTarget(_ property: PropertySchema, _ value: JSONValue) throws {
    guard property.type == .relation, let target = property.targetEntityName,
      let id = value.integer(UInt64.self), id > 0
    else { return }
    guard try store.box(named: target).contains(Id(id)) else {
      throw Fault(422, "there is no '\(target)' with ID \(id)", property: property.name)
    }
  }

  private func checkRequired(
    _ entity: EntitySchema,
    _ names: [String],
    isNew: Bool
  ) throws(Fault) {
    guard isNew else { return }
    for property in entity.properties
    where property.has(.notNull) && !property.has(.id) && !names.contains(property.name) {
      throw Fault(422, "a value is required", property: property.name)
    }
  }

  /// Refuses to change an object that is not as the page has shown it.
  private func checkUnchanged(_ entity: EntitySchema, _ id: UInt64, _ digest: String?) throws {
    var current: String?
    try forRecord(entity, id) { current = Self.digest(of: $0, entity) }
    guard let current else {
      throw Fault(404, "there is no '\(entity.name)' with ID \(id) any more")
    }
    if let digest, digest != current {
      throw Fault(409, "the object was changed meanwhile: look at it again, then change it")
    }
  }

  // MARK: Objects and relations

  /// Removes objects, by the delete rules of the model.
  func remove(_ edit: JSONValue) throws -> Members {
    let entity = try entity(edit)
    let count = try store.box(named: entity.name).remove(try ids(edit["ids"]))
    return [("count", { $0.integer(count) })]
  }

  /// Adds objects to a standalone relation of an object, and takes others out of it.
  func relate(_ edit: JSONValue) throws -> Members {
    let entity = try entity(edit)
    let box = try store.box(named: entity.name)
    let id = Id(try Parameters.id(edit["id"]?.string ?? ""))
    let relation = edit["relation"]?.string ?? ""
    let (added, removed) = (try ids(edit["add"]), try ids(edit["remove"]))
    try store.runInTransaction {
      try box.add(added, to: relation, of: id)
      try box.remove(removed, from: relation, of: id)
    }
    return [("id", { $0.id(id.value) })]
  }

  private func ids(_ list: JSONValue?) throws(Fault) -> [Id] {
    try (list?.elements ?? []).map { element throws(Fault) in
      Id(try Parameters.id(element.string ?? ""))
    }
  }
}
