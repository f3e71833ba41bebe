public import Foundation

/// The operand of a condition; for the library itself.
public struct __Operand: Sendable {
  @usableFromInline package let value: PropertyCondition.Operand

  init(_ value: PropertyCondition.Operand) {
    self.value = value
  }
}

extension String: OrderedOperand {
  /// The values as texts.
  public static func __operand(_ values: [String]) -> __Operand { __Operand(.texts(values)) }
}

extension Bool: ConditionOperand {
  /// The values as the integers 0 and 1.
  public static func __operand(_ values: [Bool]) -> __Operand {
    __Operand(.integers(values.map { $0 ? 1 : 0 }))
  }
}

extension Date: OrderedOperand {
  /// The values as dates.
  public static func __operand(_ values: [Date]) -> __Operand { __Operand(.dates(values)) }
}

extension Data: SortedOperand {
  /// The values as bytes.
  public static func __operand(_ values: [Data]) -> __Operand {
    __Operand(.bytes(values.map { [UInt8]($0) }))
  }
}

extension Array: ConditionOperand, SortedOperand where Element == UInt8 {
  /// The values as bytes.
  public static func __operand(_ values: [[UInt8]]) -> __Operand { __Operand(.bytes(values)) }
}

extension EncodedValue {
  /// The values in their stored form.
  public static func __operand(_ values: [Self]) -> __Operand { __Operand(.values(values)) }
}
