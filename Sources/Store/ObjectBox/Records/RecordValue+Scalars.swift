// Conformances of Booleans and numbers.

extension Bool: PlainRecordValue {
  /// Reads a Boolean.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Bool? { record.read(at: slot) }

  /// False.
  public static var __null: Bool { false }

  /// Stores a Boolean.
  public static func __collect(
    _ value: Bool,
    by builder: FlatBufferBuilder,
    at slot: UInt16,
    _ type: PropertyType
  ) {
    builder.collect(value, at: slot)
  }
}

extension Int8: PlainRecordValue {}
extension Int16: PlainRecordValue {}
extension Int32: PlainRecordValue {}
extension Int64: PlainRecordValue {}
extension Int: PlainRecordValue {}
extension UInt8: PlainRecordValue {}
extension UInt16: PlainRecordValue {}
extension UInt32: PlainRecordValue {}
extension UInt64: PlainRecordValue {}
extension UInt: PlainRecordValue {}

extension PlainRecordValue where Self: FixedWidthInteger & BitwiseCopyable {
  /// Reads a number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Self? { record.integer(at: slot, as: Self.self) }

  /// 0.
  public static var __null: Self { 0 }

  /// Stores a number.
  public static func __collect(
    _ value: Self,
    by builder: FlatBufferBuilder,
    at slot: UInt16,
    _ type: PropertyType
  ) {
    builder.collect(integer: value, at: slot)
  }
}

// Each width is stored by its own call: a conversion to Double would change a signalling NaN.
extension Float: PlainRecordValue {
  /// Stores a 32-bit floating point number.
  public static func __collect(
    _ value: Float,
    by builder: FlatBufferBuilder,
    at slot: UInt16,
    _ type: PropertyType
  ) {
    builder.collect(value, at: slot)
  }
}

extension Double: PlainRecordValue {
  /// Stores a 64-bit floating point number.
  public static func __collect(
    _ value: Double,
    by builder: FlatBufferBuilder,
    at slot: UInt16,
    _ type: PropertyType
  ) {
    builder.collect(value, at: slot)
  }
}

extension PlainRecordValue where Self: BinaryFloatingPoint {
  /// Reads a floating point number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Self? { (record.read(at: slot) as Double?).map { Self($0) } }

  /// 0.
  public static var __null: Self { 0 }
}
