internal import Foundation
internal import ObjectBox

/// Errors of puts and removals that the server refused, in the embedded store's words.
enum WriteRefusal {
  /// ObjectBox's code for an insert of an existing ID.
  private static let idAlreadyExists: Int32 = 10210
  /// ObjectBox's code for an update of a missing ID.
  private static let idNotFound: Int32 = 10211

  /// A check of a put mode that the server makes.
  enum Check: String, CaseIterable {
    case absent
    case present
  }

  /// Returns the prefix of a text that a statement converts to a number when an object fails the
  /// check.
  ///
  /// The statement appends the object's ID. PostgreSQL has no other error that a plain statement
  /// can raise.
  static func marker(of check: Check, _ entity: UInt32) -> String {
    "objectbox:\(check.rawValue):\(entity):"
  }

  /// Returns the error of a failed check; nil for other failures.
  static func error(ofCheck failure: ServerFailure, in state: WriteState) -> ObjectBoxError? {
    guard failure.state == ServerFailure.State.invalidText else { return nil }
    for check in Check.allCases {
      guard let range = failure.message.range(of: "objectbox:\(check.rawValue):") else { continue }
      let numbers = failure.message[range.upperBound...].split(separator: ":", maxSplits: 1)
      guard numbers.count == 2, let entity = UInt32(numbers[0]),
        let id = UInt64(numbers[1].prefix { $0.isNumber }), let table = state.table(entity)
      else { return nil }
      return check == .absent ? alreadyExists(id, table) : notFound(id, table)
    }
    return nil
  }

  /// The error for an entity that the model lacks.
  static func missing(_ name: String, _ id: UInt32) -> ObjectBoxError {
    .illegalArgument(
      message:
        "'\(name)' (ID \(id)) is not in the model that the cluster was opened with; run the generator again, or "
        + "open the cluster by the initialiser of the module that declares it"
    )
  }

  static func alreadyExists(_ id: UInt64, _ table: WriteTable) -> ObjectBoxError {
    .unknown(
      code: idAlreadyExists,
      message: "cannot insert '\(table.name)' with ID \(id): an object has that ID already; put it "
        + "with mode .put or .update to change it"
    )
  }

  static func notFound(_ id: UInt64, _ table: WriteTable) -> ObjectBoxError {
    let found = id == 0 ? "it was never stored (its ID is 0)" : "no object has ID \(id)"
    return .unknown(
      code: idNotFound,
      message: "cannot update '\(table.name)': \(found); put it with mode .put or .insert"
    )
  }

  static func nothingToRemove(_ id: UInt64, _ table: WriteTable) -> ObjectBoxError {
    .notFound(
      message: "cannot remove '\(table.name)' with ID \(id): there is no such object"
    )
  }

  /// The error for a unique value that another object has.
  ///
  /// - Parameters:
  ///   - unique: The properties.
  ///   - table: Their entity.
  ///   - values: The values as text; nil when it is unknown which object is at fault.
  ///   - other: The object that has the values; nil when it is unknown.
  /// - Returns: The error.
  static func violation(
    of unique: UniqueValues,
    in table: WriteTable,
    values: String?,
    other: UInt64?
  ) -> ObjectBoxError {
    let names = unique.properties.map(\.name).joined(separator: ", ")
    let holder = other.map { "the object with ID \($0)" } ?? "another object"
    let end =
      unique.columns.count > 1
      ? "change one of them"
      : "change one of them, or declare `unique = { \"onConflict\": \"replace\" }`"
    return .uniqueViolation(
      message:
        "unique constraint on '\(table.name).\(names)' would be violated: \(holder) already holds "
        + "\(values ?? "the value of one of the objects"); \(end)"
    )
  }

  /// The error for a to-one relation with a delete rule whose target does not exist, or is still
  /// referred to.
  static func reference(_ entity: EntitySchema, _ property: PropertySchema) -> ObjectBoxError {
    .constraintViolated(
      message:
        "the to-one relation '\(entity.name).\(property.name)' would lead to an object that does not exist: a "
        + "relation with onDelete has a foreign key in a cluster; put its target in the same transaction, or set "
        + "the relation to nil"
    )
  }
}

extension WriteBuffer {
  /// A violation of a unique constraint by an object not known yet.
  struct UnknownViolation {
    let unique: UniqueValues
    let table: WriteTable
    let rows: [PendingRow]
  }

  /// Converts a failure of the last statements to a public error.
  ///
  /// - Parameter failure: The failure.
  /// - Returns: An `ObjectBoxError` like the embedded store's; nil when only the server's message
  ///   is known.
  func error(for failure: ServerFailure) -> (any Error)? {
    unknownViolation = nil
    if let error = WriteRefusal.error(ofCheck: failure, in: cluster.writing) { return error }
    guard let name = failure.constraintName,
      let (entity, properties) = cluster.tables.properties(ofConstraint: name),
      let table = cluster.writing.table(entity.identity.id)
    else { return nil }
    switch failure.state {
    case ServerFailure.State.uniqueViolation:
      let ids = properties.map(\.identity.id)
      let rows = sentRows[table.entityID] ?? []
      if ids == [table.table.id.property.identity.id] {
        let row = rows.first { $0.check == .absent } ?? rows.first
        return WriteRefusal.alreadyExists(row?.row.id ?? 0, table)
      }
      guard let unique = table.uniques.first(where: { $0.properties.map(\.identity.id) == ids })
      else { return nil }
      return violation(UnknownViolation(unique: unique, table: table, rows: rows))
    case ServerFailure.State.foreignKeyViolation:
      return properties.first.map { WriteRefusal.reference(entity, $0) }
    default: return nil
    }
  }

  /// True if another transaction stored a unique value after this one had removed the objects to
  /// replace.
  ///
  /// The next run replaces that object too.
  func hasMetReplaced(_ failure: ServerFailure) -> Bool {
    guard failure.state == ServerFailure.State.uniqueViolation, let name = failure.constraintName,
      let (entity, properties) = cluster.tables.properties(ofConstraint: name)
    else { return false }
    let ids = properties.map(\.identity.id)
    return cluster.writing.table(entity.identity.id)?.uniques.contains {
      $0.replaces && $0.properties.map(\.identity.id) == ids
    } ?? false
  }

  private func violation(_ violation: UnknownViolation) -> ObjectBoxError {
    let (unique, table) = (violation.unique, violation.table)
    if let (row, other) = try? UniqueBatch(table).duplicate(in: violation.rows, of: unique) {
      let values = Self.words(of: unique, row, table)
      return WriteRefusal.violation(of: unique, in: table, values: values, other: other)
    }
    unknownViolation = violation
    let values =
      violation.rows.count == 1
      ? violation.rows.first.flatMap { Self.words(of: unique, $0, table) } : nil
    return WriteRefusal.violation(of: unique, in: table, values: values, other: nil)
  }

  /// Adds the object at fault and the holder of its value to an error of ``error(for:)``.
  ///
  /// Looks them up if needed; returns the error unchanged when the holder is gone.
  func explained(_ error: any Error) async -> any Error {
    guard let violation = unknownViolation, case ObjectBoxError.uniqueViolation = error else {
      return error
    }
    unknownViolation = nil
    let (unique, table) = (violation.unique, violation.table)
    let puts = PutStatements(table)
    guard
      let search = try? puts.holders(of: unique, in: violation.rows, selecting: "u.id, h.id"),
      let rows = try? await cluster.pool.run([
        Statement(search.sql + " ORDER BY u.id LIMIT 1", search.parameters)
      ]).first, rows.count > 0,
      let own = rows.integer(0, 0, as: UInt64.self),
      let other = rows.integer(0, 1, as: UInt64.self),
      let row = violation.rows.first(where: { $0.row.id == own })
    else { return error }
    let words = Self.words(of: unique, row, table)
    return WriteRefusal.violation(of: unique, in: table, values: words, other: other)
  }

  private static func words(
    of unique: UniqueValues,
    _ row: PendingRow,
    _ table: WriteTable
  ) -> String? {
    try? row.row.reading(table.table) { $0.words(of: unique.properties) }
  }
}

extension ServerFailure.State {
  /// A text that is not a number.
  static let invalidText = "22P02"
  /// A number out of its type's range.
  static let numericOverflow = "22003"
}
