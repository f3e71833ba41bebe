internal import Foundation

/// Compiles a condition to the steps of a ``RecordFilter``.
struct ConditionCompiler {
  let entity: EntitySchema
  /// The links that steps refer to by index.
  let links: [LinkCondition]
  private(set) var steps: [FilterStep] = []
  /// The memory that the steps point to; the filter frees it.
  private(set) var allocations: [UnsafeMutableRawPointer] = []

  /// Compiles a whole condition; an empty conjunction matches everything, an empty disjunction
  /// nothing.
  mutating func compile(_ condition: Condition) throws {
    do {
      try add(condition, onTrue: FilterStep.accept, onFalse: FilterStep.reject)
    } catch {
      for allocation in allocations { allocation.deallocate() }
      throw error
    }
  }

  /// Adds the steps of a condition, which continue at `onTrue` or `onFalse`.
  private mutating func add(_ condition: Condition, onTrue: Int32, onFalse: Int32) throws {
    switch condition {
    case .property(let leaf): try add(leaf, onTrue, onFalse)
    case .all(let parts): try add(parts, onTrue, onFalse, isAll: true)
    case .any(let parts): try add(parts, onTrue, onFalse, isAll: false)
    case .link(let link): add(link, onTrue, onFalse)
    }
  }

  // Steps are large, and `add` recurses: functions of their own keep its frames small.

  private mutating func add(_ leaf: PropertyCondition, _ onTrue: Int32, _ onFalse: Int32) throws {
    var step = try self.step(leaf)
    step.onTrue = onTrue
    step.onFalse = onFalse
    steps.append(step)
  }

  private mutating func add(_ link: LinkCondition, _ onTrue: Int32, _ onFalse: Int32) {
    guard let index = links.firstIndex(of: link) else {
      preconditionFailure("a link of a filter has no test")
    }
    var step = FilterStep(test: .link, propertyID: 0)
    step.link = Int32(index)
    step.onTrue = onTrue
    step.onFalse = onFalse
    steps.append(step)
  }

  private mutating func addConstant(_ onTrue: Int32) {
    // No layout has this property, so every record passes the step.
    var step = FilterStep(test: .presence, propertyID: .max)
    step.onTrue = onTrue
    steps.append(step)
  }

  private mutating func add(
    _ parts: [Condition],
    _ onTrue: Int32,
    _ onFalse: Int32,
    isAll: Bool
  ) throws {
    if parts.isEmpty { return addConstant(isAll ? onTrue : onFalse) }
    // Links last: they cost the most, and the other parts often decide.
    let parts =
      links.isEmpty ? parts : parts.filter { !$0.hasLink } + parts.filter(\.hasLink)
    for (index, part) in parts.enumerated() {
      guard index < parts.count - 1 else {
        return try add(part, onTrue: onTrue, onFalse: onFalse)
      }
      // The steps of the next part follow this one's.
      let next = Int32(steps.count + Self.stepCount(part))
      try add(part, onTrue: isAll ? next : onTrue, onFalse: isAll ? onFalse : next)
    }
  }

  private static func stepCount(_ condition: Condition) -> Int {
    switch condition {
    case .property, .link: 1
    case .all(let parts), .any(let parts): max(1, parts.reduce(0) { $0 + stepCount($1) })
    }
  }

  // MARK: Single steps

  private mutating func step(_ condition: PropertyCondition) throws -> FilterStep {
    let property = try ConditionTypes.property(condition.propertyID, in: entity)
    var step = FilterStep(test: .presence, propertyID: condition.propertyID)
    step.comparison = condition.comparison
    if step.comparison == .isNil || step.comparison == .isNotNil { return step }
    switch try ConditionTypes.operand(of: condition, for: property) {
    case .integers(let values):
      let order = IntegerOrder(property)
      step.flip = order.flip
      step.mask = order.mask
      compile(values.map(order.key), into: &step)
    case .doubles(let values): compile(values, into: &step)
    case .texts(let values):
      step.foldsCase = !condition.isCaseSensitive
      compile(values.map { keep(text: $0, foldsCase: step.foldsCase) }, into: &step)
    case .bytes(let values) where property.collation.decidesOrder:
      let keys = values.map { $0.withUnsafeBytes(property.collation.key) }
      compile(keys.map { UnsafeRawBufferPointer(keep($0)) }, into: &step)
      step.collation = property.collation
      step.test = .key
    case .bytes(let values):
      compile(values.map { UnsafeRawBufferPointer(keep($0)) }, into: &step)
    case .none, .dates, .encoded, .nearest, .matching: break
    }
    switch property.type {
    case .intVector: step.test = .anyInteger32
    case .longVector: step.test = .anyInteger64
    case .floatVector: step.test = .anyFloat
    case .stringVector: step.test = .anyText
    default: break
    }
    return step
  }

  private mutating func compile(_ values: [UInt64], into step: inout FilterStep) {
    step.test = .integer
    if step.comparison.isOfList {
      step.numbers = UnsafeBufferPointer(keep(values.sorted()))
    } else {
      let range = IntegerOrder.range(step.comparison, values)
      step.low = range?.lowerBound ?? 1
      step.high = range?.upperBound ?? 0
    }
  }

  private mutating func compile(_ values: [UnsafeRawBufferPointer], into step: inout FilterStep) {
    step.test = .bytes
    if values.isEmpty { step.comparison = Self.withoutValues(step.comparison) }
    if step.comparison.isOfBounds, values.count == 1 {
      // A parameter of one value is both bounds, as for numbers.
      step.texts = keep(values + values, of: step.comparison)
    } else if step.comparison.isOfList || step.comparison.isOfBounds {
      step.texts = keep(values, of: step.comparison)
    } else if let value = values.first {
      step.bytes = value
    }
  }

  private mutating func compile(_ values: [Double], into step: inout FilterStep) {
    step.test = .double
    if values.isEmpty { step.comparison = Self.withoutValues(step.comparison) }
    if step.comparison.isOfList {
      let bits = values.filter { !$0.isNaN }.map(DoubleOrder.bits)
      step.numbers = UnsafeBufferPointer(keep(bits.sorted()))
    } else {
      let range = DoubleOrder.range(step.comparison, values)
      step.doubleLow = range.low
      step.doubleHigh = range.high
    }
  }

  /// Returns the comparison with an empty list for one with a parameter of no value, which nothing equals.
  private static func withoutValues(
    _ comparison: PropertyCondition.Comparison
  ) -> PropertyCondition.Comparison {
    comparison == .notEqual || comparison == .isNotIn ? .isNotIn : .isIn
  }

  /// Keeps the texts of a list, or two bounds, in ascending order.
  private mutating func keep(
    _ texts: [UnsafeRawBufferPointer],
    of comparison: PropertyCondition.Comparison
  ) -> UnsafeBufferPointer<UnsafeRawBufferPointer> {
    // A range that ends before it begins holds nothing.
    if comparison == .inRange { return UnsafeBufferPointer(keep(texts)) }
    let sorted = texts.sorted { ByteComparison.compare($0, $1, foldsCase: false) < 0 }
    return UnsafeBufferPointer(keep(sorted))
  }

  /// Copies a text's UTF-8, folded if needed, to memory of the filter.
  private mutating func keep(text: String, foldsCase: Bool) -> UnsafeRawBufferPointer {
    var text = text
    return text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return UnsafeRawBufferPointer(foldsCase ? keep(FoldedText.bytes(of: bytes)) : keep(bytes))
    }
  }

  /// Copies values to memory of the filter.
  private mutating func keep<C: Collection>(
    _ values: C
  ) -> UnsafeMutableBufferPointer<C.Element> {
    let room = UnsafeMutableBufferPointer<C.Element>.allocate(capacity: max(1, values.count))
    _ = room.initialize(from: values)
    if let base = room.baseAddress { allocations.append(UnsafeMutableRawPointer(base)) }
    return UnsafeMutableBufferPointer(rebasing: room[..<values.count])
  }
}
