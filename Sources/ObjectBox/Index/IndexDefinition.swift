package import ObjectBoxStorage

/// An index of one or several properties: its table, and the form of its keys.
///
/// A class, since queries and writes pass it on, and each copy would retain a dozen references.
package final class IndexDefinition: Sendable {
  /// The content of the keys.
  package enum Kind: UInt8, Sendable {
    /// The value itself, so that ranges work; long strings and bytes are cut.
    case value
    /// 4 bytes of hash: equality only.
    case hash
    /// 8 bytes of hash: equality only.
    case hash64
  }

  package let table: StorageTable
  /// The property, or the first one of several.
  let property: PropertySchema
  /// All properties, in the order of the key.
  let properties: [PropertySchema]
  let kind: Kind
  package let isUnique: Bool
  /// True when a put removes the object that holds the same unique value.
  let replacesOnConflict: Bool
  /// Makes the keys.
  package let key: IndexKey
  /// The first words of the error of a put that would break the rule of a unique index; empty for others.
  let violationPrefix: String

  /// Makes an index of one property of an entity.
  package init(table: StorageTable, entity: String, property: PropertySchema) {
    self.table = table
    self.property = property
    properties = [property]
    kind = Kind(property)
    isUnique = property.has(.unique) || property.has(.uniqueOnConflictReplace)
    replacesOnConflict = property.has(.uniqueOnConflictReplace)
    key = IndexKey(property, kind)
    isPlainText =
      property.type == .string && property.encodedType == nil && property.collation == .binary
    violationPrefix = isUnique ? Self.violationPrefix(entity, properties) : ""
  }

  /// Makes an index of several properties of an entity, of which `property` is the first.
  package init(
    table: StorageTable,
    entity: String,
    property: PropertySchema,
    rest: [PropertySchema],
    isUnique: Bool
  ) {
    self.table = table
    self.property = property
    properties = [property] + rest
    kind = .value
    self.isUnique = isUnique
    replacesOnConflict = false
    key = IndexKey(property, kind, compound: CompoundKey(properties))
    isPlainText = false
    violationPrefix = isUnique ? Self.violationPrefix(entity, properties) : ""
  }

  private static func violationPrefix(_ entity: String, _ properties: [PropertySchema]) -> String {
    "unique constraint on '\(entity).\(name(of: properties))' would be violated: the object with ID "
  }

  private static func name(of properties: [PropertySchema]) -> String {
    properties.map(\.name).joined(separator: ", ")
  }

  /// True for an index of several properties.
  var isCompound: Bool { properties.count > 1 }

  /// True for an index of one property with plain texts, which are told apart by their bytes.
  let isPlainText: Bool

  /// The names of all properties, for messages.
  package var name: String { Self.name(of: properties) }

  var propertyID: UInt32 { property.identity.id }

  /// True when the keys are made of folded text, so that upper and lower case are the same.
  var ignoresCase: Bool { property.collation == .nocase }

  /// True when equal keys do not prove equal values, so that the record must be compared.
  func needsCheck(key: UnsafeRawBufferPointer) -> Bool {
    kind != .value || key.count == OrderedKey.capacity
  }
}

extension IndexDefinition.Kind {
  /// The kind that the flags of a property ask for.
  package init(_ property: PropertySchema) {
    self =
      property.has(.indexHash64) ? .hash64 : property.has(.indexHash) ? .hash : .value
  }
}
