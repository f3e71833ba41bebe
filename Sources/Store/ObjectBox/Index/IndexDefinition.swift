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
  package let isUnique: Bool
  /// True if a put removes the object with the same unique value.
  let replacesOnConflict: Bool
  /// Makes the keys.
  package let key: IndexKey
  /// The first words of the error when a put violates a unique index; empty for other indexes.
  let violationPrefix: String

  /// Makes an index over one or several properties of an entity.
  ///
  /// `isUnique` concerns several properties; a single property has flags for that.
  init(table: StorageTable, entity: String, properties: [PropertySchema], isUnique: Bool = false) {
    let property = properties[0]
    let isSingle = properties.count == 1
    self.table = table
    self.property = property
    self.properties = properties
    replacesOnConflict = isSingle && property.has(.uniqueOnConflictReplace)
    self.isUnique = isSingle ? replacesOnConflict || property.has(.unique) : isUnique
    key = IndexKey(properties)
    isPlainText =
      isSingle && property.type == .string && property.encodedType == nil
      && property.collation == .binary
    violationPrefix =
      self.isUnique
      ? "unique constraint on '\(entity).\(Self.name(of: properties))' would be violated: the object with ID "
      : ""
  }

  private static func name(of properties: [PropertySchema]) -> String {
    properties.map(\.name).joined(separator: ", ")
  }

  var kind: Kind { key.kind }

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

  /// Returns the smallest ID of the objects with a key; nil if there is none.
  ///
  /// It uses no cursor, which would cost more than the look-up.
  @inline(__always)
  func firstID(
    in transaction: StorageTransaction,
    _ write: (inout OrderedKey) -> Void
  ) throws -> UInt64? {
    try OrderedKey.withBytes(write) { try transaction.firstID(table, key: $0) }
  }
}

extension IndexDefinition.Kind {
  /// Makes the kind that the flags of a property select.
  package init(_ property: PropertySchema) {
    self =
      property.has(.indexHash64) ? .hash64 : property.has(.indexHash) ? .hash : .value
  }
}
