internal import ObjectBoxStorage

/// An index of one or several properties: its table, and the form of its keys.
///
/// A class, since queries and writes pass it on, and each copy would retain a dozen references.
final class IndexDefinition: Sendable {
  /// The content of the keys.
  enum Kind: UInt8, Sendable {
    /// The value itself, so that ranges work; long strings and bytes are cut.
    case value
    /// 4 bytes of hash: equality only.
    case hash
    /// 8 bytes of hash: equality only.
    case hash64
  }

  let table: StorageTable
  /// The property, or the first one of several.
  let property: PropertySchema
  /// All properties, in the order of the key.
  let properties: [PropertySchema]
  let kind: Kind
  let isUnique: Bool
  /// True when a put removes the object that holds the same unique value.
  let replacesOnConflict: Bool
  /// Makes the keys.
  let key: IndexKey

  init(table: StorageTable, property: PropertySchema) {
    self.table = table
    self.property = property
    properties = [property]
    kind = Kind(property)
    isUnique = property.has(.unique) || property.has(.uniqueOnConflictReplace)
    replacesOnConflict = property.has(.uniqueOnConflictReplace)
    key = IndexKey(property, kind)
  }

  /// Makes an index of several properties, of which `property` is the first.
  init(
    table: StorageTable,
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
  }

  /// True for an index of several properties.
  var isCompound: Bool { properties.count > 1 }

  /// The names of all properties, for messages.
  var name: String {
    isCompound ? properties.map(\.name).joined(separator: ", ") : property.name
  }

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
  init(_ property: PropertySchema) {
    self =
      property.has(.indexHash64) ? .hash64 : property.has(.indexHash) ? .hash : .value
  }
}
