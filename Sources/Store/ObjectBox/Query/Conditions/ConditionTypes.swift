internal import Foundation

/// Checks that a condition fits its property.
package enum ConditionTypes {
  /// Checks that the entity has the condition's property, and that the operand fits it.
  ///
  /// - Throws: The errors of the other functions.
  package static func check(_ condition: PropertyCondition, in entity: EntitySchema) throws {
    // By index: copying the property would retain its names.
    let index = try index(of: condition.propertyID, in: entity)
    // The usual operand; every integer fits integers of any width.
    if case .integers = condition.operand,
      RecordField.Kind(type: entity.properties[index].type).isInteger
    {
      return
    }
    _ = try operand(of: condition, for: entity.properties[index])
  }

  /// Returns the property with an ID.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the entity lacks it.
  package static func property(_ id: UInt32, in entity: EntitySchema) throws -> PropertySchema {
    entity.properties[try index(of: id, in: entity)]
  }

  private static func index(of propertyID: UInt32, in entity: EntitySchema) throws -> Int {
    // By index: iterating would copy each property.
    guard
      let index = entity.properties.indices.first(where: {
        entity.properties[$0].identity.id == propertyID
      })
    else {
      if propertyID == .max { throw ObjectBoxError.tooDeepCondition }
      throw ObjectBoxError.illegalArgument(
        message:
          "a condition names property \(propertyID) of '\(entity.name)', which the "
          + "model of the store lacks; run the generator again"
      )
    }
    return index
  }

  /// Returns the operand in the stored form of the property: dates become integers, encoded values
  /// become bytes.
  ///
  /// - Throws: ``ObjectBoxError/propertyTypeMismatch(message:)`` when operand and property do not
  ///   fit.
  package static func operand(
    of condition: PropertyCondition,
    for property: PropertySchema
  ) throws -> PropertyCondition.Operand {
    let type = property.type
    switch condition.operand {
    case .integers(let values) where type == .int && condition.comparison.isOfList:
      return .integers(values.map { narrowed($0, isUnsigned: property.has(.unsigned)) })
    case .integers
    where RecordField.Kind(type: type).isInteger || type == .intVector || type == .longVector:
      return condition.operand
    case .doubles where type == .float || type == .double || type == .floatVector:
      return condition.operand
    case .dates(let dates) where dates.contains { $0.timeIntervalSince1970.isNaN }:
      throw ObjectBoxError.illegalArgument(
        message:
          "a condition compares '\(property.name)' with a date that is not a number; compare it with "
          + "a date, or with null"
      )
    case .dates(let dates) where type == .date:
      return .integers(dates.map { DateCodec.milliseconds(of: $0) ?? DateCodec.bound(of: $0) })
    case .dates(let dates) where type == .dateNano:
      return .integers(dates.map { DateCodec.nanoseconds(of: $0) ?? DateCodec.bound(of: $0) })
    case .texts
    where type == (condition.comparison == .containsElement ? .stringVector : .string):
      return condition.operand
    case .bytes where type == .byteVector || type == .flex: return condition.operand
    case .encoded(let operand) where operand.fits(property):
      return .bytes(try operand.bytes(for: property))
    case .none where condition.comparison == .isNil || condition.comparison == .isNotNil:
      return condition.operand
    default:
      throw ObjectBoxError.propertyTypeMismatch(
        message: "a condition compares '\(property.name)' of type \(property.type) with "
          + "\(describe(condition.operand)); use a value of the property's type"
      )
    }
  }

  /// Converts a list's number of any width to 32 bits.
  ///
  /// Numbers that fit only with the other sign keep their bits, which are their stored form.
  private static func narrowed(_ value: Int64, isUnsigned: Bool) -> Int64 {
    if isUnsigned { return Int32(exactly: value).map { Int64(UInt32(bitPattern: $0)) } ?? value }
    return UInt32(exactly: value).map { Int64(Int32(bitPattern: $0)) } ?? value
  }

  private static func describe(_ operand: PropertyCondition.Operand) -> String {
    switch operand {
    case .none: "nothing"
    case .integers: "an integer or Boolean"
    case .doubles: "a floating point number"
    case .texts: "a string"
    case .bytes: "bytes"
    case .dates: "a date"
    case .encoded(let operand): "a \(operand.type)"
    case .nearest: "the nearest of a vector"
    case .matching: "a search for words"
    }
  }
}

/// The order of the integers of a property, as unsigned 64-bit keys.
package struct IntegerOrder {
  /// The sign bit of signed properties.
  package let flip: UInt64
  /// The bits of an unsigned property's width; stored values are sign-extended.
  package let mask: UInt64

  package init(_ property: PropertySchema) {
    let bits = (RecordField.Kind(type: property.type).fixedSize ?? 8) * 8
    // IDs are unsigned, whatever their property's flags say.
    let isUnsigned = property.has(.unsigned) || property.has(.id) || property.type == .bool
    flip = isUnsigned ? 0 : 1 << 63
    mask = isUnsigned && bits < 64 ? (1 << UInt64(bits)) - 1 : .max
  }

  package func key(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ flip }

  /// Returns the keys that match a comparison; for `notEqual` the keys that do not; nil for none.
  package static func range(
    _ comparison: PropertyCondition.Comparison,
    _ keys: [UInt64]
  ) -> ClosedRange<UInt64>? {
    guard let first = keys.first else { return nil }
    switch comparison {
    case .less: return first == 0 ? nil : 0...(first - 1)
    case .lessOrEqual: return 0...first
    case .greater: return first == .max ? nil : (first + 1)...(.max)
    case .greaterOrEqual: return first...(.max)
    case .between:
      let second = keys.last ?? first
      return min(first, second)...max(first, second)
    case .inRange:
      guard let end = keys.last, first < end else { return nil }
      return first...(end - 1)
    default: return first...first
    }
  }
}

/// The order of floating point numbers; no range contains NaN.
package enum DoubleOrder {
  /// The bits of a number; `-0.0`, which equals `0.0`, has the bits of `0.0`.
  static func bits(_ value: Double) -> UInt64 { (value + 0).bitPattern }

  package static func range(
    _ comparison: PropertyCondition.Comparison,
    _ values: [Double]
  ) -> (low: Double, high: Double) {
    let first = values.first ?? .nan
    switch comparison {
    case .less:
      return (-.infinity, first.isNaN ? .nan : first == -.infinity ? .nan : first.nextDown)
    case .lessOrEqual: return (-.infinity, first)
    case .greater: return (first.isNaN || first == .infinity ? .nan : first.nextUp, .infinity)
    case .greaterOrEqual: return (first, .infinity)
    case .between:
      let second = values.last ?? first
      if first.isNaN || second.isNaN { return (.nan, .nan) }
      return (Swift.min(first, second), Swift.max(first, second))
    case .inRange:
      guard let end = values.last, first < end else { return (.nan, .nan) }
      return (first, end.nextDown)
    default: return (first, first)
    }
  }
}
