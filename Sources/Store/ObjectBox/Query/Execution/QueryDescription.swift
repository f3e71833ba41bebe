internal import Foundation

/// Describes a query and its plan in words.
package struct QueryDescription {
  let entity: EntitySchema
  let selection: Selection
  let file: StoreFile

  /// Describes a query by its entity and its selection.
  package init(entity: EntitySchema, selection: Selection, file: StoreFile) {
    self.entity = entity
    self.selection = selection
    self.file = file
  }

  private var condition: Condition? { selection.condition }
  private var orders: [QueryOrder] { selection.orders }

  /// The entity and the conditions with their current parameters.
  package var title: String {
    let count = condition?.count ?? 0
    let title = "Query for entity \(entity.name) with \(count) condition\(count == 1 ? "" : "s")"
    return condition.map { "\(title): \(describe($0, entity))" } ?? title
  }

  /// Describes a run that finds at most `limit` results; 0 means all.
  package func explain(_ execution: QueryExecution, limit: Int) throws -> String {
    let plan = execution.plan
    var lines = [
      "\(describe(plan.path, entity)); about \(plan.estimate) of \(plan.total) objects"
    ]
    if let condition, !plan.isExact { lines.append("filter: \(describe(condition, entity))") }
    lines += execution.searches.flatMap(describe)
    lines += execution.links.map(describe)
    if !orders.isEmpty {
      let how = describe(try execution.arrangement(maxCount: max(0, limit)))
      lines.append("order: " + orders.map(describe).joined(separator: ", ") + "; " + how)
    }
    return lines.joined(separator: "\n")
  }

  private func describe(_ path: AccessPath, _ entity: EntitySchema) -> String {
    switch path {
    case .scan: return "scan of all objects"
    case .ids(let ids): return "look-up of \(ids.count) ID\(ids.count == 1 ? "" : "s")"
    case .index(let definition, let ranges, let condition):
      let keys =
        ranges.count == 1 && condition.comparison != .equal
        ? "range" : "\(ranges.count) key\(ranges.count == 1 ? "" : "s")"
      return
        "index on '\(definition.name)' (\(definition.kind)), \(keys): \(describe(condition, entity))"
    case .union(let paths):
      return "union of [" + describe(paths, entity) + "]"
    case .intersection(let paths):
      return "intersection of [" + describe(paths, entity) + "]"
    }
  }

  private func describe(_ plan: SearchPlan) -> [String] {
    let way =
      switch plan.way {
      case .listed: "\(plan.count) objects found"
      case .unfiltered: "among all objects"
      case .walked(let count, let tested):
        "the nearest \(count) of the index, of which the conditions were tested on \(tested)"
      case .compared(let count): "compared with all \(count) objects that meet the conditions"
      }
    let kind = plan.leaf.comparison == .isNearest ? "nearest" : "words"
    let title = "\(kind): \(describe(plan.leaf, entity)); \(way)"
    guard let others = plan.others else { return [title] }
    return [
      title + "; conditions by \(describe(others.path, entity)); "
        + "about \(others.estimate) of \(others.total) objects"
    ] + plan.links.map(describe)
  }

  private func describe(_ paths: [AccessPath], _ entity: EntitySchema) -> String {
    paths.map { describe($0, entity) }.joined(separator: "] and [")
  }

  private func describe(_ plan: LinkPlan) -> String {
    let link = plan.link
    let target = schema(of: link)
    let title = "link: \(describe(link, entity))"
    if plan.isTested { return title + "; related objects looked up for each candidate" }
    let path = target.map { describe(plan.targets.path, $0) } ?? "nothing"
    return title + "; related objects found first by \(path); "
      + "about \(plan.targets.estimate) of \(plan.targets.total) objects"
  }

  private func describe(_ link: LinkCondition, _ host: EntitySchema) -> String {
    guard let target = schema(of: link) else { return "'\(link.targetName)'" }
    let relation = link.describe(from: host, to: target)
    guard let aggregate = link.aggregate else {
      return "\(relation) to '\(target.name)' with " + describe(link.condition, target)
    }
    let comparison = aggregate.describe(target.propertyName)
    let isAny = link.condition == .all([])
    return "\(relation) to \(comparison) '\(target.name)'"
      + (isAny ? "" : " with " + describe(link.condition, target))
  }

  private func schema(of link: LinkCondition) -> EntitySchema? {
    file.table(entity: link.target)?.schema
  }

  private func describe(_ order: QueryOrder) -> String {
    var words = [title(of: order)]
    if order.has(.descending) { words.append("descending") }
    if order.has(.caseSensitive) { words.append("case sensitive") }
    if order.has(.unsigned) { words.append("unsigned") }
    if order.has(.nullsLast) { words.append("nulls last") }
    if order.has(.nullsZero) { words.append("nulls as zero") }
    return words.joined(separator: " ")
  }

  /// The names of the relations and of the property, such as `customer.name`.
  private func title(of order: QueryOrder) -> String {
    var names: [String] = []
    var entity = entity
    for step in order.path {
      names.append(entity.propertyName(step.relationID))
      if let target = file.table(entity: step.target)?.schema { entity = target }
    }
    return (names + [entity.propertyName(order.propertyID)]).joined(separator: ".")
  }

  private func describe(_ arrangement: ResultArrangement) -> String {
    switch arrangement {
    case .byID(let isDescending):
      isDescending ? "in the order of IDs, backwards" : "in the order of IDs"
    case .walk(let walk): "walk of the index on '\(walk.definition.property.name)'"
    case .best(let maxCount): "the first \(maxCount) kept"
    case .sorted: "sorted"
    case .relatedWalk(let walk):
      "walk of the related objects' index on '\(walk.index.property.name)'"
    case .related: "sorted, after the related objects were read once each"
    }
  }

  private func describe(_ condition: Condition, _ entity: EntitySchema) -> String {
    func describe(_ parts: [Condition], _ separator: String) -> String {
      "(" + parts.map { self.describe($0, entity) }.joined(separator: separator) + ")"
    }
    switch condition {
    case .property(let leaf): return self.describe(leaf, entity)
    case .all(let parts): return describe(parts, " AND ")
    case .any(let parts): return describe(parts, " OR ")
    case .link(let link): return self.describe(link, entity)
    }
  }

  private func describe(_ condition: PropertyCondition, _ entity: EntitySchema) -> String {
    let property = entity.property(id: condition.propertyID)
    let values: [String]
    switch condition.operand {
    case .none: values = []
    case .integers(let numbers):
      values = numbers.map { describe($0, of: property) }
    case .doubles(let numbers): values = numbers.map { "\($0)" }
    case .texts(let texts): values = texts.map(Self.quoted)
    case .bytes(let all): values = all.map { "\($0.count) bytes" }
    // Conditions have decimals as numbers, and UUIDs as texts.
    case .encoded(let operand):
      let isText = operand.type.entityPropertyType == .byteVector
      values = isText ? operand.words.map(Self.quoted) : operand.words
    case .dates(let dates): values = dates.map { describe($0, of: property) }
    case .matching(let search): values = [Self.quoted(search.text)]
    case .nearest(let vector, let maxCount, let filtering):
      let shown = vector.prefix(10).map { "\($0)" } + (vector.count > 10 ? ["…"] : [])
      let range = filtering == .first ? "" : " of all objects"
      values = ["[" + shown.joined(separator: ", ") + "], at most \(maxCount)\(range)"]
    }
    var name = entity.propertyName(condition.propertyID)
    if case .matching(let search) = condition.operand,
      let index = entity.fullTextIndexes.first(where: { $0.identity.id == search.index })
    {
      name = index.title(in: entity)
    }
    var text = "\(name) \(condition.comparison.rawValue)"
    switch condition.comparison {
    // The condition language has no half-open ranges, so two comparisons describe it.
    case .inRange where values.count == 2:
      text = "(\(name) >= \(values[0]) AND \(name) < \(values[1]))"
    case .between: text += " " + values.joined(separator: " and ")
    case .isIn, .isNotIn:
      let shown = values.count > 10 ? Array(values.prefix(10)) + ["…"] : values
      text += " [" + shown.joined(separator: ", ") + "]"
    default: if let value = values.first { text += " " + value }
    }
    return condition.isCaseSensitive ? text : text + " (ignoring case)"
  }

  /// Returns a text as conditions have it.
  private static func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    return "\"\(String(quoted))\""
  }

  private func describe(_ number: Int64, of property: PropertySchema?) -> String {
    guard let property else { return "\(number)" }
    switch property.type {
    case .bool: return "\(number != 0)"
    case .date, .dateNano:
      return DateText.text(ticks: number, isNano: property.type == .dateNano) ?? "\(number)"
    default:
      let isUnsigned = property.has(.unsigned) || property.has(.id)
      return isUnsigned ? "\(UInt64(bitPattern: number))" : "\(number)"
    }
  }

  private func describe(_ date: Date, of property: PropertySchema?) -> String {
    let isNano = property?.type == .dateNano
    let ticks = isNano ? DateCodec.nanoseconds(of: date) : DateCodec.milliseconds(of: date)
    return ticks.flatMap { DateText.text(ticks: $0, isNano: isNano) }
      ?? "\(date.timeIntervalSince1970) s since 1970"
  }
}
