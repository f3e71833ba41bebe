internal import ObjectBox

/// A row that waits to be written.
struct PendingRow: Sendable {
  /// The state of the object on the server that a put mode asks for.
  enum Check: Sendable {
    case none
    case absent
    case present
  }

  var row: RecordRow
  /// True when the ID is a new one, so that the server has no such row.
  var isNew: Bool
  var check = Check.none
  /// The row is written only while a to-one relation leads to an object; apart, since few rows have one.
  final class Condition: Sendable {
    let column: Column
    let target: UInt64

    init(_ column: Column, _ target: UInt64) {
      self.column = column
      self.target = target
    }
  }

  var condition: Condition?
  /// Rows are put in this order; the last put of an object counts.
  var order = 0
}

/// The rows of an entity that wait to be written, one for each ID.
struct PendingRows {
  private(set) var rows: [PendingRow] = []
  /// The places of rows, once an ID is not above those before it; until then they are searched for by halves.
  private var indices: [UInt64: Int]?

  /// Returns the row of an object; nil when none waits.
  func row(of id: UInt64) -> PendingRow? { index(of: id).map { rows[$0] } }

  private func index(of id: UInt64) -> Int? {
    if let indices { return indices[id] }
    // The usual case: a new object.
    guard let last = rows.last, last.row.id >= id else { return nil }
    var (low, high) = (0, rows.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].row.id < id { low = middle + 1 } else { high = middle }
    }
    return rows[low].row.id == id ? low : nil
  }

  /// Makes room for rows.
  mutating func reserve(_ count: Int) {
    // Later it would be made anew for each put.
    if rows.isEmpty { rows.reserveCapacity(count) }
  }

  /// Adds a row in the place of an earlier one of the same object, which is returned.
  mutating func put(_ row: PendingRow) -> PendingRow? {
    let id = row.row.id
    if let index = index(of: id) {
      let old = rows[index]
      rows[index] = row
      return old
    }
    if indices == nil, let last = rows.last, last.row.id > id {
      indices = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.row.id, $0) })
    }
    indices?[id] = rows.count
    rows.append(row)
    return nil
  }

  /// Takes back the last `put` of an object that was not taken back, which returned `old`.
  mutating func undo(_ id: UInt64, old: PendingRow) {
    if let index = index(of: id) { rows[index] = old }
  }

  /// Takes back the last `put`s, each of which added a row.
  mutating func removeLast(_ count: Int) {
    if indices != nil { for row in rows.suffix(count) { indices?[row.row.id] = nil } }
    rows.removeLast(min(count, rows.count))
  }
}

/// The two ends of an entry of a standalone relation.
struct RelationPair: Hashable, Comparable, Sendable {
  var source: UInt64
  var target: UInt64

  static func < (a: Self, b: Self) -> Bool { (a.source, a.target) < (b.source, b.target) }
}
