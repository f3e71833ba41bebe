package import Foundation

/// A comparison of an aggregate of related objects.
package struct LinkAggregate: Sendable, Hashable {
  package enum Function: String, Sendable {
    case count, sum, average, min, max
  }

  package enum Operand: Sendable, Hashable {
    case integer(Int128)
    /// The bits of a number, which are equal for NaN.
    case double(bits: UInt64)
    case date(Date)
    case text(String)

    package static func double(_ number: Double) -> Self { .double(bits: number.bitPattern) }
  }

  package var function: Function
  /// The property of the related objects; nil for their number.
  package var propertyID: UInt32?
  package var comparison: PropertyCondition.Comparison
  package var operand: Operand

  package init(
    _ function: Function,
    of propertyID: UInt32?,
    _ comparison: PropertyCondition.Comparison,
    _ operand: Operand
  ) {
    self.function = function
    self.propertyID = propertyID
    self.comparison = comparison
    self.operand = operand
  }

  /// Compares the number of related objects.
  package static func count(_ comparison: PropertyCondition.Comparison, _ number: Int) -> Self {
    Self(.count, of: nil, comparison, .integer(Int128(number)))
  }

  /// Describes the comparison, such as `> 3` of a number and `sum(total) > 100`.
  func describe(_ name: (UInt32) -> String) -> String {
    let value =
      switch operand {
      case .integer(let number): "\(number)"
      case .double(let bits): "\(Double(bitPattern: bits))"
      case .date(let date): "\(date)"
      case .text(let text): "\"\(text)\""
      }
    let left = propertyID.map { "\(function.rawValue)(\(name($0))) " } ?? ""
    return "\(left)\(comparison.rawValue) \(value)"
  }
}

/// A comparison of an aggregate, checked against the entity of the related objects.
package struct RelatedTest {
  /// The value of an aggregate, or its operand in stored form.
  package enum Value {
    case integer(Int128)
    case double(Double)
    /// UTF-8 bytes.
    case text([UInt8])

    /// Returns -1 for a lesser value than another one, 0 for an equal and 1 for a greater one; nil
    /// for NaN and for another kind of value.
    fileprivate func order(to other: Value) -> Int? {
      switch (self, other) {
      case (.integer(let a), .integer(let b)): a < b ? -1 : a == b ? 0 : 1
      case (.double(let a), .double(let b)): a < b ? -1 : a == b ? 0 : a > b ? 1 : nil
      case (.text(let a), .text(let b)): a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
      default: nil
      }
    }
  }

  package let aggregate: LinkAggregate
  /// The property of the related objects; nil for their number.
  package let property: PropertySchema?
  package let operand: Value
  private let isDouble: Bool
  private let isText: Bool
  private let isUnsigned: Bool
  private let mask: UInt64

  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a property that the entity lacks,
  ///   `propertyTypeMismatch` for one that does not fit the function or the operand.
  package init(_ aggregate: LinkAggregate, of entity: EntitySchema) throws {
    self.aggregate = aggregate
    property = try aggregate.propertyID.map { try ConditionTypes.property($0, in: entity) }
    let order = property.map(IntegerOrder.init)
    isUnsigned = order?.flip == 0
    mask = order?.mask ?? .max
    isDouble = property?.type == .float || property?.type == .double
    isText = property?.type == .string
    operand = try Self.operand(of: aggregate, property)
  }

  private static func operand(
    of aggregate: LinkAggregate,
    _ property: PropertySchema?
  ) throws -> Value {
    let function = aggregate.function
    let isExtreme = function == .min || function == .max
    let type = property?.type
    let isInteger = type.map { [.byte, .short, .char, .int, .long].contains($0) } ?? false
    let isDate = type == .date || type == .dateNano
    switch aggregate.operand {
    // Of dates in their stored form.
    case .integer(let number)
    where isInteger && function != .average || isDate && isExtreme
      || property == nil && function == .count:
      return .integer(number)
    case .double(let bits)
    where type == .float || type == .double || isInteger && function == .average:
      return .double(Double(bitPattern: bits))
    case .date(let date):
      guard let property, isDate, isExtreme else { break }
      let condition = PropertyCondition(
        propertyID: property.identity.id,
        comparison: .equal,
        operand: .dates([date])
      )
      let ticks = try ConditionTypes.operand(of: condition, for: property)
      if case .integers(let ticks) = ticks { return .integer(Int128(ticks[0])) }
    case .text(let text):
      // Decimals are texts; their bytes do not sort like the numbers.
      guard let property, type == .string, isExtreme, !property.collation.decidesOrder
      else { break }
      return .text([UInt8](text.utf8))
    default: break
    }
    let name = property.map { "'\($0.name)' of type \($0.type)" } ?? "no property"
    throw ObjectBoxError.propertyTypeMismatch(
      message:
        "a condition compares the \(function.rawValue) of \(name) with \(describe(aggregate.operand)); sums and "
        + "averages need numbers, min and max numbers, dates or texts, and a value of the aggregate's type"
    )
  }

  private static func describe(_ operand: LinkAggregate.Operand) -> String {
    switch operand {
    case .integer: "an integer"
    case .double: "a floating point number"
    case .date: "a date"
    case .text: "a text"
    }
  }

  // MARK: Totals

  /// The state of an aggregate of one object's related objects.
  struct Total {
    /// The number of objects, or of values that are not null.
    fileprivate var count = 0
    /// The sum of integers.
    fileprivate var integer: Int128 = 0
    fileprivate var sum = DoubleSum()
    /// The least or greatest value.
    fileprivate var extreme: Value?
  }

  private var isExtreme: Bool { aggregate.function == .min || aggregate.function == .max }

  /// Adds a related object.
  func add(_ record: RecordReader, to total: inout Total) {
    guard let property else {
      total.count += 1
      return
    }
    let field = record.field(propertyID: property.identity.id)
    let value: Value
    if isText {
      guard let text = record.bytes(field) else { return }
      value = .text([UInt8](text))
    } else if isDouble {
      guard let number = record.double(field), !(isExtreme && number.isNaN) else { return }
      value = .double(number)
    } else {
      guard let bits = record.integer(field) else { return }
      value = .integer(isUnsigned ? Int128(UInt64(bitPattern: bits) & mask) : Int128(bits))
    }
    total.count += 1
    if isExtreme {
      let order = total.extreme.flatMap(value.order)
      let isFirst = order.map { aggregate.function == .min ? $0 < 0 : $0 > 0 } ?? true
      if isFirst { total.extreme = value }
      return
    }
    switch value {
    case .integer(let number): total.integer += number
    case .double(let number): total.sum.add(number)
    case .text: break
    }
  }

  /// Returns whether the aggregate meets the comparison; false without a value.
  func matches(_ total: Total) -> Bool {
    guard let order = value(of: total)?.order(to: operand) else { return false }
    switch aggregate.comparison {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    default: return false
    }
  }

  private func value(of total: Total) -> Value? {
    switch aggregate.function {
    case .count: return .integer(Int128(total.count))
    case .sum: return isDouble ? .double(total.sum.value) : .integer(total.integer)
    case .average:
      if total.count == 0 { return nil }
      return .double(
        isDouble ? total.sum.value / Double(total.count) : total.integer.mean(of: total.count)
      )
    case .min, .max: return total.extreme
    }
  }
}
