internal import Foundation
package import ObjectBox

/// A condition on the objects of an entity, made by the functions and operators of
/// ``DynamicProperty``.
public struct DynamicCondition: Sendable {
  /// The condition, or the fault of one of its names or values.
  private let result: Result<ConditionJoin<Condition>, ObjectBoxError>

  init(_ make: () throws -> Condition) {
    self.init(joining: { .one(try make()) })
  }

  private init(joining make: () throws -> ConditionJoin<Condition>) {
    do {
      result = .success(try make())
    } catch let error as ObjectBoxError {
      result = .failure(error)
    } catch {
      result = .failure(.unexpected(error: error))
    }
  }

  /// Returns the condition as a plain value.
  func condition() throws(ObjectBoxError) -> Condition { try result.get().condition }

  /// Throws the error that a query would throw for this condition.
  package func check() throws(ObjectBoxError) { _ = try result.get() }

  /// Matches no object.
  package static let never = DynamicCondition { .any([]) }

  /// Matches all objects.
  package static let all = DynamicCondition { .all([]) }

  /// Matches objects that both conditions match.
  public static func && (left: Self, right: Self) -> Self {
    Self(joining: { .both(try left.result.get(), try right.result.get()) })
  }

  /// Matches objects that at least one of the conditions matches.
  public static func || (left: Self, right: Self) -> Self {
    Self(joining: { .either(try left.result.get(), try right.result.get()) })
  }
}

/// Makes conditions on one property, as the typed functions of ``Property`` do.
struct DynamicComparison {
  let entity: DynamicEntity
  let property: PropertySchema
  let isCaseSensitive: Bool

  func condition(
    _ comparison: PropertyCondition.Comparison,
    _ values: [Any]
  ) throws -> Condition {
    var operand = PropertyCondition.Operand.none
    var comparison = comparison
    if comparison != .isNil, comparison != .isNotNil {
      try check(comparison)
      operand = try self.operand(values)
      if property.type == .stringVector { comparison = .containsElement }
    }
    return .leaf(property.identity.id, comparison, operand, isCaseSensitive: isCaseSensitive)
  }

  // MARK: Operands

  /// Returns values as operands of one kind; vectors are compared by element.
  private func operand(_ values: [Any]) throws -> PropertyCondition.Operand {
    let encoder = DynamicEncoder(entity: entity, property: element)
    if [.date, .dateNano].contains(property.type) {
      if let dates = values as? [StoredDate] { return .integers(dates.map(\.ticks)) }
      return .dates(try values.map(encoder.date))
    }
    if property.has(.id) {
      return .integers(try values.map { Int64(bitPattern: try encoder.id($0)) })
    }
    if let operand = property.encodedType?.operand(values) { return operand }
    var integers: [Int64] = []
    var doubles: [Double] = []
    var texts: [String] = []
    var bytes: [[UInt8]] = []
    for value in values {
      switch try encoder.encode(value) {
      case .integer(let value): integers.append(value)
      case .float(let value): doubles.append(Double(value))
      case .double(let value): doubles.append(value)
      case .text(let value): texts.append(value)
      case .bytes(let value): bytes.append(value)
      }
    }
    switch element.type {
    case .string: return property.encodedType?.operand(texts: texts) ?? .texts(texts)
    case .float, .double: return .doubles(doubles)
    case .flex, .byteVector: return .bytes(bytes)
    default: return .integers(integers)
    }
  }

  /// The property; of a vector, with the type of its elements.
  private var element: PropertySchema {
    var element = property
    switch property.type {
    case .stringVector: element.type = .string
    case .intVector: element.type = .int
    case .longVector: element.type = .long
    case .floatVector: element.type = .float
    default: break
    }
    return element
  }

  // MARK: Checking

  /// Throws ``ObjectBoxError/propertyTypeMismatch(message:)`` when the property's type does not
  /// support a comparison.
  private func check(_ comparison: PropertyCondition.Comparison) throws {
    guard !comparisons.contains(comparison) else { return }
    let known = comparisons.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    throw ObjectBoxError.propertyTypeMismatch(
      message:
        "'\(entity.name).\(property.name)' of type \(property.type) has no condition "
        + "'\(comparison.rawValue)'; it has \(known.isEmpty ? "'is nil' and 'is not nil'" : known)"
    )
  }

  private var comparisons: [PropertyCondition.Comparison] {
    let ordered: [PropertyCondition.Comparison] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
    if property.collation.decidesOrder {
      return [.equal, .notEqual, .between, .isIn, .isNotIn] + ordered
    }
    return switch property.type {
    case .bool: [.equal, .notEqual]
    case .unknown, .byte, .short, .char, .int, .long, .date, .dateNano, .relation, .float, .double:
      [.equal, .notEqual, .between, .isIn, .isNotIn] + ordered
    case .string:
      [.equal, .notEqual, .between, .isIn, .isNotIn, .hasPrefix, .hasSuffix, .contains] + ordered
    case .byteVector, .flex: [.equal, .notEqual, .between, .isIn, .isNotIn] + ordered
    case .intVector, .longVector: [.equal] + ordered
    case .floatVector: ordered
    case .stringVector: [.contains]
    case .boolVector, .shortVector, .charVector, .doubleVector, .dateVector, .dateNanoVector: []
    }
  }
}
