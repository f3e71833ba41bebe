internal import Foundation
package import ObjectBox
internal import ObjectBoxCare
package import ObjectBoxDynamic
internal import ObjectBoxFullText

/// Resolves the names of a condition in a store's schema, and converts its literals to values.
package struct ConditionResolving {
  private let source: String
  private let schema: StoreSchema

  /// - Parameters:
  ///   - source: The text of the condition, for messages.
  ///   - schema: The schema of the store.
  package init(_ source: String, _ schema: StoreSchema) {
    self.source = source
    self.schema = schema
  }

  /// Returns a condition on the objects of an entity.
  ///
  /// - Parameters:
  ///   - node: The condition.
  ///   - entity: The name of the entity.
  ///   - properties: The properties of the entity.
  /// - Returns: The condition, which fits the entity.
  /// - Throws: ``ConditionFault`` for a name that the entity lacks, or a value that the property
  ///   cannot have.
  package func condition(
    _ node: ConditionNode,
    of entity: String,
    _ properties: DynamicProperties
  ) throws(ConditionFault) -> DynamicCondition {
    switch node {
    case .all(let parts):
      var all = try condition(parts[0], of: entity, properties)
      for part in parts.dropFirst() { all = all && (try condition(part, of: entity, properties)) }
      return all
    case .any(let parts):
      var any = try condition(parts[0], of: entity, properties)
      for part in parts.dropFirst() { any = any || (try condition(part, of: entity, properties)) }
      return any
    case .link(let path, let inner):
      return try linked(path.names[...], of: entity, properties) {
        entity,
        related throws(ConditionFault) in
        try condition(inner, of: entity, related)
      }
    case .aggregate(let path, let inner, let aggregate):
      return try linked(path.names[...], of: entity, properties, aggregate: aggregate) {
        entity,
        related throws(ConditionFault) in
        try inner.map { node throws(ConditionFault) in try condition(node, of: entity, related) }
          ?? .all
      }
    case .comparison(let comparison):
      return try linked(comparison.path.names.dropLast(), of: entity, properties) {
        entity,
        related throws(ConditionFault) in
        try leaf(comparison, of: entity, related)
      }
    }
  }

  // MARK: Links

  /// Follows the relations of a path, and passes the entity at its end to the body.
  private func linked(
    _ path: ArraySlice<ConditionNode.Word>,
    of entity: String,
    _ properties: DynamicProperties,
    aggregate: ConditionNode.Aggregate? = nil,
    _ body: (String, DynamicProperties) throws(ConditionFault) -> DynamicCondition
  ) throws(ConditionFault) -> DynamicCondition {
    guard let first = path.first, let own = entitySchema(entity) else {
      return try body(entity, properties)
    }
    let target: String
    let isBacklink: Bool
    var rest = path.dropFirst()
    var relation = first
    if let found = targetName(of: first.text, in: own) {
      (target, isBacklink) = (found, false)
    } else if let source = entitySchema(first.text), let name = rest.first {
      guard targetName(of: name.text, in: source) == entity else {
        throw fault(
          "'\(source.name).\(name.text)' is no relation to '\(entity)'; it has "
            + names(source.relationNames { targetName(of: $0, in: source) == entity }),
          first.range.lowerBound..<name.range.upperBound
        )
      }
      (target, isBacklink, relation) = (source.name, true, name)
      rest = rest.dropFirst()
    } else {
      throw fault(
        "'\(entity)' has no relation '\(first.text)'; it has \(names(own.relationNames { _ in true })); the relation of "
          + "another entity that leads here is written as 'Entity.relation(…)'",
        first.range
      )
    }
    // The inner condition's error leaves through a variable, since the closure cannot throw.
    var failure: ConditionFault?
    func inner(_ related: DynamicProperties) -> DynamicCondition? {
      do {
        return try linked(rest, of: target, related, aggregate: aggregate, body)
      } catch {
        failure = error
        return nil
      }
    }
    let range = first.range.lowerBound..<relation.range.upperBound
    // The aggregate of the last relation.
    var compared: LinkAggregate?
    if let aggregate, rest.isEmpty, let related = entitySchema(target) {
      compared = try AggregateResolving(source, of: related).aggregate(aggregate)
    }
    let link =
      isBacklink
      ? properties.link(from: target, relation.text, aggregate: compared) { inner($0) ?? .never }
      : properties[relation.text].link(aggregate: compared) { inner($0) ?? .never }
    if let failure { throw failure }
    return try checked(link, range)
  }

  private func entitySchema(_ name: String) -> EntitySchema? {
    schema.entities.first { $0.name == name }
  }

  private func targetName(of relation: String, in entity: EntitySchema) -> String? {
    if let property = entity.properties.first(where: { $0.name == relation }) {
      return property.type == .relation ? property.targetEntityName : nil
    }
    return entity.relations.first { $0.title == relation }.flatMap { relation in
      schema.entities.first { $0.identity.id == relation.target.id }?.name
    }
  }

  private func names(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map { "'\($0)'" }.joined(separator: ", ")
  }

  // MARK: Comparisons

  private func leaf(
    _ comparison: ConditionNode.Comparison,
    of entity: String,
    _ properties: DynamicProperties
  ) throws(ConditionFault) -> DynamicCondition {
    guard let name = comparison.path.names.last, let own = entitySchema(entity) else {
      throw fault("a property is missing", comparison.range)
    }
    if comparison.operation == .matches,
      own.fullTextIndexes.contains(where: { $0.name == name.text })
    {
      return try search(comparison, properties[name.text])
    }
    guard let property = own.properties.first(where: { $0.name == name.text }) else {
      let relation = targetName(of: name.text, in: own).map {
        "; '\(name.text)' is a relation to '\($0)': write '\(name.text)(…)' with a condition on its objects"
      }
      throw fault(
        "'\(entity)' has no property '\(name.text)'"
          + (relation ?? "; it has \(names(own.properties.map(\.name)))"),
        name.range
      )
    }
    let left = properties[name.text]
    if comparison.operation == .matches { return try search(comparison, left) }
    let isCaseSensitive = !comparison.ignoresCase
    let operands = try comparison.values.enumerated().map { index, value throws(ConditionFault) in
      comparison.operation == .isNearest ? 0 as Any : try operand(value, of: property, in: entity)
    }
    if [.date, .dateNano].contains(property.type), DateComparison.takes(comparison.operation) {
      let dates = try zip(operands, comparison.values).map {
        operand,
        value throws(ConditionFault) in
        guard let date = operand as? DateText.Bounds else {
          throw fault("'\(entity).\(name.text)' is a date; a date is expected here", value.range)
        }
        return date
      }
      let condition = DateComparison(property: left).condition(comparison.operation, dates)
      return try checked(condition, comparison.range)
    }
    func text() throws(ConditionFault) -> String {
      guard let text = operands.first as? String else {
        throw fault("a text in quotes is expected here", comparison.values[0].range)
      }
      return text
    }
    let condition: DynamicCondition
    switch comparison.operation {
    case .isNull: condition = left.isNil()
    case .isNotNull: condition = left.isNotNil()
    case .equal: condition = left.isEqual(to: operands[0], caseSensitive: isCaseSensitive)
    case .notEqual: condition = left.isNotEqual(to: operands[0], caseSensitive: isCaseSensitive)
    case .less: condition = left.isLess(than: operands[0], caseSensitive: isCaseSensitive)
    case .lessOrEqual:
      condition = left.isLessOrEqual(to: operands[0], caseSensitive: isCaseSensitive)
    case .greater: condition = left.isGreater(than: operands[0], caseSensitive: isCaseSensitive)
    case .greaterOrEqual:
      condition = left.isGreaterOrEqual(to: operands[0], caseSensitive: isCaseSensitive)
    case .between:
      condition = left.isBetween(operands[0], and: operands[1], caseSensitive: isCaseSensitive)
    case .isIn: condition = left.isIn(operands, caseSensitive: isCaseSensitive)
    case .isNotIn: condition = left.isNotIn(operands, caseSensitive: isCaseSensitive)
    case .startsWith: condition = left.startsWith(try text(), caseSensitive: isCaseSensitive)
    case .endsWith: condition = left.endsWith(try text(), caseSensitive: isCaseSensitive)
    case .contains: condition = left.contains(try text(), caseSensitive: isCaseSensitive)
    case .isNearest:
      condition = left.nearestNeighbors(
        queryVector: try vector(comparison.values[0]),
        maxCount: try count(comparison.values[1])
      )
    case .matches: condition = try search(comparison, left)
    }
    return try checked(condition, comparison.range)
  }

  /// Returns a search for words; a fault of its text has its place in the whole condition.
  private func search(
    _ comparison: ConditionNode.Comparison,
    _ left: DynamicProperty
  ) throws(ConditionFault) -> DynamicCondition {
    let value = comparison.values[0]
    guard case .text(let text) = value.content else {
      throw fault("the words to search for are expected here, in quotes", value.range)
    }
    if let found = left.searchFault(in: text) {
      throw fault(
        "the search text has a fault: \(found.reason)",
        ConditionTokens.range(of: found.place, inText: value.range, of: source)
      )
    }
    return try checked(left.matches(text), comparison.range)
  }

  /// Returns the condition, or throws its error with the position.
  private func checked(
    _ condition: DynamicCondition,
    _ range: Range<String.Index>
  ) throws(ConditionFault) -> DynamicCondition {
    do {
      try condition.check()
      return condition
    } catch {
      throw fault(error.message, range)
    }
  }

  private func fault(_ text: String, _ range: Range<String.Index>) -> ConditionFault {
    ConditionFault(text, source, range)
  }

  // MARK: Values

  private func vector(_ value: ConditionNode.Value) throws(ConditionFault) -> [Float] {
    guard case .list(let values) = value.content else { return [] }
    var numbers: [Float] = []
    for value in values {
      guard case .literal(let digits) = value.content, let number = Float(digits) else {
        throw fault("a number is expected here", value.range)
      }
      numbers.append(number)
    }
    return numbers
  }

  private func count(_ value: ConditionNode.Value) throws(ConditionFault) -> Int {
    guard case .literal(let digits) = value.content, let count = Int(digits), count > 0 else {
      throw fault("a whole number from 1 on is expected here", value.range)
    }
    return count
  }

  /// Returns a value in the property's Swift type.
  ///
  /// A value that does not fit stays as written, and the comparison reports what the property
  /// accepts.
  private func operand(
    _ value: ConditionNode.Value,
    of property: PropertySchema,
    in entity: String
  ) throws(ConditionFault) -> Any {
    let form = ValueForm(property)
    switch value.content {
    case .boolean(let flag): return flag
    case .null: throw fault("null cannot be compared here; write 'is null'", value.range)
    case .list: throw fault("a list is of use behind 'in' and 'not in' only", value.range)
    case .text(let text):
      if property.isDate {
        return try LiteralDates(source: source).date(text, property, value.range)
      }
      if form == .uuid {
        guard let uuid = UUID(uuidString: text) else {
          throw fault(
            "'\(text)' is no UUID, such as \"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"",
            value.range
          )
        }
        return uuid
      }
      return text
    case .literal(let digits):
      if property.isDate {
        return try LiteralDates(source: source).instant(digits, property, value.range)
      }
      if form == .uuid, let uuid = UUID(uuidString: digits) { return uuid }
      if let bytes = Self.bytes(digits) { return Data(bytes) }
      // A decimal may have more digits than a floating point number.
      if property.collation == .decimal { return digits }
      guard let number = number(digits) else {
        throw fault("'\(digits)' is no number, no date and no bytes", value.range)
      }
      return number
    }
  }

  private func number(_ digits: String) -> Any? {
    if let number = Int64(digits) { return number }
    if let number = UInt64(digits) { return number }
    return Double(digits)
  }

  /// Parses bytes, written as `0x` and two digits for each.
  private static func bytes(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("0x") else { return nil }
    let digits = Array(text.dropFirst(2))
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      // `UInt8` accepts a sign before a digit.
      guard digits[index].isHexDigit,
        let byte = UInt8(String(digits[index...(index + 1)]), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

extension PropertySchema {
  fileprivate var isDate: Bool {
    [.date, .dateNano, .dateVector, .dateNanoVector].contains(type)
  }
}

extension EntitySchema {
  /// The names of the wanted relations.
  fileprivate func relationNames(_ isWanted: (String) -> Bool) -> [String] {
    (properties.filter { $0.type == .relation }.map(\.name) + relations.map(\.title))
      .filter(isWanted)
  }
}
