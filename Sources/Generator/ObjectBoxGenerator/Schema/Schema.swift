/// The entities of annotated sources, sorted by qualified type name.
///
/// ``SchemaBuilder`` makes it from parsed sources, ``ModelSynchronizer`` adds the model IDs, and
/// ``CodeRenderer`` turns it into Swift.
package struct Schema: Hashable, Sendable {
  package var entities: [SchemaEntity] = []
  /// True when the sources import ObjectBox with an access modifier.
  package var statesImportAccess = false
}

/// Number and permanent identity of an element in the model.
package struct ModelID: Hashable, Sendable {
  /// A small number from 1; 0 when it is not assigned yet.
  package var id: UInt32
  /// A positive 63-bit number that the element keeps for life.
  package var uid: UInt64

  package static let none = Self(id: 0, uid: 0)

  package init(id: UInt32, uid: UInt64) {
    self.id = id
    self.uid = uid
  }
}

/// The request of a declaration's `uid` annotation.
package enum UIDRequest: Hashable, Sendable {
  /// There is no `uid` annotation.
  case none
  /// `uid = N`: the model's element with this UID, or a new element with this UID from the pool.
  case value(UInt64)
  /// `uid = [N, M]` on a property of a base: each entity that inherits it takes the UID that its
  /// element has in the model.
  case shared([UInt64])
  /// `uid` alone or `uid = 1`: report the current UID and a new one.
  case tell
}

/// A class or struct that is stored.
package struct SchemaEntity: Hashable, Sendable {
  package enum Kind: Sendable {
    case `class`, `struct`
  }

  /// The name without outer types, such as `Note`.
  package var typeName: String
  /// The name with outer types, such as `Library.Note`.
  package var qualifiedName: String
  /// Name in the model and the database: the `name` annotation's, or else the type name.
  package var databaseName: String
  package var kind: Kind
  /// True when the sources state the `Entity` conformance, so generated code must not state it.
  package var declaresConformance = false
  /// The access of the type; nil when the sources do not say.
  package var access: AccessLevel?
  /// The isolation that the declaration states; generated code repeats it.
  package var isolation = Isolation.unstated
  package var uid = UIDRequest.none
  package var flags: EntityFlags = []
  package var externalName: String?
  /// Stored properties in declaration order, including the ID and to-one relations; inherited
  /// properties come first.
  package var properties: [SchemaProperty]
  /// To-many relations in declaration order.
  package var relations: [SchemaRelation] = []
  /// Indexes over several properties, in the order of the annotations.
  package var compoundIndexes: [SchemaCompoundIndex] = []
  /// Full-text indexes; indexes of single properties come first.
  package var fullTextIndexes: [SchemaFullTextIndex] = []
  /// The function that fills the properties with an object migration; nil without one.
  package var objectMigration: SchemaObjectMigration.Function?
  /// Position of the type's name in its declaration.
  package var position: SourcePosition
  /// Position of the `uid` annotation; nil without one.
  package var uidPlace: SourceSpan?

  /// Set by ``ModelSynchronizer``.
  package var modelID: ModelID?
  /// Set by ``ModelSynchronizer``.
  package var lastPropertyID: ModelID?

  /// The property that holds the object ID; nil only while errors are being collected.
  package var idProperty: SchemaProperty? { properties.first(where: \.isID) }
}

/// The conversion of a property whose type is not a database type.
package struct Conversion: Hashable, Sendable {
  /// The stored Swift type, with its `?` if it is optional, such as `Int?`.
  package var databaseType: String
  /// The type that converts; nil for `RawRepresentable`.
  ///
  /// It has two static functions: `convert` for both directions, or `text` and `value` if
  /// ``isCodable`` is true.
  package var converter: String?
  /// Swift expression for the value that replaces stored values without a match.
  package var defaultValue: String?
  /// True when every stored value converts back, so no default is needed.
  package var isTotal = false
  /// The raw values that are valid, for a type whose initializer accepts any; empty for other
  /// types.
  package var knownRawValues: [String] = []
  /// True for a `Codable` type, whose conversion may fail.
  package var isCodable = false
}

/// A stored property of an entity.
package struct SchemaProperty: Hashable, Sendable {
  package enum IndexKind: Sendable {
    case value, hash, hash64
  }

  /// Name in Swift.
  package var name: String
  /// Name in the model and the database: the `name` annotation's, or else the Swift name.
  package var databaseName: String
  /// The declared Swift type, such as `Date?`, after inference and with typealiases resolved.
  package var swiftType: String
  /// `swiftType` without optionality, such as `Date`.
  package var unwrappedType: String
  package var isOptional: Bool
  /// False for `let` and for a private setter.
  package var isMutable: Bool
  package var access: AccessLevel
  /// Nil when the type is unknown: the model then has no `type`, and generated code asks the
  /// runtime.
  package var type: SchemaPropertyType?
  /// All flags, including the flags of the index.
  package var flags: PropertyFlags = []
  /// True if model.json leaves the flag `unsigned` out; see ``ModelDocument/Property``.
  package var omitsUnsignedFlag = false
  package var index: IndexKind?
  package var uid = UIDRequest.none
  package var conversion: Conversion?
  /// Database name of a to-one relation's target.
  package var relationTarget: String?
  /// Qualified Swift name of a to-one relation's target.
  package var targetType: String?
  /// The comparison of texts in the index; nil for the default.
  package var collation: SchemaCollation?
  /// The effect on the objects of a to-one relation when their target is removed; nil when not
  /// stated.
  package var onDelete: SchemaDeleteRule?
  /// Parameters of a nearest-neighbour index.
  package var vectorIndex: SchemaVectorIndex?
  package var externalName: String?
  package var externalType: UInt16?
  /// Imports that generated code needs for the type, such as `import CNotes`.
  package var imports: [String] = []
  /// The base class that declares the property; nil for a property of the entity itself.
  package var ancestor: Ancestor?
  /// The migration that fills the property; nil without one.
  package var migration: SchemaMigration?
  /// The migration by a function of the whole object; nil without one.
  package var objectMigration: SchemaObjectMigration?
  /// Position of the property's name in its declaration.
  package var position: SourcePosition
  /// Position of the `uid` annotation; nil without one.
  package var uidPlace: SourceSpan?

  /// Set by ``ModelSynchronizer``.
  package var modelID: ModelID?
  /// Set by ``ModelSynchronizer`` for a property with an index.
  package var indexID: ModelID?

  package var isID: Bool { flags.contains(.id) }

  /// The stored Swift type, with its `?` if it is optional: the conversion's type, or else the
  /// declared type.
  var storedType: String { conversion?.databaseType ?? swiftType }

  /// Name and type, for findings.
  var declaration: String { "\(name): \(swiftType)" }

  /// Returns name, type and entity, for findings.
  func declaration(in entity: String) -> String { "'\(declaration)' in entity '\(entity)'" }
}
