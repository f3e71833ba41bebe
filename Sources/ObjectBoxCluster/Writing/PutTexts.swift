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

  init(table: String, columns: [WriteColumn]) {
    let names = columns.map(\.name).joined(separator: ", ")
    let values = columns.enumerated().map { $1.column.insertion("$\($0 + 1)") }
    let id = columns[0].name
    let changes = columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }
    let onConflict =
      changes.isEmpty
      ? " ON CONFLICT (\(id)) DO NOTHING"
      : " ON CONFLICT (\(id)) DO UPDATE SET \(changes.joined(separator: ", "))"
    insert = "INSERT INTO \(table) (\(names)) VALUES (\(values.joined(separator: ", ")))"
    upsert = insert + onConflict
    let assignments = zip(columns, values).dropFirst().map { "\($0.name) = \($1)" }
    update = (
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(id) = $1 AND ",
      " = $\(columns.count + 1)"
    )
    let source = RowArrays.source(of: columns)
    insertMany = "INSERT INTO \(table) (\(names)) \(source)"
    upsertMany = insertMany + onConflict
  }

  /// Updates one row while a column equals the last parameter.
  func update(while column: Column) -> String {
    update.start + column.name + update.end
  }
}
