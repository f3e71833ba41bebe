package import ObjectBoxStorage

/// An index over one or several properties: its table, and the form of its keys.
///
/// A class, because queries and writes pass it on, and copying a struct would retain a dozen
/// references.
package final class IndexDefinition: Sendable {
  /// The content of the keys.
  package enum Kind: UInt8, Sendable {
    /// The value itself, for equality and ranges; long strings and bytes are cut.
    case value
    /// A hash of 4 bytes, for equality only.
    case hash
    /// A hash of 8 bytes, for equality only.
    case hash64
  }

  package let table: StorageTable
  /// The property; the first of several properties.
  let property: PropertySchema
  /// All properties, in the order of the key.
  let properties: [PropertySchema]
  let kind: Kind
  package let isUnique: Bool
  /// True if a put removes the object with the same unique value.
  let replacesOnConflict: Bool
  /// Makes the keys.
  package let key: IndexKey
  /// The first words of the error when a put violates a unique index; empty for other indexes.
  let violationPrefix: String

  /// Makes an index over one property of an entity.
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

  /// Makes an index over several properties of an entity; `property` is the first.
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

  /// True for an index over several properties.
  var isCompound: Bool { properties.count > 1 }

  /// True for an index over one text property that compares the bytes of texts.
  let isPlainText: Bool

  /// The names of all properties, for messages.
  package var name: String { Self.name(of: properties) }

  var propertyID: UInt32 { property.identity.id }

  /// True if the keys are made of folded text: upper and lower case are equal.
  var ignoresCase: Bool { property.collation == .nocase }

  /// True if equal keys do not prove equal values, and the records must be compared.
  func needsCheck(key: UnsafeRawBufferPointer) -> Bool {
    kind != .value || key.count == OrderedKey.capacity
  }
}

extension IndexDefinition.Kind {
  /// Makes the kind that the flags of a property select.
  package init(_ property: PropertySchema) {
    self =
      property.has(.indexHash64) ? .hash64 : property.has(.indexHash) ? .hash : .value
  }
}
