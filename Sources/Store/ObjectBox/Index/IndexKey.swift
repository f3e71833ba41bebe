package import ObjectBoxStorage

/// Makes the keys of an index from records and from operands of conditions.
///
/// A class, because each put uses it, and copying a struct would retain its references.
package final class IndexKey: Sendable {
  let kind: IndexDefinition.Kind
  private let type: PropertyType
  /// The form in which records store the values.
  let valueKind: RecordField.Kind
  private let isUnsigned: Bool
  private let skipsNull: Bool
  private let skipsZero: Bool
  let propertyID: UInt32
  let collation: Collation
  /// Makes the keys of an index over several properties; nil for a single property.
  private let compound: CompoundKey?

  /// Makes keys for an index over one or several properties.
  ///
  /// With `isPart` it makes the part of a number in a compound key, and compares the values of any part.
  init(_ properties: [PropertySchema], isPart: Bool = false) {
    let property = properties[0]
    let isCompound = properties.count > 1
    kind = isCompound || isPart ? .value : IndexDefinition.Kind(property)
    type = property.type
    valueKind = RecordField.Kind(type: property.type)
    isUnsigned = property.has(.unsigned)
    skipsNull = !isPart && property.has(.indexPartialSkipNull)
    skipsZero = !isPart && property.has(.indexPartialSkipZero)
    propertyID = property.identity.id
    collation = property.collation
    compound = isCompound ? CompoundKey(properties) : nil
  }

  /// True for a to-one relation, which stores "no target" as null or 0.
  var isRelation: Bool { type == .relation }

  /// The maximum length of a key in bytes.
  static var capacity: Int { OrderedKey.capacity }

  /// Returns the bytes of a key that a body writes.
  static func bytes(_ write: (inout OrderedKey) -> Void) -> [UInt8] {
    OrderedKey.withBytes(write) { [UInt8]($0) }
  }

  /// Writes the key of a record's value; false if the index omits the value.
  package func write(_ reader: RecordReader, into key: inout OrderedKey) -> Bool {
    if let compound {
      compound.write(reader, into: &key)
      return true
    }
    let field = reader.field(propertyID: propertyID)
    switch valueKind {
    case .integer8, .integer16, .integer32, .integer64, .objectID:
      guard let value = reader.integer(field) else { return writeNull(into: &key) }
      if value == 0 && skipsZero { return false }
      write(integer: value, into: &key)
    case .float32, .float64:
      guard let value = reader.double(field) else { return writeNull(into: &key) }
      if value == 0 && skipsZero { return false }
      write(double: value, into: &key)
    case .variable, .firstVariable:
      guard let value = reader.bytes(field) else { return writeNull(into: &key) }
      write(bytes: value, into: &key)
    case .absent: return false
    }
    return true
  }

  /// Returns whether two records have the same bytes in the indexed properties; then their keys are
  /// equal.
  func isUnchanged(from old: RecordReader, to new: RecordReader) -> Bool {
    if let compound { return compound.isUnchanged(from: old, to: new) }
    return RecordDifference.isEqual(old, new, propertyID: propertyID)
  }

  /// Returns whether a record lacks the indexed value, or one of several values.
  package func isNull(_ record: RecordReader) -> Bool {
    if let compound { return compound.hasNull(record) }
    let field = record.field(propertyID: propertyID)
    switch field.kind {
    case .absent: return true
    case .objectID: return false
    default:
      return !record.isPresent(field) || (isRelation && record.integer(field) == 0)
    }
  }

  /// Returns whether the index treats the values of two records as equal.
  package func isSameValue(_ a: RecordReader, _ b: RecordReader) -> Bool {
    if let compound { return compound.isSameValue(a, b) }
    let (first, second) = (a.field(propertyID: propertyID), b.field(propertyID: propertyID))
    if let left = a.bytes(first), let right = b.bytes(second) {
      return collation.withKey(of: left) { left in
        collation.withKey(of: right) { right in
          ByteSearch.areEqual(left, right)
        }
      }
    }
    if let left = a.integer(first), let right = b.integer(second) { return left == right }
    if let left = a.double(first), let right = b.double(second) {
      return left == right || (left.isNaN && right.isNaN)
    }
    return false
  }

  /// Writes the key of null; false if the index omits nulls.
  func writeNull(into key: inout OrderedKey) -> Bool {
    // To-one relations store "no target" as null or 0; their index omits both.
    if skipsNull || skipsZero { return false }
    key.setNull()
    return true
  }

  /// Writes the key of an integer, Boolean or date, in the width of the property.
  func write(integer value: Int64, into key: inout OrderedKey) {
    switch kind {
    case .hash, .hash64:
      withUnsafeBytes(of: value.littleEndian) { write(hashOf: $0, into: &key) }
    case .value:
      switch (valueKind, isUnsigned || type == .bool) {
      case (.integer8, false): key.set(signed: Int8(truncatingIfNeeded: value))
      case (.integer8, true): key.set(unsigned: UInt8(truncatingIfNeeded: value))
      case (.integer16, false): key.set(signed: Int16(truncatingIfNeeded: value))
      case (.integer16, true): key.set(unsigned: UInt16(truncatingIfNeeded: value))
      case (.integer32, false): key.set(signed: Int32(truncatingIfNeeded: value))
      case (.integer32, true): key.set(unsigned: UInt32(truncatingIfNeeded: value))
      case (_, false): key.set(signed: value)
      case (_, true): key.set(unsigned: UInt64(bitPattern: value))
      }
    }
  }

  /// Writes the key of a floating point number, in the width of the property.
  func write(double value: Double, into key: inout OrderedKey) {
    switch kind {
    case .hash, .hash64:
      let canonical = value.isNaN ? Double.nan : (value == 0 ? 0 : value)
      withUnsafeBytes(of: canonical.bitPattern.littleEndian) { write(hashOf: $0, into: &key) }
    case .value:
      if type == .float { key.set(Float(value)) } else { key.set(value) }
    }
  }

  /// Writes the key of a string's UTF-8 or of a byte vector.
  func write(bytes value: UnsafeRawBufferPointer, into key: inout OrderedKey) {
    collation.withKey(of: value) { value in
      switch kind {
      case .hash, .hash64: write(hashOf: value, into: &key)
      case .value: key.set(prefixOf: value)
      }
    }
  }

  private func write(hashOf bytes: UnsafeRawBufferPointer, into key: inout OrderedKey) {
    if kind == .hash {
      key.set(unsigned: IndexHash.hash32(bytes))
    } else {
      key.set(unsigned: IndexHash.hash64(bytes))
    }
  }
}

extension OrderedKey {
  /// Writes a key into memory that lasts as long as the call, and passes its bytes to a body.
  ///
  /// It uses no array, which would cost more than a look-up.
  @inline(__always)
  static func withBytes<T>(
    _ write: (inout OrderedKey) -> Void,
    body: (UnsafeRawBufferPointer) throws -> T
  ) rethrows -> T {
    try withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) { room in
      guard let base = room.baseAddress else { preconditionFailure("a key has no memory") }
      var key = OrderedKey(storage: base)
      write(&key)
      return try body(key.bytes)
    }
  }
}
