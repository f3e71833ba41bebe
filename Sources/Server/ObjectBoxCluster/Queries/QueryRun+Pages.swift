internal import ObjectBox

extension QueryRun {
  /// Returns the parts of a page's statement.
  ///
  /// The values of the cursor form a row next to the table, so that the terms of the order compute the keys of both.
  ///
  /// - Parameters:
  ///   - cursor: The place where the page begins.
  ///   - alias: The name of the entity's table in the statement.
  ///   - source: FROM with that table.
  ///   - rendering: The rendering of the statement.
  /// - Returns: The parts.
  /// - Throws: `ObjectBoxError.illegalArgument` when the cursor belongs to another query.
  func parts(
    behind cursor: PageCursor,
    _ alias: String,
    _ source: String,
    _ rendering: ConditionRendering
  ) throws -> Parts {
    var rendering = rendering
    let place = rendering.newAlias()
    let ordering = Set(orders.map(\.propertyID))
    let columns = table.writeColumns.filter {
      $0.column.isID || ordering.contains($0.column.property.identity.id)
    }
    var source = source
    try cursor.withRecord(orders, of: table.schema, table.layout) { record in
      try table.check(record)
      let values = columns.map { column in
        let value = rendering.parameter { parameters in
          parameters.appendOptional(column.column.kind.type) { column.append(record, to: &$0) }
        }
        let type = column.column.kind.sql
        return "\(exact("\(value)::\(type)", column.column, cursor, &rendering)) AS \(column.name)"
      }
      let first = QueryOrder.deciding(orders, entity: table.schema).first
      let hasFirst = columns.contains {
        var bytes: [UInt8] = []
        return $0.column.property.identity.id == first?.propertyID
          && $0.append(record, to: &bytes)
      }
      source += ", (SELECT \(values.joined(separator: ", "))) \(place) WHERE "
      source += OrderRendering.behind(
        orders,
        of: table,
        as: alias,
        place,
        in: tables,
        hasFirst: hasFirst || first == nil
      )
    }
    if let condition {
      source += " AND "
      source += try rendering.sql(condition, of: table, as: alias)
    }
    return Parts(rendering: rendering, alias: alias, source: source)
  }

  /// Returns the value of a cursor's object in the database, if that reads as the value of the cursor.
  ///
  /// Other programs may store microseconds, which a cursor lacks. Without them the page would begin with the object
  /// itself.
  private func exact(
    _ value: String,
    _ column: Column,
    _ cursor: PageCursor,
    _ rendering: inout ConditionRendering
  ) -> String {
    guard column.kind == .timestamp else { return value }
    let id = rendering.parameter { $0.append(id: cursor.id) }
    let name = "c.\(column.name)"
    return "coalesce((SELECT \(name) FROM \(table.name) c WHERE c.\(table.id.name) = \(id) "
      + "AND \(name) BETWEEN \(value) AND \(value) + interval '999 microseconds'), \(value))"
  }
}
