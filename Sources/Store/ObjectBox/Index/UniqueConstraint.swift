internal import ObjectBoxStorage

/// The rule that no two objects have the same value of a property, or the same values of several
/// properties.
///
/// Objects with a null in one of the properties are exempt.
struct UniqueConstraint {
  let definition: IndexDefinition
  private let table: RecordTable

  init(_ definition: IndexDefinition, table: RecordTable) {
    self.definition = definition
    self.table = table
  }

  /// Returns another object with the record's value; nil if there is none or the value is null.
  ///
  /// - Parameters:
  ///   - record: The record of an object, which may be stored or not.
  ///   - key: A buffer for the key.
  ///   - holder: The first object with the key of the record; nil if it is unknown.
  ///   - transaction: The open transaction.
  /// - Returns: The ID of the other object.
  /// - Throws: `StorageError`, and ``ObjectBoxError/fileCorrupt(message:)`` for a damaged record.
  func conflict(
    of record: RecordReader,
    key: inout OrderedKey,
    knowing holder: UInt64? = nil,
    in transaction: StorageTransaction
  ) throws -> UInt64? {
    guard !definition.key.isNull(record), definition.key.write(record, into: &key) else {
      return nil
    }
    // Usually there is no such key; a look-up finds that without a cursor.
    guard let first = try holder ?? transaction.firstID(definition.table, key: key.bytes)
    else { return nil }
    let mustCompare = definition.needsCheck(key: key.bytes)
    if try isConflict(first, with: record, mustCompare, in: transaction) { return first }
    let cursor = try transaction.cursor(definition.table)
    var entry = try cursor.find(key: key.bytes)
    while let found = entry {
      if try isConflict(found.id, with: record, mustCompare, in: transaction) { return found.id }
      entry = try cursor.nextOfKey()
    }
    return nil
  }

  private func isConflict(
    _ id: UInt64,
    with record: RecordReader,
    _ mustCompare: Bool,
    in transaction: StorageTransaction
  ) throws -> Bool {
    if id == record.id { return false }
    if !mustCompare { return true }
    guard let bytes = try transaction.get(table.objects, id: id) else { return false }
    return definition.key.isSameValue(try table.reader(bytes, id: id), record)
  }

  /// The error of a put that violates the rule.
  func violation(of record: RecordReader, with other: UInt64) -> ObjectBoxError {
    let end =
      definition.isCompound
      ? "; change one of them" as StaticString
      : "; change one of them, or declare `unique = { \"onConflict\": \"replace\" }`"
    if table.quoting.isShown, let message = shortMessage(of: record, with: other, end: end) {
      return .uniqueViolation(message: message)
    }
    let values = words(of: record)
    return .uniqueViolation(
      message: "\(definition.violationPrefix)\(other) already holds \(values)\(end)"
    )
  }

  /// The error of two stored objects that violate a new constraint.
  func duplicate(of record: RecordReader, with other: UInt64) -> ObjectBoxError {
    .uniqueViolation(
      message:
        "cannot make '\(table.entityName).\(definition.name)' unique: the objects with "
        + "the IDs \(min(other, record.id)) and \(max(other, record.id)) both hold "
        + "\(words(of: record)); change one of them before, with the model as it was"
    )
  }

  private func words(of record: RecordReader) -> String {
    table.quoting.words(record.words(of: definition.properties), else: "the same value")
  }
}
