internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxJSON

/// Edits of objects, each of them one transaction.
extension BrowserAPI {
  /// Returns the body of an edit request, a JSON object.
  ///
  /// - Throws: ``Fault`` unless edits are allowed and the media type is JSON, which a form of
  ///   another page cannot send.
  func edit(_ request: HTTPRequest) throws(Fault) -> JSONValue {
    guard isWritable else {
      throw Fault(
        403,
        "the objects are shown only; start 'objectbox browse' with --writable to change it"
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
    try Parameters.entity(edit["entity"]?.string ?? "", in: content)
  }

  // MARK: Values

  /// A new value of a property; nil for null.
  private struct NewValue: Sendable {
    let property: PropertySchema
    let value: JSONValue?

    /// Passes the value, converted for a record, to a function.
    func pass(to set: (PropertySchema, ExactValue) -> Void) throws {
      guard let value else { return set(property, .null) }
      let (name, form) = (property.name, ValueForm(property))
      do {
        try ImportRun.dated(value, property).withExact(as: form, "'\(name)'") { set(property, $0) }
      } catch let fault as LineFault {
        throw Fault(422, fault.text, property: name)
      }
    }

    /// The ID of the to-one target; nil for none.
    var target: UInt64? {
      guard property.type == .relation, let id = value?.integer(UInt64.self), id > 0 else {
        return nil
      }
      return id
    }
  }

  /// Stores a new object, or changes the named properties of a stored one; values are texts as in
  /// CSV, or null.
  func put(_ edit: JSONValue) throws -> Members {
    let entity = try entity(edit)
    let given = try edit["id"]?.string.map { text throws(Fault) in try Parameters.id(text) }
    guard case .object(let members) = edit["values"]?.content ?? .null else {
      throw Fault(400, "'values' is no object of JSON")
    }
    let values = try members.map { try newValue($0.key, $0.value, of: entity) }
    try checkRequired(entity, members.map(\.key), isNew: given == nil)
    let targets = values.compactMap { value in
      value.target.flatMap { id in
        value.property.targetEntityName.flatMap(content.schema.index(ofEntity:)).map { index in
          (value: value, entity: content.schema.entities[index], id: id)
        }
      }
    }
    let digest = edit["digest"]?.string
    do {
      let id = try content.put(
        DynamicEdit(
          entity: entity.identity.id,
          id: given,
          targets: targets.map { ($0.entity.identity.id, $0.id) },
          check: { stored, missing in
            if let given { try Self.checkUnchanged(entity, given, digest, stored) }
            guard let target = missing.first.map({ targets[$0] }) else { return }
            throw Fault(
              422,
              "there is no '\(target.entity.name)' with ID \(target.id)",
              property: target.value.property.name
            )
          },
          fill: { set in for value in values { try value.pass(to: set) } }
        )
      )
      return [("id", { $0.id(id) })]
    } catch let error as ObjectBoxError {
      // Only the message names the index's property.
      guard case .uniqueViolation(let message) = error else { throw error }
      let property = entity.properties.first { message.contains("'\(entity.name).\($0.name)'") }
      throw Fault(409, message, property: property?.name)
    }
  }

  /// Returns the value for a property from a request.
  ///
  /// - Throws: ``Fault`` for a value that the property cannot have.
  private func newValue(
    _ name: String,
    _ value: JSONValue,
    of entity: EntitySchema
  ) throws -> NewValue {
    guard let property = entity.properties.first(where: { $0.name == name }), !property.has(.id)
    else { throw Fault(422, "'\(entity.name)' has no property '\(name)' that can be changed") }
    guard let text = value.string else {
      guard !property.has(.notNull) else {
        throw Fault(422, "a value is required", property: name)
      }
      return NewValue(property: property, value: nil)
    }
    let field = CSVRecord.Field(text: text, isQuoted: true, place: value.place)
    let json = ImportRecords.value(field, as: ValueForm(property))
    if case .null = json.content {
      throw Fault(422, "a value is expected here, or null", property: name)
    }
    let new = NewValue(property: property, value: json)
    try new.pass { _, _ in }
    return new
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

  /// Refuses to change an object that differs from what the page shows.
  private static func checkUnchanged(
    _ entity: EntitySchema,
    _ id: UInt64,
    _ digest: String?,
    _ stored: RecordReader?
  ) throws {
    guard let stored else {
      throw Fault(404, "there is no '\(entity.name)' with ID \(id) any more")
    }
    if let digest, digest != Self.digest(of: stored, entity) {
      throw Fault(409, "the object was changed meanwhile: look at it again, then change it")
    }
  }

  // MARK: Objects and relations

  /// Removes objects, and applies the model's delete rules.
  func remove(_ edit: JSONValue) throws -> Members {
    let count = try content.remove(try ids(edit["ids"]), of: try entity(edit))
    return [("count", { $0.integer(count) })]
  }

  /// Adds targets to a standalone relation of an object, and removes others from it.
  func relate(_ edit: JSONValue) throws -> Members {
    let entity = try entity(edit)
    let id = try Parameters.id(edit["id"]?.string ?? "")
    let name = edit["relation"]?.string ?? ""
    guard let relation = entity.relations.first(where: { $0.title == name }) else {
      throw Fault(422, "'\(entity.name)' has no relation '\(name)' to many objects")
    }
    let (added, removed) = (try ids(edit["add"]), try ids(edit["remove"]))
    try content.relate(relation, of: id, in: entity, add: added, remove: removed)
    return [("id", { $0.id(id) })]
  }

  private func ids(_ list: JSONValue?) throws(Fault) -> [UInt64] {
    try (list?.elements ?? []).map { element throws(Fault) in
      try Parameters.id(element.string ?? "")
    }
  }
}
