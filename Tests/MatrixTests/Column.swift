import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import ObjectBoxLive
import Testing

/// A condition of the matrix, in the typed and the dynamic form, and the values that it matches.
struct Cell<Value> {
  let name: String
  var typed: QueryCondition<Row>?
  var dynamic: ((DynamicProperty) -> DynamicCondition)?
  /// Never called for null, which only `isNil()` matches.
  let matches: (Value) -> Bool
  var matchesNull = false
}

/// A property of ``Row`` with values, and what must be found by it.
///
/// The values are known to the column, so no expectation goes through the library.
struct Column {
  /// The number of rows: every column repeats its values, and nulls are the first, the last and
  /// others.
  static let count = 60

  let name: String
  let fill: (Row, Int) -> Void
  /// Returns whether a read row has the value of its number.
  let isRead: (Row, Int) -> Bool
  /// Returns whether a change, or none, is that of an object from the value of one row to that of another.
  let isChange: (PropertyChange?, _ old: Int, _ new: Int) -> Bool
  let conditions: [Condition]
  /// Orders of the rows' numbers, ascending with nulls first and equal values by number; nil without
  /// an order.
  var order: (flags: [OrderFlags], numbers: [Int], ranks: [Int])?
  /// Sets the order of a query by the property.
  var ordered: ((QueryBuilder<Row>, [OrderFlags]) -> QueryBuilder<Row>)?
  /// Sets the order of a query by the property of the first row of each holder.
  var orderedOfHolders: ((QueryBuilder<Holder>, [OrderFlags]) -> QueryBuilder<Holder>)?
  var orderedOfCluster: ((ClusterQuery<Row>, [OrderFlags]) -> ClusterQuery<Row>)?
  /// Checks of other surfaces: property queries, groups, updates.
  var checks: [(name: String, run: (MatrixStore) throws -> Void)] = []

  /// The name of the column's property.
  var property: String {
    guard name.hasPrefix("maybe ") else { return name }
    let rest = name.dropFirst("maybe ".count)
    return "maybe" + rest.prefix(1).uppercased() + rest.dropFirst()
  }

  /// The flags of the orders that each surface is asked for.
  static let orderings: [[OrderFlags]] = [
    [], [.descending], [.nullsLast], [.descending, .nullsLast],
  ]

  /// The numbers of the rows in the order of the property with flags; nil without an order.
  func numbers(_ flags: [OrderFlags]) -> [Int]? {
    guard let order else { return nil }
    var numbers = order.numbers
    if flags.contains(.descending) {
      numbers.sort { (-order.ranks[$0], $0) < (-order.ranks[$1], $1) }
    }
    guard name.hasPrefix("maybe ") else { return numbers }
    // Null is the least value; 'nullsLast' moves it behind all others, in both directions.
    let nulls = order.numbers.filter { order.ranks[$0] == 0 }
    let others = numbers.filter { order.ranks[$0] != 0 }
    return flags.contains(.nullsLast) ? others + nulls : nulls + others
  }

  struct Condition {
    let name: String
    let typed: QueryCondition<Row>?
    let dynamic: ((DynamicProperty) -> DynamicCondition)?
    /// The numbers of the rows that match.
    let expected: [Int]
  }
}

/// The values of a column by row; `Value` is never optional.
struct ColumnValues<Value> {
  /// The value of each row; nil for null.
  let rows: [Value?]

  /// Spreads values over the rows of a column; the order differs from column to column.
  init(_ values: [Value], of column: String, hasNulls: Bool) {
    // Primes above the number of values, so that each row takes another one.
    let step = [61, 67, 71, 73, 79][column.utf8.reduce(0) { $0 + Int($1) } % 5]
    let all: [Value?] = (hasNulls ? [nil] : []) + values.map { $0 }
    rows = (0..<Column.count).map { all[($0 * step) % all.count] }
  }

  /// Numbers of the rows in an order: null first, equal values by number; and the rank of each row.
  func order(by precedes: (Value, Value) -> Bool) -> (numbers: [Int], ranks: [Int]) {
    func isLess(_ a: Value?, _ b: Value?) -> Bool {
      guard let b else { return false }
      return a.map { precedes($0, b) } ?? true
    }
    let numbers = rows.indices.sorted { first, second in
      if isLess(rows[first], rows[second]) { return true }
      return !isLess(rows[second], rows[first]) && first < second
    }
    var ranks = [Int](repeating: 0, count: rows.count)
    for (previous, number) in zip(numbers, numbers.dropFirst()) {
      ranks[number] = ranks[previous] + (isLess(rows[previous], rows[number]) ? 1 : 0)
    }
    return (numbers, ranks)
  }

  func condition(_ cell: Cell<Value>) -> Column.Condition {
    Column.Condition(
      name: cell.name,
      typed: cell.typed,
      dynamic: cell.dynamic,
      expected: rows.indices.filter { rows[$0].map(cell.matches) ?? cell.matchesNull }
    )
  }
}

/// A value of any type, without optionality.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  var wrapped: Any? { map { $0 as Any } }
}

extension Column {
  private static func value<P, Value>(_ value: Value?, isOptional: Bool) -> P {
    let value = isOptional ? value as Any : value.unsafelyUnwrapped
    guard let value = value as? P else { preconditionFailure("\(value) is no \(P.self)") }
    return value
  }

  /// Makes a column; `P` is `Value` or its optional.
  init<P, V: RecordValue, Value>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<Row, P>,
    _ property: Property<Row, V, Void>,
    _ values: [Value],
    isSame: @escaping (Value, Value) -> Bool,
    precedes: ((Value, Value) -> Bool)? = nil,
    orderFlags: [OrderFlags] = [],
    _ cells: [Cell<Value>]
  ) {
    let isOptional = P.self == Value?.self
    let values = ColumnValues(values, of: name, hasNulls: isOptional)
    self.name = name
    fill = { row, number in
      row[keyPath: path] = Self.value(values.rows[number], isOptional: isOptional)
    }
    isRead = { row, number in
      let read = row[keyPath: path] as? Value
      guard let expected = values.rows[number], let read else {
        return values.rows[number] == nil && read == nil
      }
      return isSame(expected, read)
    }
    let all =
      cells + [
        Cell(
          name: "isNil",
          typed: property.isNil(),
          dynamic: { $0.isNil() },
          matches: { _ in false },
          matchesNull: true
        ),
        Cell(
          name: "isNotNil",
          typed: property.isNotNil(),
          dynamic: { $0.isNotNil() },
          matches: { _ in true }
        ),
      ]
    ordered = { builder, flags in builder.ordered(by: property, flags: flags) }
    let related = Holder.first.at(property)
    orderedOfHolders = { holders, flags in
      switch flags.count {
      case 0: holders.ordered(by: related)
      case 1: holders.ordered(by: related, flags: flags[0])
      case 2: holders.ordered(by: related, flags: flags[0], flags[1])
      default: holders.ordered(by: related, flags: flags[0], flags[1], flags[2])
      }
    }
    orderedOfCluster = { query, flags in query.ordered(by: property, flags: flags) }
    conditions = all.map(values.condition)
    // A projection has the stored form of an enumeration: its raw value.
    func isStored(_ projection: Any, _ number: Int) -> Bool {
      let projection: Any? = (projection as? any OptionalValue).map(\.wrapped) ?? projection
      guard let expected = values.rows[number] else { return projection == nil }
      if let read = projection as? Value { return isSame(expected, read) }
      if let expected = expected as? [UInt8] { return Data(expected) == projection as? Data }
      let raw = (expected as? any RawRepresentable)?.rawValue ?? expected
      return "\(raw)" == "\(projection ?? "")"
    }
    isChange = { change, old, new in
      let isEqual =
        switch (values.rows[old], values.rows[new]) {
        case (nil, nil): true
        case (let old?, let new?): isSame(old, new)
        default: false
        }
      guard let change else { return isEqual }
      return !isEqual && isStored(change.oldValue as Any, old)
        && isStored(change.newValue as Any, new)
    }
    checks.append(
      (
        "frozen values",
        { store in
          let frozen = try store.store.freeze().query(Row.self)
          let all = try frozen.values(of: property)
          for (number, object) in frozen.enumerated() {
            #expect(isStored(all[number], number), "values, row \(number)")
            #expect(try isStored(object[property], number), "row \(number)")
          }
        }
      )
    )
    if let precedes {
      let (numbers, ranks) = values.order(by: precedes)
      order = (orderFlags, numbers, ranks)
    }
  }
}
