/// The values that an object had under an earlier model, by the names of their properties.
///
/// The function `migrate(_:to:)` of an entity receives it for each stored object when a store is opened that lacks
/// properties of the model. It has the properties that the entity's annotations `migratedFrom` list by name. Its values
/// can be read only during that call.
///
///     func address(_ old: OldValues) throws -> String {
///       let street = try old.value(of: "street", as: String.self) ?? ""
///       let number = try old.value(of: "number", as: Int.self) ?? 0
///       return "\(street) \(number)"
///     }
public struct OldValues {
  let entityName: String
  let properties: [PropertySchema]
  let record: RecordReader

  /// Reads the values of a stored record.
  ///
  /// - Parameters:
  ///   - record: The record, in a layout of any age.
  ///   - properties: The old properties, with their names in the earlier model.
  ///   - entityName: The name of the entity, for messages.
  package init(of record: RecordReader, _ properties: [PropertySchema], entityName: String) {
    self.record = record
    self.properties = properties
    self.entityName = entityName
  }

  /// The ID of the object.
  public var id: Id { record.id }

  /// The names of the old properties, in the order of their IDs.
  public var names: [String] { properties.map(\.name) }

  /// Returns the value of an old property; nil for null, and for an object that was stored before the property existed.
  ///
  /// - Parameters:
  ///   - name: The name of the property in the earlier model, as in the annotation.
  ///   - type: The type of the stored values: for an enum its raw value, for a `codable` property
  ///     `String`, for a vector the type in ``Property``, such as `StringArrayPropertyType`.
  /// - Returns: The value.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a name that is in no annotation, `propertyTypeMismatch` for a
  ///   type with values that are stored in another form.
  /// - Complexity: O(*n*) in the number of old properties.
  public func value<V: RecordValue>(of name: String, as type: V.Type) throws -> V.Projection? {
    guard let property = properties.first(where: { $0.name == name }) else {
      let known = names.map { "'\($0)'" }.joined(separator: ", ")
      throw ObjectBoxError.illegalArgument(
        message:
          "the old values of '\(entityName)' have no '\(name)', only \(known); add the name to the "
          + "annotation 'migratedFrom' of a property that needs it, and run the generator again"
      )
    }
    guard property.canBeRead(as: V.entityPropertyType) else {
      throw ObjectBoxError.propertyTypeMismatch(
        message:
          "the old value '\(name)' of '\(entityName)' is stored as \(property.type), and was read as "
          + "\(V.entityPropertyType); read it with the type of the earlier model"
      )
    }
    return V.__value(in: record, at: __Slot(ofProperty: property.identity.id, property.type))
  }
}

extension PropertySchema {
  /// Returns whether stored values can be read as values of a type.
  fileprivate func canBeRead(as other: PropertyType) -> Bool {
    if SchemaChecks.areCompatible(type, other) { return true }
    return type == .dateNano && other == .date
  }
}
