/// Describes the entities of a store; generated code and `ModelFile` call it.
///
/// A class for source compatibility: the builders of entities and properties fill in one schema.
public class ModelBuilder {
  private final class Schema {
    var value: StoreSchema
    init(_ value: StoreSchema) { self.value = value }
  }

  package private(set) var schema = StoreSchema()

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
    for other in schema.entities {
      try ModelCheck.distinct(identity, other.identity, "entity '\(name)'", "'\(other.name)'")
      if ModelCheck.areAlike(other.name, name) {
        throw ObjectBoxError.illegalArgument(
          message: "two entities of the model are named '\(name)'; rename one of them"
        )
      }
    }
    schema.entities.append(EntitySchema(identity: identity, name: name))
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

  func change(entity index: Int, _ body: (inout EntitySchema) -> Void) {
    body(&schema.entities[index])
  }

  /// Calls a body with an entity, without copying it.
  func withEntity(_ index: Int, _ body: (EntitySchema) throws -> Void) rethrows {
    try body(schema.entities[index])
  }
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

  /// Returns whether two names are equal, ignoring case.
  static func areAlike(_ a: String, _ b: String) -> Bool {
    var (rest, other) = (a.utf8.makeIterator(), b.utf8.makeIterator())
    while true {
      let (x, y) = (rest.next(), other.next())
      // Characters beyond ASCII may become ASCII, or combine with the character before them.
      if x ?? 0 >= 0x80 || y ?? 0 >= 0x80 { return a.lowercased() == b.lowercased() }
      guard let x, let y else { return x == y }
      if lowercase(x) != lowercase(y) { return false }
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }

  static func distinct(
    _ a: SchemaIdentity,
    _ b: SchemaIdentity,
    _ element: String,
    _ other: String
  ) throws {
    let shared = a.id == b.id ? "ID \(a.id)" : a.uid == b.uid ? "UID \(a.uid)" : nil
    guard let shared else { return }
    throw ObjectBoxError.illegalArgument(
      message: "\(element) and \(other) have the same \(shared) in the model; run the generator "
        + "again, or restore model.json from version control"
    )
  }
}
