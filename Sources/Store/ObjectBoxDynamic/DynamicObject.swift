public import ObjectBox

/// An object of an entity whose properties are accessed by name.
///
///     let people = try store.box(named: "Person")
///     if var person = try people.get(1) {
///       person["age"] = 37
///       try people.put(person)
///     }
///
/// A value: ``DynamicBox/put(_:mode:)-(DynamicObject,_)`` stores its changes. Values have these
/// types:
///
/// | type in the model | type in Swift |
/// |---|---|
/// | bool | `Bool` |
/// | byte, short, char, int, long | `Int`; `UInt64` for an unsigned long |
/// | float, double | `Float`, `Double` |
/// | string | `String`; `Decimal` when the external type is `decimal128` and the text a number |
/// | date, dateNano | `Date` |
/// | relation, and the ID | `Id` |
/// | byteVector, flex | `Data`; `UUID` when the external type is one |
/// | vectors | an array of `Bool`, `Int16`, `Int32`, `Int64`, the unsigned ones, `Float`, `Double`, `Date` or `String` |
public struct DynamicObject: Sendable, CustomStringConvertible {
  let store: Store
  let entity: DynamicEntity
  /// The values that are not null, including an ID that was set.
  private var content: [String: any Sendable] = [:]
  /// The ID that the object was read with.
  public let id: Id

  init(_ record: RecordReader, _ entity: DynamicEntity, _ store: Store) {
    self.store = store
    self.entity = entity
    id = record.id
    for property in entity.schema.properties where !property.has(.id) {
      if let value = property.value(in: record) { content[property.name] = value }
    }
  }

  /// The name of the entity.
  public var entityName: String { entity.name }

  /// The names of all properties, including those that are null.
  public var names: [String] { entity.names }

  /// The value of a property; nil for null, and for a name that the entity lacks.
  ///
  /// The next put checks names and values that were set.
  public subscript(name: String) -> (any Sendable)? {
    get { content[name] ?? (name == entity.idProperty.name ? id : nil) }
    set { content[name] = newValue }
  }

  /// Returns the value of a property; nil for null.
  ///
  /// - Parameters:
  ///   - name: The name of a property of the entity.
  ///   - type: The Swift type of the value, from the table of ``DynamicObject``.
  /// - Returns: The value.
  /// - Throws: `ObjectBoxError`: `illegalArgument` when the entity has no such property,
  ///   `propertyTypeMismatch` when the property has another type.
  public func value<T>(of name: String, as type: T.Type = T.self) throws -> T? {
    let property = try entity.property(name)
    guard let value = self[name] else { return nil }
    guard let result = value as? T else {
      throw ObjectBoxError.propertyTypeMismatch(
        message: "'\(entity.name).\(name)' of type \(property.type) was read as \(T.self), and is "
          + "\(Swift.type(of: value)); read it as that"
      )
    }
    return result
  }

  /// All values by property name; nil for null.
  var values: [String: Any?] {
    var values: [String: Any?] = content.mapValues { $0 }
    for name in entity.names where values[name] == nil { values[name] = .some(nil) }
    values[entity.idProperty.name] = self[entity.idProperty.name]
    return values
  }

  // MARK: Relations

  /// Returns the IDs of the related objects, ascending.
  ///
  /// - Parameter relation: The name of a to-one or standalone to-many relation.
  /// - Returns: The IDs that are stored now.
  /// - Throws: `ObjectBoxError.illegalArgument(message:)` when the entity has no such relation.
  public func targets(_ relation: String) throws -> [Id] {
    try box.targets(relation, of: id)
  }

  /// Returns the IDs of the objects whose relation leads to this object, ascending.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity that has the relation.
  ///   - relation: The name of a to-one or standalone to-many relation of that entity.
  /// - Returns: The IDs that are stored now.
  /// - Throws: `ObjectBoxError.illegalArgument(message:)` when there is no such relation to this
  ///   entity.
  public func sources(_ entity: String, _ relation: String) throws -> [Id] {
    try box.sources(entity, relation, of: id)
  }

  /// Adds objects to a standalone to-many relation; existing links stay.
  ///
  /// - Parameters:
  ///   - targets: IDs of stored objects.
  ///   - relation: The name of the relation.
  /// - Throws: `ObjectBoxError` as ``DynamicBox/add(_:to:of:)`` does.
  public func add(_ targets: [Id], to relation: String) throws {
    try box.add(targets, to: relation, of: id)
  }

  /// Removes objects from a standalone to-many relation; the objects themselves stay.
  ///
  /// - Parameters:
  ///   - targets: IDs; those that the relation does not contain are skipped.
  ///   - relation: The name of the relation.
  /// - Throws: `ObjectBoxError` as ``DynamicBox/remove(_:from:of:)`` does.
  public func remove(_ targets: [Id], from relation: String) throws {
    try box.remove(targets, from: relation, of: id)
  }

  private var box: DynamicBox { DynamicBox(entity, store) }

  /// The entity, the ID and all values that are not null.
  public var description: String {
    let values = entity.names.compactMap { name in self[name].map { "\(name): \($0)" } }
    return "\(entity.name)(\(values.joined(separator: ", ")))"
  }
}
