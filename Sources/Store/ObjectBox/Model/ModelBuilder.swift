/// Describes the entities of a store; generated code and `ModelFile` call it.
///
/// A class for source compatibility: the builders of entities and properties fill in one schema.
public class ModelBuilder {
  private final class Schema {
    var value: StoreSchema
    init(_ value: StoreSchema) { self.value = value }
  }

  package private(set) var schema = StoreSchema()
  private var entities = ModelNames()
  /// The names of each entity's properties.
  private var properties: [ModelNames] = []
  private var relations = ModelNames()

  /// Starts a model without entities.
  public init() throws {}

  /// Starts the next entity.
  ///
  /// - Parameters:
  ///   - type: The entity type; may be left out if it can be inferred.
  ///   - id: The number in the model, from 1.
  ///   - uid: The UID.
  /// - Returns: The builder of the entity.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for 0, or for an ID or UID of an
  ///   earlier entity.
  public func entityBuilder<T: EntityInspectable>(
    for type: T.Type = T.self,
    id: UInt32,
    uid: UInt64
  ) throws -> EntityBuilder<T> {
    try entityBuilder(named: T.entityInfo.entityName, id: id, uid: uid)
  }

  /// Starts the next entity by name; see `entityBuilder(for:id:uid:)`.
  package func entityBuilder<T>(named name: String, id: UInt32, uid: UInt64) throws
    -> EntityBuilder<T>
  {
    let identity = try ModelCheck.identity(id: id, uid: uid, of: "entity '\(name)'")
    try entities.insert(identity, name, of: "entity '\(name)'")
    guard entities.insert(name: name) else {
      throw ObjectBoxError.illegalArgument(
        message: "two entities of the model are named '\(name)'; rename one of them"
      )
    }
    schema.entities.append(EntitySchema(identity: identity, name: name))
    properties.append(ModelNames())
    return EntityBuilder(model: self, index: schema.entities.count - 1)
  }

  /// States the highest entity ID that was ever given, and its UID.
  public func lastEntity(id: UInt32, uid: UInt64) {
    schema.lastEntity = SchemaIdentity(id: id, uid: uid)
  }

  /// States the highest index ID that was ever given, and its UID.
  public func lastIndex(id: UInt32, uid: UInt64) {
    schema.lastIndex = SchemaIdentity(id: id, uid: uid)
  }

  /// States the highest relation ID that was ever given, and its UID.
  public func lastRelation(id: UInt32, uid: UInt64) {
    schema.lastRelation = SchemaIdentity(id: id, uid: uid)
  }

  /// Finishes the model and returns it for one ``Store``, which uses it up.
  public func finish() -> OpaquePointer {
    Self.pointer(to: schema)
  }

  /// Returns a schema in the form of ``finish()``, for one use.
  static func pointer(to schema: StoreSchema) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(Schema(schema.inOrderOfIDs)).toOpaque())
  }

  /// Takes the schema out of the result of `finish`; the pointer must not be used again.
  package static func takeSchema(_ pointer: OpaquePointer) -> StoreSchema {
    Unmanaged<Schema>.fromOpaque(UnsafeRawPointer(pointer)).takeRetainedValue().value
  }

  /// Notes a property of an entity; throws when an earlier one has its ID, UID or name.
  func insertProperty(_ identity: SchemaIdentity, _ name: String, ofEntity index: Int) throws {
    let entity = schema.entities[index].name
    try properties[index].insert(identity, name, of: "property '\(entity).\(name)'")
    guard properties[index].insert(name: name) else {
      throw ObjectBoxError.illegalArgument(
        message: "two properties of '\(entity)' are named '\(name)' in the model; rename one"
      )
    }
  }

  /// Notes a standalone relation of an entity; throws when an earlier one has its ID or UID.
  func insertRelation(_ identity: SchemaIdentity, _ title: String, ofEntity name: String) throws {
    try relations.insert(identity, name, "a relation of ", of: title)
  }

  func change(entity index: Int, _ body: (inout EntitySchema) throws -> Void) rethrows {
    try body(&schema.entities[index])
  }
}

/// The numbers and names of the elements of a model that were added so far.
private struct ModelNames {
  private var ids: [UInt32: String] = [:]
  private var uids: [UInt64: String] = [:]
  private var names: Set<String> = []

  /// Adds the numbers of an element.
  ///
  /// - Parameters:
  ///   - identity: The numbers.
  ///   - name: The name by which errors about later elements call it, behind `kind`.
  ///   - kind: Words before the name.
  ///   - title: The words for the element in its own error.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when another has its ID or UID.
  mutating func insert(
    _ identity: SchemaIdentity,
    _ name: String,
    _ kind: String = "",
    of title: @autoclosure () -> String
  ) throws {
    let byID = ids.updateValue(name, forKey: identity.id)
    let byUID = uids.updateValue(name, forKey: identity.uid)
    guard let other = byID ?? byUID else { return }
    let shared = byID == nil ? "UID \(identity.uid)" : "ID \(identity.id)"
    throw ObjectBoxError.illegalArgument(
      message: "\(title()) and \(kind)'\(other)' have the same \(shared) in the model; run the "
        + "generator again, or restore model.json from version control"
    )
  }

  /// Adds a name; false when another element has it, ignoring case.
  mutating func insert(name: String) -> Bool { names.insert(name.lowercased()).inserted }
}

/// Checks of the numbers that a model is built from.
enum ModelCheck {
  static func identity(
    id: UInt32,
    uid: UInt64,
    of element: @autoclosure () -> String
  ) throws -> SchemaIdentity {
    guard id != 0, uid != 0 else {
      throw ObjectBoxError.illegalArgument(
        message: "\(element()) has ID \(id) and UID \(uid) in the model; neither may be 0, run the "
          + "generator again"
      )
    }
    return SchemaIdentity(id: id, uid: uid)
  }
}
