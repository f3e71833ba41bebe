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
  private var indices: [UInt64: Int] = [:]

  /// Returns the row of an object; nil when none waits.
  func row(of id: UInt64) -> PendingRow? { indices[id].map { rows[$0] } }

  /// Makes room for rows.
  mutating func reserve(_ count: Int) {
    guard count > 1 else { return }
    rows.reserveCapacity(rows.count + count)
    indices.reserveCapacity(rows.count + count)
  }

  /// Adds a row in the place of an earlier one of the same object, which is returned.
  mutating func put(_ row: PendingRow) -> PendingRow? {
    if let index = indices[row.row.id] {
      let old = rows[index]
      rows[index] = row
      return old
    }
    indices[row.row.id] = rows.count
    rows.append(row)
    return nil
  }

  /// Takes back the last `put` that was not taken back, which returned `old`.
  mutating func undo(_ id: UInt64, old: PendingRow?) {
    guard let index = indices[id] else { return }
    if let old {
      rows[index] = old
    } else {
      rows.removeLast()
      indices[id] = nil
    }
  }
}

/// The two ends of an entry of a standalone relation.
struct RelationPair: Hashable, Comparable, Sendable {
  var source: UInt64
  var target: UInt64

  static func < (a: Self, b: Self) -> Bool { (a.source, a.target) < (b.source, b.target) }
}
