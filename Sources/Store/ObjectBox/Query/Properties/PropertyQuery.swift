/// A query for the values of one property instead of whole objects.
///
/// Returns the values, their number, or aggregates, without making objects. Values are ordered by
/// object ID; the order of the query is ignored. Nulls are skipped unless a value was given for
/// them. Parameters set on the query later also apply here. One thread at a time may use it.
///
///     let all = try notes.query().build()
///     let average = try all.property(Note.stars).average()
///     let titles = try all.property(Note.title).findStrings()
public class PropertyQuery<E, T: EntityPropertyTypeConvertible>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let query: Query<E>
  private let propertyID: UInt32
  private var isDistinct = false
  var foldsCase = false
  private var nullValue: PropertyCondition.Operand = .none

  init(query: Query<E>, propertyID: UInt32) {
    self.query = query
    self.propertyID = propertyID
  }

  /// Counts each value once; cannot be undone.
  ///
  /// Returns the query itself. Throws nothing; declared for source compatibility.
  @discardableResult
  public func distinct() throws -> PropertyQuery<E, T> {
    isDistinct = true
    return self
  }

  func setNullValue(_ value: PropertyCondition.Operand) -> Self {
    nullValue = value
    return self
  }

  /// Returns the number of values that are not null; with `distinct`, of different values.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  public func count() throws -> Int {
    switch RecordField.Kind(type: try property().type) {
    case .float32, .float64: return try foldDoubles(0) { count, _ in count += 1 }
    case .variable, .firstVariable, .absent:
      var count = 0
      try forEachBytes { _ in count += 1 }
      return count
    default:
      return try foldIntegers(0) { count, _ in
        count += 1
      } _: {
        $0 += $1
      }
    }
  }

  // MARK: Values

  /// Whether messages may quote values of the store.
  var quoting: ValueQuoting { query.box.store.file.quoting }

  func property() throws -> PropertySchema {
    try ConditionTypes.property(propertyID, in: query.entity)
  }

  /// Passes stored integers, Booleans and dates to a block.
  func forEachInteger(_ body: (Int64) throws -> Void) throws {
    let null = try nullInteger()
    try query.executing { execution, _ in try forEachNumber(of: execution, null, body) }
  }

  /// Passes floating point numbers to a block.
  func forEachDouble(_ body: (Double) throws -> Void) throws {
    let null = try nullDouble()
    try query.executing { execution, _ in try forEachNumber(of: execution, null, body) }
  }

  private func forEachNumber<N: StoredNumber>(
    of execution: QueryExecution,
    _ null: N?,
    _ body: (N) throws -> Void
  ) throws {
    var seen: Set<N.Identity> = []
    try execution.forEach { record in
      if let value = N.value(of: record.field(propertyID: propertyID), in: record) ?? null,
        !isDistinct || seen.insert(value.identity).inserted
      {
        try body(value)
      }
      return true
    }
  }

  /// Folds stored integers, Booleans and dates.
  ///
  /// - Parameters:
  ///   - empty: The result of no values.
  ///   - add: Adds a value to a result; several threads may call it, each with its own results.
  ///   - join: Joins two results.
  /// - Returns: The result of all values, independent of the number of threads.
  /// - Throws: ``ObjectBoxError`` when the property has no such values, or the store cannot be
  ///   read.
  func foldIntegers<R: Sendable>(
    _ empty: R,
    _ add: @Sendable (inout R, Int64) -> Void,
    _ join: (inout R, R) -> Void
  ) throws -> R {
    try fold(empty, null: nullInteger(), part: empty, add, join, add)
  }

  /// Folds floating point numbers by ascending object ID: the order decides how sums are rounded.
  ///
  /// Several threads may read the values; the calling thread adds them.
  func foldDoubles<R>(_ empty: R, _ add: (inout R, Double) -> Void) throws -> R {
    try fold(empty, null: nullDouble(), part: [Double]()) { part, value in
      part.append(value)
    } _: { result, values in
      for value in values { add(&result, value) }
    } _: { result, value in
      add(&result, value)
    }
  }

  /// Folds numbers, in parts if several threads read them.
  private func fold<N: StoredNumber, P: Sendable, R>(
    _ empty: R,
    null: N?,
    part: P,
    _ addToPart: @Sendable (inout P, N) -> Void,
    _ join: (inout R, P) -> Void,
    _ add: (inout R, N) -> Void
  ) throws -> R {
    let propertyID = propertyID
    var result = empty
    try query.executing { execution, _ in
      let isSplit =
        try !isDistinct
        && execution.foldInThreads(part) { part, record in
          if let value = N.value(of: record.field(propertyID: propertyID), in: record) ?? null {
            addToPart(&part, value)
          }
        } _: {
          join(&result, $0)
        }
      if isSplit { return }
      try forEachNumber(of: execution, null) { add(&result, $0) }
    }
    return result
  }

  /// Finds the least or the greatest number in the property's index.
  ///
  /// - Parameters:
  ///   - isGreatest: True for the greatest number.
  ///   - value: Returns the number of a record.
  /// - Returns: The number; none if there is no number but NaN; nil when no index decides.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  func indexedExtreme<V>(
    isGreatest: Bool,
    _ value: (RecordReader, RecordField) throws -> V?
  ) throws -> [V]? {
    guard case .none = nullValue else { return nil }
    return try query.executing { execution, _ in
      try execution.extreme(of: propertyID, isGreatest: isGreatest)?.compactMap {
        try value($0, $0.field(propertyID: propertyID))
      }
    }
  }

  /// The number that replaces null, if any, for an integer property.
  private func nullInteger() throws -> Int64? {
    _ = try property(with: "integers") { ![.float32, .float64, .variable].contains($0) }
    if case .integers(let values) = nullValue { return values.first }
    return nil
  }

  /// The number that replaces null, if any, for a floating point property.
  private func nullDouble() throws -> Double? {
    _ = try property(with: "floating point numbers") { [.float32, .float64].contains($0) }
    if case .doubles(let values) = nullValue { return values.first }
    return nil
  }

  /// Passes strings and bytes to a block.
  func forEachBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let property = try property(with: "strings") { $0 == .variable }
    var null: String?
    if case .texts(let values) = nullValue { null = values.first }
    var seen: Set<[UInt8]> = []
    let collation = property.collation.ofQuery(foldsCase: foldsCase)
    func pass(_ value: UnsafeRawBufferPointer) throws {
      if !isDistinct || seen.insert(collation.key(of: value)).inserted { try body(value) }
    }
    try query.executing { execution, _ in
      try execution.forEach { record in
        if let value = record.bytes(record.field(propertyID: propertyID)) {
          try pass(value)
        } else if var text = null {
          try text.withUTF8 { try pass(UnsafeRawBufferPointer($0)) }
        }
        return true
      }
    }
  }

  /// Returns the property if its stored values are of the wanted kind.
  private func property(
    with wanted: String,
    _ fits: (RecordField.Kind) -> Bool
  ) throws -> PropertySchema {
    let property = try property()
    guard fits(RecordField.Kind(type: property.type)) else {
      throw ObjectBoxError.mismatch(of: property, in: query.entity, wanted: wanted)
    }
    return property
  }

  /// Collects the values that a loop passes.
  func all<V>(_ loop: ((V) throws -> Void) throws -> Void) rethrows -> [V] {
    var values: [V] = []
    try loop { values.append($0) }
    return values
  }

  /// Returns the only value that a loop passes; nil for none.
  ///
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` for several, and errors of the loop.
  func only<V>(_ loop: ((V) throws -> Void) throws -> Void) throws -> V? {
    var found: V?
    try loop { value in
      guard found == nil else { throw ObjectBoxError.severalValues }
      found = value
    }
    return found
  }
}

extension Query {
  /// Returns a query for the values of a property.
  public func property<T>(_ property: Property<E, T, Void>) -> PropertyQuery<E, T> {
    PropertyQuery(query: self, propertyID: property.propertyId)
  }

  /// Returns a query for the values of a property that may be null.
  public func property<T>(_ property: Property<E, T?, Void>) -> PropertyQuery<E, T> {
    PropertyQuery(query: self, propertyID: property.propertyId)
  }

  /// Returns a query for the stored values of a date property: milliseconds since 1970, or
  /// nanoseconds for `date-nano`.
  public func propertyInt64<V: DatePropertyType>(
    _ property: Property<E, V, Void>
  ) -> PropertyQuery<E, Int64> {
    PropertyQuery(query: self, propertyID: property.propertyId)
  }
}

/// A number as records store it.
private protocol StoredNumber: Sendable {
  associatedtype Identity: Hashable

  /// Returns a property's value in a record; nil for null.
  static func value(of field: RecordField, in record: RecordReader) -> Self?

  /// Equal for numbers that `distinct` counts as one value.
  var identity: Identity { get }
}

extension Int64: StoredNumber {
  fileprivate static func value(of field: RecordField, in record: RecordReader) -> Int64? {
    record.integer(field)
  }

  fileprivate var identity: Int64 { self }
}

extension Double: StoredNumber {
  fileprivate static func value(of field: RecordField, in record: RecordReader) -> Double? {
    record.double(field)
  }

  /// All zeros are one value, and all NaNs.
  fileprivate var identity: UInt64 {
    self == 0 ? 0 : isNaN ? Double.nan.bitPattern : bitPattern
  }
}
