internal import ObjectBoxStorage

/// The rule that no two objects hold the same value of a property, or the same values of several; objects
/// with a null among these are exempt.
struct UniqueConstraint {
  private let definition: IndexDefinition
  private let table: RecordTable

  init(_ definition: IndexDefinition, table: RecordTable) {
    self.definition = definition
    self.table = table
  }

  /// Returns another object with the record's value; nil when there is none or the value is null.
  func conflict(
    of record: FlatBufferReader,
    in transaction: StorageTransaction
  ) throws -> UInt64? {
    // By index, since iterating over the elements would copy each of them.
    let properties = definition.properties
    for index in properties.indices where isNull(properties[index], record) { return nil }
    return try withUnsafeTemporaryAllocation(byteCount: OrderedKey.capacity, alignment: 8) { room in
      guard let base = room.baseAddress else { return nil }
      var key = OrderedKey(storage: base)
      guard definition.key.write(record, into: &key) else { return nil }
      // Nearly always there is no such key, which a look-up finds without a cursor.
      guard let first = try transaction.firstID(definition.table, key: key.bytes) else {
        return nil
      }
      let mustCompare = definition.needsCheck(key: key.bytes)
      func isConflict(_ id: UInt64) throws -> Bool {
        if id == record.id { return false }
        if !mustCompare { return true }
        guard let bytes = try transaction.get(table.objects, id: id) else { return false }
        return holdsSameValues(try table.reader(bytes, id: id), record)
      }
      if try isConflict(first) { return first }
      let cursor = try transaction.cursor(definition.table)
      var entry = try cursor.find(key: key.bytes)
      while let found = entry {
        if try isConflict(found.id) { return found.id }
        entry = try cursor.nextOfKey()
      }
      return nil
    }
  }

  /// The error of a put that would break the rule.
  func violation(of record: FlatBufferReader, with other: UInt64) -> ObjectBoxError {
    let advice =
      definition.isCompound ? "" : ", or declare `unique = { \"onConflict\": \"replace\" }`"
    return .uniqueViolation(
      message:
        "unique constraint on '\(table.entityName).\(definition.name)' would be violated: the "
        + "object with ID \(other) already holds \(describe(record)); change one of them\(advice)"
    )
  }

  /// The error of two stored objects that violate a new constraint.
  func duplicate(of record: FlatBufferReader, with other: UInt64) -> ObjectBoxError {
    .uniqueViolation(
      message:
        "cannot make '\(table.entityName).\(definition.name)' unique: the objects with "
        + "the IDs \(min(other, record.id)) and \(max(other, record.id)) both hold "
        + "\(describe(record)); change one of them before, with the model as it was"
    )
  }

  private func isNull(_ property: PropertySchema, _ record: FlatBufferReader) -> Bool {
    let field = record.field(propertyID: property.identity.id)
    switch field.kind {
    case .absent: return true
    case .objectID: return false
    default:
      return !record.isPresent(field)
        || (property.type == .relation && record.integer(field) == 0)
    }
  }

  private func holdsSameValues(_ a: FlatBufferReader, _ b: FlatBufferReader) -> Bool {
    let properties = definition.properties
    return properties.indices.allSatisfy { holdsSameValue(a, b, of: properties[$0]) }
  }

  private func holdsSameValue(
    _ a: FlatBufferReader,
    _ b: FlatBufferReader,
    of property: PropertySchema
  ) -> Bool {
    let id = property.identity.id
    if let left = a.bytes(a.field(propertyID: id)), let right = b.bytes(b.field(propertyID: id)) {
      return property.collation.withKey(of: left) { left in
        property.collation.withKey(of: right) { right in
          left.count == right.count && ByteSearch.areEqual(left, right)
        }
      }
    }
    if let left = a.integer(a.field(propertyID: id)), let right = b.integer(b.field(propertyID: id))
    {
      return left == right
    }
    if let left = a.double(a.field(propertyID: id)), let right = b.double(b.field(propertyID: id)) {
      return left == right || (left.isNaN && right.isNaN)
    }
    return false
  }

  private func describe(_ record: FlatBufferReader) -> String {
    definition.isCompound
      ? definition.properties.map { describe($0, record) }.joined(separator: " and ")
      : describe(definition.property, record)
  }

  /// The value in words, long ones cut.
  private func describe(_ property: PropertySchema, _ record: FlatBufferReader) -> String {
    let field = record.field(propertyID: property.identity.id)
    if let bytes = record.bytes(field) {
      if let value = property.encodedType?.value(in: bytes) { return "\(value)" }
      guard property.type == .string else { return "the same \(bytes.count) bytes" }
      let text = String(decoding: bytes, as: UTF8.self)
      // A text has at most as many characters as bytes; counting characters is expensive.
      let words = bytes.count <= 100 || text.count <= 100 ? "'\(text)'" : "'\(text.prefix(100))…'"
      return property.collation == .nocase ? words + ", where case does not count" : words
    }
    if let integer = record.integer(field) {
      if property.has(.unsigned) { return "\(UInt64(bitPattern: integer))" }
      return "\(integer)"
    }
    return record.double(field).map { "\($0)" } ?? "the same value"
  }
}
