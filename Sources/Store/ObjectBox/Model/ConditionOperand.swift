/// A property type whose conditions and parameters take values of one type: dates, bytes, and encoded
/// values such as UUIDs.
///
/// Numbers have conditions of their own, for functions that are generic over the type of the number, as
/// have texts, which compare with and without regard to case.
public protocol OperandPropertyType: EntityPropertyTypeConvertible {
  /// The type of the values, without optionality.
  associatedtype Operand: ConditionOperand
}

extension Optional: OperandPropertyType where Wrapped: OperandPropertyType {
  /// The operands of the wrapped type.
  public typealias Operand = Wrapped.Operand
}

/// A value with which conditions compare properties: a text, date, Boolean, bytes or an encoded value.
///
/// Its requirement is for the library itself.
public protocol ConditionOperand {
  /// Returns the operand of a condition on the values.
  static func __operand(_ values: [Self]) -> __Operand
}

/// An operand whose stored form has an order, for conditions.
public protocol SortedOperand: ConditionOperand {}

/// An operand with an order, for ranges.
public protocol OrderedOperand: SortedOperand, Comparable {}
