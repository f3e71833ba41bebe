/// One `ordered(by:)` of a query.
package struct QueryOrder: Sendable, Hashable, Codable {
  /// A to-one relation on the way to the property.
  package struct Step: Sendable, Hashable, Codable {
    /// The relation, a property of the entity before.
    package var relationID: UInt32
    /// The ID of the target entity.
    package var target: UInt32

    package init(relationID: UInt32, target: UInt32) {
      self.relationID = relationID
      self.target = target
    }
  }

  /// The relations that lead to the object with the property; empty for the results themselves.
  package var path: [Step] = []
  package var propertyID: UInt32
  /// The combined raw values of ``OrderFlags``.
  package var flags: UInt32

  package init(propertyID: UInt32, flags: UInt32) {
    self.propertyID = propertyID
    self.flags = flags
  }

  package init(propertyID: UInt32, _ flags: [OrderFlags]) {
    self.init(propertyID: propertyID, flags: flags.reduce(0) { $0 | $1.rawValue })
  }

  package func has(_ flag: OrderFlags) -> Bool { flags & flag.rawValue != 0 }

  /// Drops orders that cannot change the result: orders after an order by ID, which is unique, and a last order
  /// by ascending ID, which is the default.
  package static func deciding(_ orders: [QueryOrder], entity: EntitySchema) -> [QueryOrder] {
    guard !orders.isEmpty,
      let id = entity.properties.first(where: { $0.has(.id) })?.identity.id,
      let index = orders.firstIndex(where: { $0.propertyID == id && $0.path.isEmpty })
    else { return orders }
    return Array(orders[..<index]) + (orders[index].has(.descending) ? [orders[index]] : [])
  }
}

/// Sorts results by the values of properties.
package struct ResultOrder {
  /// The key of a record in an order.
  enum Key {
    case null
    case integer(UInt64)
    case double(Double)
    case bytes([UInt8])
  }

  /// A result with its keys.
  package struct Row {
    var id: UInt64
    var keys: [Key]

    /// Sets the key of an order by related objects.
    mutating func setRank(_ rank: UInt32, ofOrder index: Int) {
      keys[index] = rank == RelatedRanks.null ? .null : .integer(UInt64(rank))
    }
  }

  private typealias Part = (order: QueryOrder, property: PropertySchema, integers: IntegerOrder)

  private let orders: [Part]

  /// An order by related objects has the ID of the first target as its key.
  ///
  /// Throws ``ObjectBoxError/illegalArgument(message:)`` for a property that the entity lacks.
  init(_ orders: [QueryOrder], entity: EntitySchema) throws {
    self.orders = try orders.map { order in
      let id = order.path.first?.relationID ?? order.propertyID
      guard var property = entity.property(id: id) else {
        throw ObjectBoxError.illegalArgument(
          message:
            "an order names property \(id) of '\(entity.name)', which the model of "
            + "the store lacks; run the generator again"
        )
      }
      if order.has(.unsigned) { property.flags |= PropertyFlags.unsigned.rawValue }
      return (order, property, IntegerOrder(property))
    }
  }

  /// Returns the row of a record.
  func row(of record: RecordReader) -> Row {
    Row(id: record.id, keys: orders.map { key(of: record, $0) })
  }

  /// Returns the key of a record in the first order.
  func firstKey(of record: RecordReader) -> Key {
    key(of: record, orders[0])
  }

  private func key(of record: RecordReader, _ part: Part) -> Key {
    let (order, property, integers) = part
    let field = record.field(propertyID: property.identity.id)
    switch RecordField.Kind(type: property.type) {
    case .float32, .float64:
      guard let value = record.double(field) else {
        return order.has(.nullsZero) ? .double(0) : .null
      }
      return .double(value)
    case .variable, .firstVariable:
      guard let value = record.bytes(field) else {
        return order.has(.nullsZero) ? .bytes(property.collation.zero) : .null
      }
      let folds = property.type == .string && !order.has(.caseSensitive)
      return .bytes(property.collation.ofQuery(foldsCase: folds).key(of: value))
    default:
      guard let value = record.integer(field) else {
        return order.has(.nullsZero) ? .integer(integers.key(0)) : .null
      }
      return .integer(integers.key(value) & integers.mask)
    }
  }

  /// Returns the key in the first order of an object whose properties are null.
  func firstKey(ofNullIn table: EntityTable) throws -> Key {
    let layout = table.records.currentLayout
    return try layout.nullRecord.withUnsafeBytes {
      try firstKey(of: table.records.reader($0, id: 0))
    }
  }

  /// Returns the IDs in order; equal rows by ID.
  func sorted(_ rows: [Row]) -> [UInt64] {
    rows.sorted(by: precedes).map(\.id)
  }

  /// Returns whether a row precedes another.
  func precedes(_ a: Row, _ b: Row) -> Bool {
    for (index, element) in orders.enumerated() {
      if let isBefore = Self.precedes(a.keys[index], b.keys[index], element.order) {
        return isBefore
      }
    }
    return a.id < b.id
  }

  /// Returns whether a record precedes a row; reads only the keys that it needs.
  func precedes(_ record: RecordReader, _ row: Row) -> Bool {
    precedesByKeys(record, row) ?? (record.id < row.id)
  }

  /// Returns whether a record comes after a row, which may be of an earlier record of the object.
  func follows(_ record: RecordReader, _ row: Row) -> Bool {
    precedesByKeys(record, row).map { !$0 } ?? (record.id > row.id)
  }

  private func precedesByKeys(_ record: RecordReader, _ row: Row) -> Bool? {
    for (index, element) in orders.enumerated() {
      let key = key(of: record, element)
      if let isBefore = Self.precedes(key, row.keys[index], element.order) { return isBefore }
    }
    return nil
  }

  /// Returns whether a key precedes another; nil when they are equal.
  ///
  /// The position of nulls is independent of the direction; NaN is above all numbers.
  private static func precedes(_ a: Key, _ b: Key, _ order: QueryOrder) -> Bool? {
    func result(_ isLess: Bool, _ isGreater: Bool) -> Bool? {
      isLess == isGreater ? nil : isLess != order.has(.descending)
    }
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return result(a < b, a > b)
    case (.double(let a), .double(let b)):
      if a.isNaN || b.isNaN { return result(!a.isNaN && b.isNaN, a.isNaN && !b.isNaN) }
      return result(a < b, a > b)
    case (.bytes(let a), .bytes(let b)):
      return result(a.lexicographicallyPrecedes(b), b.lexicographicallyPrecedes(a))
    case (.null, .null): return nil
    case (.null, _): return !order.has(.nullsLast)
    case (_, .null): return order.has(.nullsLast)
    default: return nil
    }
  }
}
