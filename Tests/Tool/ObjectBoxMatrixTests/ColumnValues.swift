/// The values of a column by row; `Value` is never optional.
struct ColumnValues<Value> {
  /// The value of each row; nil for null.
  let rows: [Value?]

  /// Spreads values over the rows of a column; the order differs from column to column.
  init(_ values: [Value], of column: String, hasNulls: Bool) {
    // Primes above the number of values, so that each row takes another one.
    let step = [61, 67, 71, 73, 79][column.utf8.reduce(0) { $0 + Int($1) } % 5]
    let all: [Value?] = (hasNulls ? [nil] : []) + values.map { $0 }
    rows = (0..<Matrix.count).map { all[($0 * step) % all.count] }
  }

  init(rows: [Value?]) { self.rows = rows }

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

  func condition<E>(_ cell: Cell<E, Value>) -> Column<E>.Condition {
    Column<E>.Condition(
      name: cell.name,
      typed: cell.typed,
      dynamic: cell.dynamic,
      matching: { rows.indices.filter { rows[$0].map(cell.matches) ?? cell.matchesNull } }
    )
  }
}
