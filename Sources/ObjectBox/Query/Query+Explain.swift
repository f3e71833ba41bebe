internal import Foundation

extension Query {
  /// Tells in words how the query is carried out: where its candidates come from, about how many they
  /// are, what is tested on each, and how the results are ordered.
  ///
  /// For people; its words may change. Throws ``ObjectBoxError`` when the store is closed or cannot be
  /// read. Costs a few look-ups in the indexes.
  public func explain() throws -> String {
    try executing { execution, _ in
      let plan = execution.plan
      var lines = ["\(describe(plan.path)); about \(plan.estimate) of \(plan.total) objects"]
      if let condition, !plan.isExact { lines.append("filter: \(describe(condition))") }
      if !orders.isEmpty {
        lines.append("order: " + orders.map(describe).joined(separator: ", "))
      }
      return lines.joined(separator: "\n")
    }
  }

  func describeConditions() -> String {
    let count = condition?.properties.count ?? 0
    let title = "Query for entity \(entity.name) with \(count) condition\(count == 1 ? "" : "s")"
    return condition.map { "\(title): \(describe($0))" } ?? title
  }

  private func describe(_ path: AccessPath) -> String {
    switch path {
    case .scan: return "scan of all objects"
    case .ids(let ids): return "look-up of \(ids.count) ID\(ids.count == 1 ? "" : "s")"
    case .index(let definition, let ranges, let condition):
      let keys =
        ranges.count == 1 && condition.comparison != .equal
        ? "range" : "\(ranges.count) key\(ranges.count == 1 ? "" : "s")"
      return
        "index on '\(definition.name)' (\(definition.kind)), \(keys): \(describe(condition))"
    case .union(let paths):
      return "union of [" + paths.map(describe).joined(separator: "] and [") + "]"
    }
  }

  private func describe(_ order: QueryOrder) -> String {
    var words = [name(of: order.propertyID)]
    if order.has(.descending) { words.append("descending") }
    if order.has(.caseSensitive) { words.append("case sensitive") }
    if order.has(.unsigned) { words.append("unsigned") }
    if order.has(.nullsLast) { words.append("nulls last") }
    if order.has(.nullsZero) { words.append("nulls as zero") }
    return words.joined(separator: " ")
  }

  private func name(of propertyID: UInt32) -> String {
    entity.properties.first { $0.identity.id == propertyID }?.name ?? "property \(propertyID)"
  }

  private func describe(_ condition: Condition) -> String {
    switch condition {
    case .property(let leaf): return describe(leaf)
    case .all(let parts): return "(" + parts.map(describe).joined(separator: " AND ") + ")"
    case .any(let parts): return "(" + parts.map(describe).joined(separator: " OR ") + ")"
    }
  }

  private func describe(_ condition: PropertyCondition) -> String {
    let values: [String]
    switch condition.operand {
    case .none: values = []
    case .integers(let numbers):
      let property = entity.properties.first { $0.identity.id == condition.propertyID }
      let isUnsigned = property?.has(.unsigned) ?? false
      values = numbers.map { isUnsigned ? "\(UInt64(bitPattern: $0))" : "\($0)" }
    case .doubles(let numbers): values = numbers.map { "\($0)" }
    case .texts(let texts): values = texts.map { "\"\($0)\"" }
    case .bytes(let bytes): values = ["\(bytes.count) bytes"]
    case .dates(let dates): values = dates.map { $0.formatted(.iso8601) }
    case .nearest(let vector, let maxCount):
      let shown = vector.prefix(10).map { "\($0)" } + (vector.count > 10 ? ["…"] : [])
      values = ["[" + shown.joined(separator: ", ") + "], at most \(maxCount)"]
    }
    var text = "\(name(of: condition.propertyID)) \(condition.comparison.rawValue)"
    switch condition.comparison {
    case .between: text += " " + values.joined(separator: " and ")
    case .isIn, .isNotIn:
      let shown = values.count > 10 ? Array(values.prefix(10)) + ["…"] : values
      text += " [" + shown.joined(separator: ", ") + "]"
    default: if let value = values.first { text += " " + value }
    }
    return condition.isCaseSensitive ? text : text + " (ignoring case)"
  }
}
