/// Marks a class or struct as an entity.
///
/// Declare the conformance yourself, or annotate the type with `// objectbox: entity`; generated
/// code declares it then.
///
///     // objectbox: entity
///     final class Article {
///       var id: Id = 0
///       // objectbox: unique
///       var path: String = ""
///       // objectbox: index
///       var published: Date?
///       // objectbox: transient
///       var isSelected = false
///
///       init() {}
///     }
public protocol Entity {}

/// Gives the runtime access to the generated code of an entity; generated code conforms to it.
public protocol EntityInspectable {
  /// The class that reads and writes the entity's objects.
  associatedtype EntityBindingType: EntityBinding
  /// Name and ID of the entity.
  static var entityInfo: EntityInfo { get }
  /// The shared instance of the binding.
  static var entityBinding: EntityBindingType { get }
}

/// Lets relations refer to objects of an entity; generated code conforms to it.
public protocol __EntityRelatable {
  /// The entity itself.
  associatedtype EntityType: Entity
  /// The object's ID, for ID properties of all types.
  var _id: EntityId<EntityType> { get }
}

// Not in generated code: a class with the macro `@Observable` has a variable of this name for each
// property `id`.
extension __EntityRelatable
where Self: EntityInspectable, Self == EntityType, Self == EntityBindingType.EntityType {
  /// The object's ID, for ID properties of all types.
  public var _id: EntityId<EntityType> { EntityId(Self.entityBinding.entityId(of: self)) }
}

/// Name and ID of an entity in the model.
///
/// A class for source compatibility; it never changes.
public final class EntityInfo: Sendable {
  /// The name in the model.
  public let entityName: String
  /// The ID in the model, from 1; 0 if the generator has not run.
  public let entitySchemaId: UInt32

  /// Makes the description of an entity.
  public init(name: String, id: UInt32) {
    entityName = name
    entitySchemaId = id
  }
}
