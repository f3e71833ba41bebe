import ObjectBox

/// An object with relations to rows in both directions.
// objectbox: entity, sync
final class Holder {
  static let count = 20

  var id: Id = 0
  var first: ToOne<Row> = nil
  // objectbox: backlink = "holder"
  var rows: ToMany<Row> = nil

  init() {}

  /// The number of the row that a holder has first; nil for the last holder, which has none.
  static func first(of holder: Int) -> Int? {
    holder == count - 1 ? nil : Matrix.count - 1 - 2 * holder
  }

  /// The number of the holder that a row belongs to; the last holder has no rows.
  static func holder(of row: Int) -> Int { row % (count - 1) }

  /// The numbers of the rows that belong to a holder.
  static func rows(of holder: Int) -> [Int] {
    (0..<Matrix.count).filter { self.holder(of: $0) == holder }
  }

  /// Makes holders with stored rows as targets, in the order of their numbers; the rows get their
  /// holders as targets.
  static func all(with rows: [Row]) -> [Holder] {
    let holders = (0..<count).map { number in
      let holder = Holder()
      holder.first.target = first(of: number).map { rows[$0] }
      return holder
    }
    for (number, row) in rows.enumerated() { row.holder.target = holders[holder(of: number)] }
    return holders
  }

  /// Puts holders with stored rows, and the rows with their holders.
  static func put(into store: Store, _ rows: [Row]) throws {
    try store.box(for: Holder.self).put(all(with: rows))
    try store.box(for: Row.self).put(rows)
  }
}
