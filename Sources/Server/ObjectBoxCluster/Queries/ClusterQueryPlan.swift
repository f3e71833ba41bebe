internal import ObjectBoxJSON

/// A server's plan for a query.
public struct ClusterQueryPlan: Sendable, CustomStringConvertible {
  /// The plan in words: one line for each step; below it, indented, the steps that it reads from.
  ///
  /// The text is meant for people and may change.
  public let description: String
  /// The plan as EXPLAIN prints it.
  ///
  /// It may contain values of the condition.
  public let raw: String
  /// The statement.
  public let sql: String

  /// Returns the statements that request the plan of a statement.
  static func statements(_ statement: Statement) -> [Statement] {
    ["(FORMAT JSON) ", ""].map { options in
      var explaining = Statement(once: "EXPLAIN \(options)\(statement.sql)")
      explaining.parameters = statement.parameters
      return explaining
    }
  }

  /// Creates a plan from the results of ``statements(_:)``.
  init(_ rows: [ResultRows], of statement: Statement) {
    func lines(_ rows: ResultRows) -> String {
      (0..<rows.count).compactMap { rows.text($0, 0) }.joined(separator: "\n")
    }
    self.init(json: lines(rows[0]), raw: lines(rows[1]), sql: statement.sql)
  }

  init(json: String, raw: String, sql: String) {
    self.raw = raw
    self.sql = sql
    let plan = (try? JSONParser.parse(json, path: "plan"))?.elements?.first?["Plan"]
    description = plan.map { PlanNode($0).lines(indentation: 0).joined(separator: "\n") } ?? raw
  }
}

/// A step of a plan; see `ExplainNode` in PostgreSQL.
private struct PlanNode {
  private let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  private func text(_ key: String) -> String? {
    switch value[key]?.content {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// Returns the step and the steps below it.
  func lines(indentation: Int) -> [String] {
    let step = String(repeating: "  ", count: indentation) + words
    let below = value["Plans"]?.elements ?? []
    return [step] + below.flatMap { PlanNode($0).lines(indentation: indentation + 1) }
  }

  private var words: String {
    let type = text("Node Type") ?? "step"
    let relation = text("Relation Name") ?? ""
    let index = text("Index Name") ?? ""
    var words =
      switch type {
      case "Seq Scan": "scan of all of '\(relation)'"
      case "Index Scan": "index '\(index)' of '\(relation)'"
      case "Index Only Scan": "index '\(index)' alone"
      case "Bitmap Index Scan": "index '\(index)'"
      case "Bitmap Heap Scan": "objects of '\(relation)' in the order of their pages"
      case "BitmapOr": "union"
      case "BitmapAnd": "intersection"
      case "Sort": "sorted by \(list("Sort Key"))"
      case "Incremental Sort": "sorted by \(list("Sort Key")), in parts"
      case "Limit": "the first ones"
      case "Nested Loop", "Hash Join", "Merge Join":
        "\(type.lowercased()) (\(text("Join Type")?.lowercased() ?? "inner"))"
      default: type.lowercased()
      }
    if let condition = text("Index Cond") ?? text("Hash Cond") ?? text("Merge Cond") {
      words += ", where \(condition)"
    }
    if let filter = text("Filter") ?? text("Join Filter") { words += "; filter \(filter)" }
    if let name = text("Subplan Name") { words = "\(name): \(words)" }
    return words + (text("Plan Rows").map { "; about \($0) rows" } ?? "")
  }

  private func list(_ key: String) -> String {
    (value[key]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
  }
}
