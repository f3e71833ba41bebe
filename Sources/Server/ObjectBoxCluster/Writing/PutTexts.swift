/// SQL that stores rows of a table.
///
/// The SQL does not depend on the number of rows, so the server prepares each statement once.
struct PutTexts: Sendable {
  /// Inserts one row; one parameter for each column.
  let insert: String
  /// Inserts or updates one row.
  let upsert: String
  /// Updates one row while a column has a value: the SQL before and after the column's name.
  private let update: (start: String, end: String)
  /// Inserts rows, passed as ``RowArrays``.
  let insertMany: String
  /// Inserts or updates rows, passed as ``RowArrays``.
  let upsertMany: String

  /// - Parameters:
  ///   - table: The table's name in SQL.
  ///   - columns: The columns of the properties.
  ///   - texts: The columns of full-text indexes; their values follow the values of the properties.
  init(table: String, columns: [WriteColumn], texts: [TextColumns]) {
    let all = columns.map(\.name) + texts.flatMap(\.names.columns)
    let names = all.joined(separator: ", ")
    let values = all.indices.map { place in
      let parameter = "$\(place + 1)"
      return place < columns.count ? columns[place].column.insertion(parameter) : parameter
    }
    let id = columns[0].name
    let changes = all.dropFirst().map { "\($0) = excluded.\($0)" }
    let onConflict =
      changes.isEmpty
      ? " ON CONFLICT (\(id)) DO NOTHING"
      : " ON CONFLICT (\(id)) DO UPDATE SET \(changes.joined(separator: ", "))"
    insert = "INSERT INTO \(table) (\(names)) VALUES (\(values.joined(separator: ", ")))"
    upsert = insert + onConflict
    let assignments = zip(all, values).dropFirst().map { "\($0) = \($1)" }
    update = (
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(id) = $1 AND ",
      " = $\(all.count + 1)"
    )
    let source = RowArrays.source(of: columns, texts)
    insertMany = "INSERT INTO \(table) (\(names)) \(source)"
    upsertMany = insertMany + onConflict
  }

  /// Updates one row while a column equals the last parameter.
  func update(while column: Column) -> String {
    update.start + column.name + update.end
  }
}
