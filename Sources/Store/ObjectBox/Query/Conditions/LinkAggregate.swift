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
    switch (aggregate.operand, property?.type) {
    case (.integer(let number), nil) where function == .count: return .integer(number)
    case (.integer(let number), .byte?), (.integer(let number), .short?),
      (.integer(let number), .char?), (.integer(let number), .int?), (.integer(let number), .long?):
      if function != .average { return .integer(number) }
    case (.double(let bits), .float?), (.double(let bits), .double?):
      return .double(Double(bitPattern: bits))
    case (.double(let bits), .byte?), (.double(let bits), .short?), (.double(let bits), .char?),
      (.double(let bits), .int?), (.double(let bits), .long?):
      if function == .average { return .double(Double(bitPattern: bits)) }
    case (.date(let date), .date?), (.date(let date), .dateNano?):
      guard let property, function == .min || function == .max else { break }
      return .integer(Int128(try ticks(of: date, property)))
    // Dates in their stored form.
    case (.integer(let number), .date?), (.integer(let number), .dateNano?):
      if function == .min || function == .max { return .integer(number) }
    case (.text(let text), .string?):
      // Decimals are texts; their bytes do not sort like the numbers.
      guard let property, !property.collation.decidesOrder else { break }
      if function == .min || function == .max { return .text([UInt8](text.utf8)) }
    default: break
    }
    let name = property.map { "'\($0.name)' of type \($0.type)" } ?? "no property"
    throw ObjectBoxError.propertyTypeMismatch(
      message:
        "a condition compares the \(function.rawValue) of \(name) with \(describe(aggregate.operand)); sums and "
        + "averages need numbers, min and max numbers, dates or texts, and a value of the aggregate's type"
    )
  }

  private static func ticks(of date: Date, _ property: PropertySchema) throws -> Int64 {
    let condition = PropertyCondition(
      propertyID: property.identity.id,
      comparison: .equal,
      operand: .dates([date])
    )
    guard case .integers(let ticks) = try ConditionTypes.operand(of: condition, for: property)
    else { return 0 }
    return ticks[0]
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
    /// The sum, or the least or greatest number.
    fileprivate var integer: Int128 = 0
    fileprivate var sum = DoubleSum()
    fileprivate var extreme = 0.0
    /// The least or greatest text.
    fileprivate var text: [UInt8] = []
  }

  private var isExtreme: Bool { aggregate.function == .min || aggregate.function == .max }

  /// Adds a related object.
  func add(_ record: RecordReader, to total: inout Total) {
    guard let property else {
      total.count += 1
      return
    }
    let field = record.field(propertyID: property.identity.id)
    if isText {
      guard let text = record.bytes(field) else { return }
      add(text, to: &total)
    } else if isDouble {
      guard let number = record.double(field), !(isExtreme && number.isNaN) else { return }
      add(number, to: &total)
    } else {
      guard let bits = record.integer(field) else { return }
      add(isUnsigned ? Int128(UInt64(bitPattern: bits) & mask) : Int128(bits), to: &total)
    }
    total.count += 1
  }

  private func add(_ number: Double, to total: inout Total) {
    switch aggregate.function {
    case .min:
      if total.count == 0 || number < total.extreme { total.extreme = number }
    case .max:
      if total.count == 0 || number > total.extreme { total.extreme = number }
    case .count, .sum, .average: total.sum.add(number)
    }
  }

  private func add(_ number: Int128, to total: inout Total) {
    switch aggregate.function {
    case .min: total.integer = total.count == 0 ? number : min(total.integer, number)
    case .max: total.integer = total.count == 0 ? number : max(total.integer, number)
    case .count, .sum, .average: total.integer += number
    }
  }

  private func add(_ text: UnsafeRawBufferPointer, to total: inout Total) {
    let isNew =
      total.count == 0
      || (aggregate.function == .min
        ? text.lexicographicallyPrecedes(total.text) : total.text.lexicographicallyPrecedes(text))
    if isNew { total.text = [UInt8](text) }
  }

  /// Returns whether the aggregate meets the comparison; false without a value.
  func matches(_ total: Total) -> Bool {
    let order: Int
    switch (value(of: total), operand) {
    case (.integer(let number)?, .integer(let other)):
      order = number < other ? -1 : number == other ? 0 : 1
    // No comparison is true of NaN.
    case (.double(let number)?, .double(let other)) where !number.isNaN && !other.isNaN:
      order = number < other ? -1 : number == other ? 0 : 1
    case (.text(let text)?, .text(let other)):
      order = text == other ? 0 : text.lexicographicallyPrecedes(other) ? -1 : 1
    default: return false
    }
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
    case .min, .max:
      if total.count == 0 { return nil }
      if isText { return .text(total.text) }
      return isDouble ? .double(total.extreme) : .integer(total.integer)
    }
  }
}
