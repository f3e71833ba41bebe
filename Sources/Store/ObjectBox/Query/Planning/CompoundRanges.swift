/// Finds ranges of indexes over several properties that contain all results of a conjunction.
struct CompoundRanges {
  /// An index, its range, and the condition on the last fixed property.
  typealias Found = (IndexDefinition, IndexRange, PropertyCondition)

  let table: EntityTable

  /// Returns a range of each index whose first properties have conditions with `==`.
  func find(_ conditions: [Condition]) throws -> [Found] {
    guard !table.compoundIndexes.isEmpty else { return [] }
    var fixed: [UInt32: PropertyCondition] = [:]
    for case .property(let leaf) in conditions where leaf.comparison == .equal {
      fixed[leaf.propertyID] = leaf
    }
    return try table.compoundIndexes.compactMap { try find(fixed, $0) }
  }

  private func find(
    _ fixed: [UInt32: PropertyCondition],
    _ definition: IndexDefinition
  ) throws -> Found? {
    let maker = CompoundKey(definition.properties)
    var prefix: [UInt8] = []
    var last: PropertyCondition?
    for (index, property) in definition.properties.enumerated() {
      guard let condition = fixed[property.identity.id] else { break }
      let operand = try ConditionTypes.operand(of: condition, for: property)
      if case .integers(let values) = operand, let value = values.first,
        property.type != .relation || value != 0
      {
        maker.append(value, part: index, to: &prefix)
      } else if case .texts(let texts) = operand, var text = texts.first,
        condition.isCaseSensitive || property.collation == .nocase
      {
        text.withUTF8 { maker.append(UnsafeRawBufferPointer($0), part: index, to: &prefix) }
      } else if case .bytes(let values) = operand, let value = values.first {
        value.withUnsafeBytes { maker.append($0, part: index, to: &prefix) }
      } else {
        break
      }
      last = condition
    }
    guard let last else { return nil }
    prefix = Array(prefix.prefix(IndexKey.capacity))
    return (definition, IndexRange(lower: prefix, upper: .prefix(prefix)), last)
  }
}
