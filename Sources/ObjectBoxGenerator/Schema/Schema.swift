/// The entities that annotated sources declare, sorted by qualified type name.
///
/// ``SchemaBuilder`` makes it from parsed sources; ``ModelSynchronizer`` fills in the model IDs;
/// the renderer turns it into Swift.
package struct Schema: Hashable, Sendable {
  package var entities: [SchemaEntity] = []
}

/// The number and the lasting identity of an element in the model.
package struct ModelID: Hashable, Sendable {
  /// Small, starts at 1; 0 means "none yet".
  package var id: UInt32
  /// A positive 63-bit number that the element keeps for life.
  package var uid: UInt64

  package static let none = Self(id: 0, uid: 0)
}

/// The request of the `uid` annotation of a declaration.
package enum UIDRequest: Hashable, Sendable {
  /// There is no `uid` annotation.
  case none
  /// `uid = N`: this element of the model, or a new one from the pool.
  case value(UInt64)
  /// `uid` alone, or `uid = 1`: tell the current UID and a new one.
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
  /// The name in the model and the database: the type name, or the one of the `name` annotation.
  package var databaseName: String
  package var kind: Kind
  /// True when the sources state the `Entity` conformance, so that generated code must not.
  package var declaresConformance = false
  /// The isolation that the declaration states; generated code states the same.
  package var isolation = Isolation.unstated
  package var uid = UIDRequest.none
  package var flags: EntityFlags = []
  package var externalName: String?
  /// The stored properties with the ID and the to-one relations, in declaration order.
  package var properties: [SchemaProperty]
  /// The to-many relations, in declaration order.
  package var relations: [SchemaRelation] = []
  /// The indexes over several properties, in the order of the annotations.
  package var compoundIndexes: [SchemaCompoundIndex] = []
  /// The place of the type's name in its declaration.
  package var position: SourcePosition
  /// The place of the `uid` annotation; nil without one.
  package var uidPlace: SourceSpan?

  /// Set by ``ModelSynchronizer``.
  package var modelID: ModelID?
  /// Set by ``ModelSynchronizer``.
  package var lastPropertyID: ModelID?

  /// The property that holds the object ID; nil only while errors are still being collected.
  package var idProperty: SchemaProperty? { properties.first(where: \.isID) }
}

/// The conversion of a property whose type is no database type.
package struct Conversion: Hashable, Sendable {
  /// The Swift type that is stored, with its `?` where there is one, such as `Int?`.
  package var databaseType: String
  /// The type with the two static `convert` functions; nil means `RawRepresentable`.
  package var converter: String?
  /// A Swift expression for values that do not convert back.
  package var defaultValue: String?
  /// True when every stored value converts back, so that there is no default.
  package var isTotal = false
  /// The raw values that convert back, where Swift itself would take any; empty elsewhere.
  package var knownRawValues: [String] = []
  /// True for a value of a `Codable` type, which the converter may fail on.
  package var isCodable = false
}

/// A stored property of an entity.
package struct SchemaProperty: Hashable, Sendable {
  package enum IndexKind: Sendable {
    case value, hash, hash64
  }

  /// The name in Swift.
  package var name: String
  /// The name in the model and the database: the Swift name, or the one of the `name` annotation.
  package var databaseName: String
  /// The declared Swift type as written, such as `Date?`, after inference and typealiases.
  package var swiftType: String
  /// `swiftType` without optionality, such as `Date`.
  package var unwrappedType: String
  package var isOptional: Bool
  /// False for `let`.
  package var isMutable: Bool
  /// Nil when the type is unknown: the model then has no `type`, and the code asks the runtime.
  package var type: PropertyType?
  /// All flags as model.json has them, those of the index included.
  package var flags: PropertyFlags = []
  package var index: IndexKind?
  package var uid = UIDRequest.none
  package var conversion: Conversion?
  /// The database name of the target of a to-one relation.
  package var relationTarget: String?
  /// The qualified Swift name of the target of a to-one relation.
  package var targetType: String?
  /// The comparison of texts in the index; nil for the default.
  package var collation: Collation?
  /// The effect on the objects of a to-one relation when their target is removed; nil when not stated.
  package var onDelete: DeleteRule?
  /// The parameters of a nearest-neighbour index.
  package var vectorIndex: SchemaVectorIndex?
  package var externalName: String?
  package var externalType: UInt16?
  /// The imports that generated code needs for the type, such as `import CNotes`.
  package var imports: [String] = []
  /// The place of the property's name in its declaration.
  package var position: SourcePosition
  /// The place of the `uid` annotation; nil without one.
  package var uidPlace: SourceSpan?

  /// Set by ``ModelSynchronizer``.
  package var modelID: ModelID?
  /// Set by ``ModelSynchronizer`` for a property with an index.
  package var indexID: ModelID?

  package var isID: Bool { flags.contains(.id) }

  /// The Swift type that is stored, with its `?` where there is one: the declared one, or that of the
  /// conversion.
  var storedType: String { conversion?.databaseType ?? swiftType }

  /// The name with the type, for findings.
  var declaration: String { "\(name): \(swiftType)" }

  /// The name with the type and the entity, for findings.
  func declaration(in entity: String) -> String { "'\(declaration)' in entity '\(entity)'" }
}
