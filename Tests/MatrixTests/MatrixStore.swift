import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// A store with the rows of the matrix; row *n* has ID *n* + 1.
final class MatrixStore {
  private struct Undo: Error {}

  private let folder: TemporaryDirectory
  let store: Store
  let rows: Box<Row>
  let dynamic: DynamicBox
  let columns = Columns.all()

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    rows = store.box()
    dynamic = try store.box(named: "Row")
    let all = Self.rows(columns)
    try rows.put(all)
    try Holder.put(into: store, all)
  }

  /// Makes the rows with the values of columns.
  static func rows(_ columns: [Column]) -> [Row] {
    (0..<Column.count).map { number in
      let row = Row()
      for column in columns { column.fill(row, number) }
      return row
    }
  }

  /// A query of all rows.
  var query: Query<Row> { get throws { try rows.query().build() } }

  /// Updates all rows by a query, expects each to have the value, and undoes that.
  func update(
    _ change: (inout ObjectUpdate<Row>) -> Void,
    _ hasValue: (Row) -> Bool
  ) throws {
    #expect(throws: Undo.self) {
      try store.runInTransaction {
        #expect(try query.update(change) == UInt64(Column.count))
        #expect(try rows.all().allSatisfy(hasValue))
        throw Undo()
      }
    }
  }

  /// Returns the numbers of objects by their IDs.
  static func numbers<E>(_ ids: [EntityId<E>]) -> [Int] { ids.map { Int($0.value) - 1 } }
}
