internal import ObjectBox

/// Resolves the property of an aggregate, and converts its literal.
struct AggregateResolving {
  private let source: String
  private let entity: EntitySchema

  /// - Parameters:
  ///   - source: The text of the condition, for messages.
  ///   - entity: The entity of the related objects.
  init(_ source: String, of entity: EntitySchema) {
    self.source = source
    self.entity = entity
  }

  /// Returns the comparison of an aggregate.
  ///
  /// - Parameter node: The aggregate as parsed.
  /// - Returns: The aggregate, which fits the entity.
  /// - Throws: ``ConditionFault`` for a property that the entity lacks or that has no such aggregate,
  ///   and for a value that the aggregate cannot have.
  func aggregate(_ node: ConditionNode.Aggregate) throws(ConditionFault) -> LinkAggregate {
    let property = try node.property.map { word throws(ConditionFault) in try self.property(word) }
    guard let comparison = node.comparison.operation.ofTwoValues,
      let value = node.comparison.values.first
    else {
      throw fault(
        "a comparison with a value is expected here: ==, !=, <, <=, > or >=",
        node.comparison.range
      )
    }
    let aggregate: LinkAggregate
    if let property, property.type == .date || property.type == .dateNano {
      aggregate = Self.comparing(
        node.function,
        property,
        comparison,
        try date(value, property)
      )
    } else if let property, property.type == .string, case .text(let text) = value.content {
      aggregate = LinkAggregate(node.function, of: property.identity.id, comparison, .text(text))
    } else {
      let isFraction =
        node.function == .average || property?.type == .float || property?.type == .double
      aggregate = LinkAggregate(
        node.function,
        of: property?.identity.id,
        comparison,
        try number(value, isFraction: isFraction)
      )
    }
    do {
      _ = try RelatedTest(aggregate, of: entity)
      return aggregate
    } catch {
      let text = (error as? ObjectBoxError)?.message ?? "\(error)"
      throw fault(text, node.property?.range ?? node.comparison.range)
    }
  }

  private func property(_ word: ConditionNode.Word) throws(ConditionFault) -> PropertySchema {
    guard let property = entity.properties.first(where: { $0.name == word.text }) else {
      let names = entity.properties.map { "'\($0.name)'" }.joined(separator: ", ")
      throw fault("'\(entity.name)' has no property '\(word.text)'; it has \(names)", word.range)
    }
    return property
  }

  private func number(
    _ value: ConditionNode.Value,
    isFraction: Bool
  ) throws(ConditionFault) -> LinkAggregate.Operand {
    if case .literal(let text) = value.content {
      if isFraction, let number = Double(text) { return .double(number) }
      if !isFraction, let number = Int128(text) { return .integer(number) }
    }
    throw fault("a \(isFraction ? "" : "whole ")number is expected here", value.range)
  }

  // MARK: Dates

  private func date(
    _ value: ConditionNode.Value,
    _ property: PropertySchema
  ) throws(ConditionFault) -> DateText.Bounds {
    let dates = LiteralDates(source: source)
    switch value.content {
    case .literal(let text): return try dates.instant(text, property, value.range)
    case .text(let text): return try dates.date(text, property, value.range)
    case .boolean, .null, .list: throw fault("a date is expected here", value.range)
    }
  }

  /// Compares with a date that may be between two stored dates, or beyond all.
  private static func comparing(
    _ function: LinkAggregate.Function,
    _ property: PropertySchema,
    _ comparison: PropertyCondition.Comparison,
    _ date: DateText.Bounds
  ) -> LinkAggregate {
    func compare(_ comparison: PropertyCondition.Comparison, _ ticks: Int128) -> LinkAggregate {
      LinkAggregate(function, of: property.identity.id, comparison, .integer(ticks))
    }
    if let exact = date.exact { return compare(comparison, Int128(exact)) }
    switch comparison {
    case .less, .lessOrEqual:
      return compare(.lessOrEqual, date.floor.map { Int128($0) } ?? Int128(Int64.min) - 1)
    case .greater, .greaterOrEqual:
      return compare(.greaterOrEqual, date.ceiling.map { Int128($0) } ?? Int128(Int64.max) + 1)
    // All dates differ from it.
    case .notEqual: return compare(.greaterOrEqual, Int128(Int64.min))
    default: return compare(.less, Int128(Int64.min))
    }
  }

  private func fault(_ text: String, _ range: Range<String.Index>) -> ConditionFault {
    ConditionFault(text, source, range)
  }
}

extension ConditionNode.Operation {
  /// The comparison of two values; nil for other operations.
  fileprivate var ofTwoValues: PropertyCondition.Comparison? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }
}
