internal import Foundation
internal import ObjectBox

/// One run of a grouped query.
struct GroupPass {
  private let plan: GroupPlan
  private let execution: QueryExecution

  init(_ plan: GroupPlan, _ execution: QueryExecution) {
    self.plan = plan
    self.execution = execution
  }

  /// How the run reads, in words.
  var way: String {
    get throws {
      if let name = try countedIndex { return "numbers of entries in the index on '\(name)'" }
      let threads = try execution.isSplit ? ", by several threads" : ""
      return "one pass over the objects\(threads); \(plan.columns.count) "
        + (plan.columns.count == 1 ? "property read" : "properties read")
    }
  }

  /// The property whose index serves the run: possible with one key, and no aggregate but the number of
  /// objects.
  private var countedIndex: String? {
    get throws {
      guard let key = countedKey, try execution.canCountKeys(of: key) else { return nil }
      return try plan.property(key).name
    }
  }

  private var countedKey: UInt32? {
    guard plan.keys.count == 1, plan.keys[0].function == .value,
      plan.aggregates.allSatisfy({ $0.propertyID == nil }), plan.columns[0].kind == .integer
    else { return nil }
    return plan.keys[0].propertyID
  }

  /// Returns the groups.
  func table() throws -> GroupTable {
    let table = try GroupTable(plan)
    if let key = countedKey, try execution.forEachKey(of: key, { table.add($0, count: $1) }) {
      return try table.checked()
    }
    let plan = plan
    let columns = RecordColumns(plan.columns, of: execution.table.records)
    let tables = try execution.foldByThread {
      TableOfThread(table: Result { try GroupTable(plan) })
    } _: { thread, run in
      if case .success(let table) = thread.table { table.add(run, columns) }
    }
    if let tables {
      for other in tables {
        let other = try other.table.get()
        other.flush()
        table.add(other)
      }
    } else {
      try execution.forEach {
        table.add($0)
        return true
      }
      table.flush()
    }
    return try table.checked()
  }
}

/// The table of a thread.
///
/// Safe to send: one thread fills it, and the calling thread reads it after all threads have ended.
private struct TableOfThread: @unchecked Sendable {
  let table: Result<GroupTable, any Error>
}

extension GroupTable {
  /// Returns the table, or throws the error that ended its reading.
  fileprivate func checked() throws -> GroupTable {
    if let error { throw error }
    return self
  }
}
