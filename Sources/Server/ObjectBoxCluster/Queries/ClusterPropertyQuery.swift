public import ObjectBox

/// A query for the values of one property of a cluster's objects instead of whole objects.
///
/// Returns the values, their number, or aggregates that the server computes. Values are in the
/// order of the objects' IDs; the query's order is ignored. Nulls are left out unless a replacement
/// was given. Each call is one round trip. The property query is a value: parameters set on the
/// query later do not change it.
///
/// All functions throw `ObjectBoxError` like the embedded store, and ``ClusterError`` when no
/// server answers.
public struct ClusterPropertyQuery<E, T: EntityPropertyTypeConvertible>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let query: ClusterQuery<E>
  private let propertyID: UInt32
  private(set) var isDistinct = false
  private var foldsCase = false
  private var nullValue: PropertyCondition.Operand = .none

  init(_ query: ClusterQuery<E>, _ propertyID: UInt32) {
    self.query = query
    self.propertyID = propertyID
  }

  /// Returns the query for distinct values: all floating point zeros count as one value, and all
  /// NaN.
  public func distinct() -> Self {
    var copy = self
    copy.isDistinct = true
    return copy
  }

  func distinct(foldsCase: Bool) -> Self {
    var copy = distinct()
    copy.foldsCase = foldsCase
    return copy
  }

  func replacingNull(by value: PropertyCondition.Operand) -> Self {
    var copy = self
    copy.nullValue = value
    return copy
  }

  /// Returns the number of non-null values, or of distinct ones in a distinct query.
  ///
  /// Throws `ObjectBoxError` and ``ClusterError``.
  public func count() async throws -> Int {
    let rows = try await values(ofType: nil) { _, values in "SELECT count(value)\(values)" }
    return Int(rows.anyInteger(0, 0) ?? 0)
  }

  /// The name of the property, for messages.
  var propertyName: String {
    query.source.cluster.tables.table(entity: E.entityInfo.entitySchemaId)?
      .column(property: propertyID)?.property.name ?? "property \(propertyID)"
  }

  // MARK: Statements

  /// The type of properties that a call accepts.
  enum ValueType: String {
    case integers
    case doubles = "floating point numbers"
    case texts = "strings"

    func fits(_ kind: ColumnKind) -> Bool {
      switch (self, kind) {
      case (.integers, .bool), (.integers, .smallint), (.integers, .integer), (.integers, .bigint),
        (.integers, .timestamp), (.doubles, .real), (.doubles, .double):
        true
      case (.texts, let kind):
        !Self.integers.fits(kind) && !Self.doubles.fits(kind)
      default: false
      }
    }
  }

  /// Runs a statement on the values of the results.
  ///
  /// - Parameters:
  ///   - type: The type that the caller needs; nil for any.
  ///   - statement: Returns SQL. Gets the column, and FROM with a table of the columns `value` and
  ///     `id` without null values, and without duplicates in a distinct query.
  /// - Returns: The rows.
  /// - Throws: `ObjectBoxError.propertyTypeMismatch` when the property has another type; other
  ///   errors of the query.
  func values(
    ofType type: ValueType?,
    _ statement: (Column, String) -> String
  ) async throws -> ResultRows {
    try await query.atOneVersion { try await values(of: $0, try $0.table(), type, statement) }
  }

  private func values(
    of query: ClusterQuery<E>,
    _ table: ClusterTable,
    _ type: ValueType?,
    _ statement: (Column, String) -> String
  ) async throws -> ResultRows {
    let property = try ConditionTypes.property(propertyID, in: table.schema)
    let column = Column(property)
    if let type, !type.fits(column.kind) {
      throw ObjectBoxError.mismatch(of: property, in: table.schema, wanted: type.rawValue)
    }
    var parts = try await query.run().parts()
    let name = "\(parts.alias).\(column.name)"
    var value = column.isID ? name : column.value(name)
    var identity = foldsCase ? column.text(parts.alias, folded: true) : column.identity(name, value)
    if let null = try nullParameter(column, &parts.rendering.parameters) {
      value = "coalesce(\(value), \(null.value))"
      identity = "coalesce(\(identity), \(null.identity))"
    }
    let id = "\(parts.alias).\(table.id.name)"
    var values = "SELECT \(value) AS value, \(id) AS id\(parts.source)"
    if isDistinct {
      values =
        "SELECT DISTINCT ON (identity) value, id FROM (SELECT \(value) AS value, \(id) AS id,"
        + " \(identity) AS identity\(parts.source)) i ORDER BY identity, id"
    }
    let sql = statement(column, " FROM (\(values)) v WHERE value IS NOT NULL")
    return try await query.source.run([Statement(sql, parts.rendering.parameters)])[0]
  }

  /// Appends the replacement of null as parameters, and returns their SQL; nil without one.
  private func nullParameter(
    _ column: Column,
    _ parameters: inout Parameters
  ) throws -> (value: String, identity: String)? {
    switch nullValue {
    case .integers(let numbers):
      guard let number = numbers.first else { return nil }
      parameters.append(column.unsignedValue(number))
      return ("$\(parameters.count)", "$\(parameters.count)")
    case .doubles(let numbers):
      guard let number = numbers.first else { return nil }
      parameters.append(number)
      return ("$\(parameters.count)", "$\(parameters.count)")
    case .texts(let texts):
      guard let text = texts.first else { return nil }
      guard !text.utf8.contains(0) else {
        throw ObjectBoxError.illegalArgument(
          message:
            "the text in place of null has the character U+0000, which PostgreSQL does not pass on"
        )
      }
      parameters.append(text)
      let value = "$\(parameters.count)" + (column.kind == .numeric ? "::numeric" : "")
      guard foldsCase, column.kind == .text else { return (value, value) }
      parameters.append(PostgresType.text, Column.folded(text))
      return (value, "$\(parameters.count)")
    default: return nil
    }
  }

  // MARK: Values

  /// Returns all values in the order of IDs, converted by a function.
  func all<V>(
    _ type: ValueType,
    _ value: (ResultRows, Int) throws -> V?
  ) async throws -> [V] {
    let rows = try await values(ofType: type) { column, values in
      "SELECT \(column.valueSelection)\(values) ORDER BY id"
    }
    return try (0..<rows.count).compactMap { try value(rows, $0) }
  }

  /// Returns the last value; nil when there is none.
  func last<V>(
    _ type: ValueType,
    _ value: (ResultRows, Int) throws -> V?
  ) async throws -> V? {
    let rows = try await values(ofType: type) { column, values in
      "SELECT \(column.valueSelection)\(values) ORDER BY id DESC LIMIT 1"
    }
    return rows.count == 0 ? nil : try value(rows, 0)
  }

  /// Returns the only value; nil when there is none.
  ///
  /// Throws `ObjectBoxError.uniqueViolation` when there are several.
  func only<V>(
    _ type: ValueType,
    _ value: (ResultRows, Int) throws -> V?
  ) async throws -> V? {
    let rows = try await values(ofType: type) { column, values in
      "SELECT \(column.valueSelection)\(values) ORDER BY id LIMIT 2"
    }
    let found = try (0..<rows.count).compactMap { try value(rows, $0) }
    guard found.count < 2 else { throw ObjectBoxError.severalValues }
    return found.first
  }
}

extension ClusterQuery {
  /// Returns a query for the values of a property.
  public func property<T>(_ property: Property<E, T, Void>) -> ClusterPropertyQuery<E, T> {
    ClusterPropertyQuery(self, property.propertyId)
  }

  /// Returns a query for the values of an optional property.
  public func property<T>(_ property: Property<E, T?, Void>) -> ClusterPropertyQuery<E, T> {
    ClusterPropertyQuery(self, property.propertyId)
  }

  /// Returns a query for a date property's stored numbers: milliseconds since 1970, or nanoseconds
  /// for `date-nano`.
  public func propertyInt64<V: DatePropertyType>(
    _ property: Property<E, V, Void>
  ) -> ClusterPropertyQuery<E, Int64> {
    ClusterPropertyQuery(self, property.propertyId)
  }
}

extension Column {
  /// The column's value in the type used to count and add; integers become 64 bits wide.
  fileprivate func value(_ name: String) -> String {
    switch kind {
    case .bool: "\(name)::int::bigint"
    case .smallint, .integer: "\(name)::bigint"
    // Exact, since `extract(epoch)` is numeric.
    case .timestamp: "floor(extract(epoch FROM \(name)) * 1000)::bigint"
    case .real: "\(name)::float8"
    default: name
    }
  }

  /// The expression by which equal values are identified.
  fileprivate func identity(_ name: String, _ value: String) -> String {
    // Vectors compare by their bytes, which distinguish 0 and -0.
    kind == .reals ? "array_send(\(name))" : value
  }

  /// The column `value` in the type of the results.
  fileprivate var valueSelection: String { kind == .numeric ? "value::text" : "value" }
}
