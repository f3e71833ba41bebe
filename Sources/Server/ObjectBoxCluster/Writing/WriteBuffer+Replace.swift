internal import ObjectBox

/// Removal of objects with relations when their unique values are replaced.
extension WriteBuffer {
  private var replacing: [WriteTable] {
    rows.keys.sorted().compactMap { cluster.writing.table($0) }.filter {
      $0.replaces && $0.isLinked
    }
  }

  /// True if rows replace other rows of the buffer.
  var hasReplacingRows: Bool {
    get throws {
      try replacing.contains { table in
        try !UniqueBatch(table).losers(of: rows[table.entityID]?.rows ?? []).isEmpty
      }
    }
  }

  /// Removes the objects whose unique values the rows replace, before the rows are written.
  func removeReplaced(in transaction: ClusterTransaction) async throws {
    let tables = replacing
    if tables.isEmpty { return }
    let waiting = suspend()
    defer { resume(waiting) }
    for table in tables {
      guard let rows = waiting.rows[table.entityID]?.rows else { continue }
      let puts = PutStatements(table)
      let statements = try table.uniques.filter(\.replaces).map {
        try puts.holders(of: $0, in: rows)
      }
      let others = Set(try await transaction.run(statements).flatMap { $0.ids() })
      if others.isEmpty { continue }
      var removal = ClusterRemoval(in: transaction, keeping: rows.lazy.map(\.row.id), of: table)
      _ = try await removal.run(others.sorted(), of: table)
    }
  }
}
