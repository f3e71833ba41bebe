public import Foundation

/// A Swift type that a property can have.
public protocol EntityPropertyTypeConvertible {
  /// The type of the property in the database.
  static var entityPropertyType: PropertyType { get }
}

/// A number or Boolean.
public protocol EntityScalarPropertyType: EntityPropertyTypeConvertible {}

/// A 64-bit integer.
public protocol LongPropertyType: EntityScalarPropertyType {}

/// An integer that conditions take as a 64-bit number.
public protocol LongPropertyQueryType {
  /// The number; unsigned 64-bit ones beyond the range keep their bits.
  var int64Value: Int64 { get }
}

/// An integer of less than 64 bits.
public protocol IntegerPropertyType: EntityScalarPropertyType {}

/// An integer that conditions take as a 64- or 32-bit number.
public protocol IntegerPropertyQueryType {
  /// The number.
  var int64Value: Int64 { get }
  /// The number; unsigned 32-bit ones beyond the range keep their bits.
  var int32Value: Int32 { get }
}

/// A string.
public protocol StringPropertyType: EntityPropertyTypeConvertible {}

/// A date.
public protocol DatePropertyType: EntityPropertyTypeConvertible {}

/// Bytes.
public protocol DataPropertyType: EntityPropertyTypeConvertible {}

/// An unsigned 8-bit integer.
public typealias Byte = UInt8

extension Bool: EntityScalarPropertyType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .bool }
}
extension Int8: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .byte }
  /// The number.
  public var int64Value: Int64 { Int64(self) }
  /// The number.
  public var int32Value: Int32 { Int32(self) }
}
extension UInt8: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .byte }
  /// The number.
  public var int64Value: Int64 { Int64(self) }
  /// The number.
  public var int32Value: Int32 { Int32(self) }
}
extension Int16: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .short }
  /// The number.
  public var int64Value: Int64 { Int64(self) }
  /// The number.
  public var int32Value: Int32 { Int32(self) }
}
extension UInt16: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .short }
  /// The number.
  public var int64Value: Int64 { Int64(self) }
  /// The number.
  public var int32Value: Int32 { Int32(self) }
}
extension Int32: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .int }
  /// The number.
  public var int64Value: Int64 { Int64(self) }
  /// The number.
  public var int32Value: Int32 { self }
}
extension UInt32: IntegerPropertyType, IntegerPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .int }
  /// The number.
  public var int64Value: Int64 { Int64(self) }
  /// The bits of the number.
  public var int32Value: Int32 { Int32(bitPattern: self) }
}
extension Int64: LongPropertyType, LongPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .long }
  /// The number.
  public var int64Value: Int64 { self }
}
extension UInt64: LongPropertyType, LongPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .long }
  /// The bits of the number.
  public var int64Value: Int64 { Int64(bitPattern: self) }
}
extension Int: LongPropertyType, LongPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .long }
  /// The number.
  public var int64Value: Int64 { Int64(self) }
}
extension UInt: LongPropertyType, LongPropertyQueryType {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .long }
  /// The bits of the number.
  public var int64Value: Int64 { Int64(bitPattern: UInt64(self)) }
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
extension Array: EntityPropertyTypeConvertible where Element == UInt8 {
  /// The type in the database.
  public static var entityPropertyType: PropertyType { .byteVector }
}
extension Optional: EntityPropertyTypeConvertible where Wrapped: EntityPropertyTypeConvertible {
  /// The type in the database: that of the wrapped type.
  public static var entityPropertyType: PropertyType { Wrapped.entityPropertyType }
}
extension Optional: StringPropertyType where Wrapped: StringPropertyType {}
extension Optional: DatePropertyType where Wrapped: DatePropertyType {}
extension Optional: DataPropertyType where Wrapped: DataPropertyType {}
