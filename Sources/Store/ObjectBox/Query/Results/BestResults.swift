/// All results in an order, or the first ones; then it keeps at most `maxCount` rows at a time.
struct BestResults {
  private let order: ResultOrder
  private let maxCount: Int
  /// With `maxCount`, a binary heap with the last row in order at its root.
  private var rows: [ResultOrder.Row] = []

  /// Makes an empty set.
  ///
  /// - Parameters:
  ///   - order: The order of the results.
  ///   - maxCount: How many results to keep; 0 for all.
  init(_ order: ResultOrder, maxCount: Int) {
    self.order = order
    self.maxCount = maxCount
  }

  /// The IDs of the kept rows, in order.
  var ids: [UInt64] { order.sorted(rows) }

  /// Keeps a result, unless `maxCount` others precede it.
  mutating func add(_ record: RecordReader) {
    if maxCount == 0 {
      rows.append(order.row(of: record))
    } else if rows.count < maxCount {
      rows.append(order.row(of: record))
      moveUp()
    } else if order.precedes(record, rows[0]) {
      rows[0] = order.row(of: record)
      moveDown()
    }
  }

  /// Sifts the last row up.
  private mutating func moveUp() {
    var index = rows.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard order.precedes(rows[parent], rows[index]) else { return }
      rows.swapAt(parent, index)
      index = parent
    }
  }

  /// Sifts the first row down.
  private mutating func moveDown() {
    var index = 0
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2] where child < rows.count {
        if order.precedes(rows[last], rows[child]) { last = child }
      }
      if last == index { return }
      rows.swapAt(last, index)
      index = last
    }
  }
}
