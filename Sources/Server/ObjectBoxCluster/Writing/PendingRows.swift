internal import ObjectBox

/// A row that is not written yet.
struct PendingRow: Sendable {
  /// The put mode's requirement on the stored object.
  enum Check: Sendable {
    case none
    case absent
    case present
  }

  var row: RecordRow
  /// True for a new ID, for which the server has no row.
  var isNew: Bool
  var check = Check.none
  /// Writes the row only while a to-one relation leads to an object; a class, to keep the usual rows small.
  final class Condition: Sendable {
    let column: Column
    let target: UInt64

    init(_ column: Column, _ target: UInt64) {
      self.column = column
      self.target = target
    }
  }

  var condition: Condition?
  /// The position in the order of puts; the last put of an object counts.
  var order = 0
}

/// The unwritten rows of an entity, one for each ID.
struct PendingRows {
  private(set) var rows: [PendingRow] = []
  /// The indices of rows by ID, used once IDs no longer ascend; until then a binary search finds
  /// rows.
  private var indices: [UInt64: Int]?

  /// Returns the unwritten row of an object; nil without one.
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

  /// Reserves capacity for rows.
  mutating func reserve(_ count: Int) {
    // Only at first: later, each put would reallocate.
    if rows.isEmpty { rows.reserveCapacity(count) }
  }

  /// Adds a row, or replaces the row of the same object and returns it.
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

  /// Undoes the last `put` of an object; `old` is that call's result.
  mutating func undo(_ id: UInt64, old: PendingRow) {
    if let index = index(of: id) { rows[index] = old }
  }

  /// Undoes the last calls of `put`, each of which added a row.
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

/// The objects of a relation that replace all others.
struct ReplacedRelation {
  /// The entity of the related objects.
  let entity: UInt32
  var kept: Set<UInt64> = []
}
