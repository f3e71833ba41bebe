/// The ID of an object in its entity, from 1; 0 for an object that was never stored.
public typealias Id = UInt64

/// The number of an element of the schema.
public typealias obx_schema_id = UInt32

/// The UID of an element of the schema.
public typealias obx_uid = UInt64

/// A reference to a value that a ``FlatBufferBuilder`` has prepared; 0 for none.
public typealias OBXDataOffset = UInt32

/// A type that can hold an object ID.
public protocol IdBase: Hashable, EntityPropertyTypeConvertible {
  /// Makes a value from an object ID.
  init(_ id: Id)
  /// The object ID.
  var value: Id { get }
}

/// A type that can hold the ID of an object of any entity.
public protocol UntypedIdBase: IdBase {}

extension UInt64: UntypedIdBase {
  /// The object ID: the number itself.
  public var value: Id { self }
}

extension Int64: UntypedIdBase {
  /// Makes a value with the bits of an object ID.
  ///
  /// Disfavoured: in code that imports this module, `Int64(x)` must still trap on overflow.
  @_disfavoredOverload
  public init(_ id: Id) { self.init(bitPattern: id) }
  /// The object ID with the bits of the number.
  public var value: Id { Id(bitPattern: self) }
}

/// The ID of an object of one entity.
///
///     let id: EntityId<Note> = try notes.put(Note(title: "Milk"))
///     let note = try notes.get(id)  // `authors.get(id)` does not compile
public struct EntityId<R: Entity>: IdBase, Hashable, ExpressibleByIntegerLiteral, Sendable,
  CustomStringConvertible, CustomDebugStringConvertible
{
  /// The object ID; 0 for an object that was never stored.
  public let value: Id

  /// Makes the ID of an object.
  public init(_ id: Id) {
    value = id
  }

  /// Makes the ID of an object.
  public init(integerLiteral value: Id) {
    self.value = value
  }

  /// Makes the IDs of objects.
  ///
  /// Copies the numbers: a generic `map` costs as much as a scan of the objects.
  static func all(_ ids: [Id]) -> [EntityId] {
    [EntityId](count: ids.count) { copy in
      // An ID is its number, whatever its entity.
      ids.withUnsafeBytes { UnsafeMutableRawBufferPointer(copy).copyMemory(from: $0) }
    }
  }

  /// The number, such as `3`: what `print` shows, and what a text with the ID holds.
  public var description: String { "\(value)" }

  /// The entity and the number, such as `EntityId<Note>(3)`: what a debugger shows.
  public var debugDescription: String { "EntityId<\(R.self)>(\(value))" }

  /// IDs are 64-bit numbers.
  public static var entityPropertyType: PropertyType { .long }
}
