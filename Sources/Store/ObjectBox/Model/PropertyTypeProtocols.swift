public import Foundation

/// A Swift type that a property can have.
public protocol EntityPropertyTypeConvertible {
  /// The type of the property in the database.
  static var entityPropertyType: PropertyType { get }
}

/// A number, a Boolean, or an optional of any property type; conditions on the property take a
/// ``Scalar``.
///
/// Optionals of all types conform, for functions that are generic over `T: FixedWidthInteger &
/// EntityPropertyTypeConvertible`: they can write conditions on a property of type `T?`.
public protocol ScalarPropertyType: EntityPropertyTypeConvertible {
  /// The type of the values, without optionality.
  associatedtype Scalar: EntityPropertyTypeConvertible
}

/// A number or Boolean.
public protocol EntityScalarPropertyType: ScalarPropertyType where Scalar == Self {}

/// A 64-bit integer.
public protocol LongPropertyType: EntityScalarPropertyType {}

/// An integer that conditions accept as a 64-bit number.
public protocol LongPropertyQueryType {
  /// The number; an unsigned 64-bit number beyond the range keeps its bits.
  var int64Value: Int64 { get }
}

/// An integer of less than 64 bits.
public protocol IntegerPropertyType: EntityScalarPropertyType {}

/// An integer that conditions accept as a 64-bit or 32-bit number.
public protocol IntegerPropertyQueryType {
  /// The number.
  var int64Value: Int64 { get }
  /// The number; an unsigned 32-bit number beyond the range keeps its bits.
  var int32Value: Int32 { get }
}

extension LongPropertyQueryType where Self: FixedWidthInteger {
  /// The number; an unsigned number beyond the range keeps its bits.
  public var int64Value: Int64 { Int64(truncatingIfNeeded: self) }
}

extension IntegerPropertyQueryType where Self: FixedWidthInteger {
  /// The number.
  public var int64Value: Int64 { Int64(truncatingIfNeeded: self) }
  /// The number; an unsigned number beyond the range keeps its bits.
  public var int32Value: Int32 { Int32(truncatingIfNeeded: self) }
}

/// A string.
public protocol StringPropertyType: EntityPropertyTypeConvertible {}

/// A date.
public protocol DatePropertyType: OperandPropertyType where Operand == Date {}

/// Bytes.
public protocol DataPropertyType: OperandPropertyType where Operand == Data {}

/// An array of bytes.
public protocol ByteArrayPropertyType: OperandPropertyType where Operand == [UInt8] {}

/// An unsigned 8-bit integer.
public typealias Byte = UInt8

extension Bool: EntityScalarPropertyType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .bool }
}
extension Int8: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .byte }
}
extension UInt8: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .byte }
}
extension Int16: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .short }
}
extension UInt16: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .short }
}
extension Int32: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .int }
}
extension UInt32: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .int }
}
extension Int64: LongPropertyType, LongPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .long }
}
extension UInt64: LongPropertyType, LongPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .long }
}
extension Int: LongPropertyType, LongPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .long }
}
extension UInt: LongPropertyType, LongPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .long }
}
extension Float: EntityScalarPropertyType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .float }
}
extension Double: EntityScalarPropertyType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .double }
}
extension String: StringPropertyType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .string }
}
extension Date: DatePropertyType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .date }
}
extension Data: DataPropertyType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .byteVector }
}
extension Array: EntityPropertyTypeConvertible, OperandPropertyType, ByteArrayPropertyType
where Element == UInt8 {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .byteVector }
}
extension Optional: EntityPropertyTypeConvertible where Wrapped: EntityPropertyTypeConvertible {
  /// The database type of the wrapped type.
  public static var entityPropertyType: PropertyType { Wrapped.entityPropertyType }
}
extension Optional: ScalarPropertyType where Wrapped: EntityPropertyTypeConvertible {
  /// The wrapped type.
  public typealias Scalar = Wrapped
}
extension Optional: StringPropertyType where Wrapped: StringPropertyType {}
extension Optional: DatePropertyType where Wrapped: DatePropertyType {}
extension Optional: DataPropertyType where Wrapped: DataPropertyType {}
extension Optional: ByteArrayPropertyType where Wrapped: ByteArrayPropertyType {}
