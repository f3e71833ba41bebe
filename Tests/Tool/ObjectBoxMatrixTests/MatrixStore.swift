import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// A store with the rows of the matrix as objects of an entity; row *n* has ID *n* + 1.
final class MatrixStore<E: MatrixEntity> {
  private struct Undo: Error {}

  private let folder: TemporaryDirectory
  let store: Store
  let rows: Box<E>
  let dynamic: DynamicBox
  let columns = Columns<E>.all()

  /// The directory of the store.
  var path: String { folder.path + "/store" }

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    rows = store.box()
    dynamic = try store.box(named: E.entityInfo.entityName)
    var all = Self.rows(columns)
    try rows.put(&all)
    if let all = all as? [Row] { try Holder.put(into: store, all) }
  }

  /// Makes the rows with the values of columns.
  static func rows(_ columns: [Column<E>]) -> [E] {
    (0..<Matrix.count).map { number in
      var row = E()
      for column in columns { column.fill(&row, number) }
      return row
    }
  }

  /// A query of all rows.
  var query: Query<E> { get throws { try rows.query().build() } }

  /// Updates all rows by a query, expects each to have the value, and undoes that.
  func update(
    _ change: (inout ObjectUpdate<E>) -> Void,
    _ hasValue: (E) -> Bool
  ) throws {
    #expect(throws: Undo.self) {
      try store.runInTransaction {
        #expect(try query.update(change) == UInt64(Matrix.count))
        #expect(try rows.all().allSatisfy(hasValue))
        throw Undo()
      }
    }
  }
}
