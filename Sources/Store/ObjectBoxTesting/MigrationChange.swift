/// A change that opening a store has made to its schema and objects.
public struct MigrationChange: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a change.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A new entity, without objects; or one that comes back with the objects that the store kept.
    case entityAdded
    /// The entity and its objects are out of reach; the store keeps them until
    /// `discardRetiredData()`.
    case entityRemoved
    /// The entity has another name, and keeps its objects.
    case entityRenamed
    /// A new property, whose values are null; or one that comes back with its values.
    case propertyAdded
    /// The property's values are out of reach.
    case propertyRemoved
    /// The property has another name, and keeps its values.
    case propertyRenamed
    /// A new property, filled from old ones by a function of the program.
    case propertyMigrated
    /// Type, sign, uniqueness, target or another attribute of the property; it keeps its values.
    case propertyChanged
    /// An index of properties was filled from the stored objects.
    case indexAdded
    /// An index was dropped.
    case indexRemoved
    /// A new to-many relation.
    case relationAdded
    /// The links of a to-many relation are out of reach.
    case relationRemoved
  }

  /// The kind of the change.
  public let kind: Kind
  /// The name of the entity in the program's model; in the store's model if the program lacks it.
  public let entity: String
  /// The name of the property or relation, or the names of an index's properties, with commas; nil
  /// for a change of the whole entity.
  public let member: String?
  /// The former name of a renamed element, and the names of all old properties that the function of a
  /// migration reads, with commas; nil for other kinds, and if the store's model no longer had the
  /// old properties.
  public let oldName: String?
  /// Number of the entity's objects in the store; the change concerns all of them.
  public let objectCount: Int

  /// The change in words, such as `Person.born: propertyMigrated from 'birthday', 3 objects`.
  public var description: String {
    let name = member.map { "\(entity).\($0)" } ?? entity
    let old = oldName.map { " from '\($0)'" } ?? ""
    return "\(name): \(kind.rawValue)\(old), \(objectCount) object\(objectCount == 1 ? "" : "s")"
  }
}
