/// The first ones of many results in an order; no more than are wanted are kept.
struct BestResults {
  private let order: ResultOrder
  private let maxCount: Int
  /// A heap: no row stands before those at twice its place plus 1 and 2, so that the last one in order is
  /// the first one here.
  private var rows: [ResultOrder.Row] = []

  /// Makes an empty set.
  ///
  /// - Parameters:
  ///   - order: What decides.
  ///   - maxCount: How many results to keep, from 1.
  init(_ order: ResultOrder, maxCount: Int) {
    self.order = order
    self.maxCount = maxCount
  }

  /// The IDs of the rows that were kept, in order.
  var ids: [UInt64] { order.sorted(rows) }

  /// Keeps a result, unless enough others stand before it.
  mutating func add(_ record: FlatBufferReader) {
    if rows.count < maxCount {
      rows.append(order.row(of: record))
      moveUp()
    } else if order.precedes(record, rows[0]) {
      rows[0] = order.row(of: record)
      moveDown()
    }
  }

  /// Moves the row at the end to its place.
  private mutating func moveUp() {
    var place = rows.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard order.precedes(rows[parent], rows[place]) else { return }
      rows.swapAt(parent, place)
      place = parent
    }
  }

  /// Moves the row at the beginning to its place.
  private mutating func moveDown() {
    var place = 0
    while true {
      var last = place
      for child in [2 * place + 1, 2 * place + 2] where child < rows.count {
        if order.precedes(rows[last], rows[child]) { last = child }
      }
      if last == place { return }
      rows.swapAt(last, place)
      place = last
    }
  }
}
