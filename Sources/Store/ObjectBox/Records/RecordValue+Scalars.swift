// Conformances of Booleans and numbers.

extension Bool: PlainRecordValue {
  /// Reads a Boolean.
  public static func __value(in record: RecordReader, at slot: __Slot) -> Bool? {
    record.read(at: slot.number)
  }

  /// False.
  public static var __null: Bool { false }

  /// Stores a Boolean.
  public static func __collect(_ value: Bool, by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(value, at: slot.number)
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
  public static func __value(in record: RecordReader, at slot: __Slot) -> Self? {
    record.integer(at: slot.number, as: Self.self)
  }

  /// 0.
  public static var __null: Self { 0 }

  /// Stores a number.
  public static func __collect(_ value: Self, by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(integer: value, at: slot.number)
  }
}

// Each width is stored by its own call: a conversion to Double would change a signalling NaN.
extension Float: PlainRecordValue {
  /// Stores a 32-bit floating point number.
  public static func __collect(_ value: Float, by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(value, at: slot.number)
  }
}

extension Double: PlainRecordValue {
  /// Stores a 64-bit floating point number.
  public static func __collect(_ value: Double, by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(value, at: slot.number)
  }
}

extension PlainRecordValue where Self: BinaryFloatingPoint {
  /// Reads a floating point number.
  public static func __value(in record: RecordReader, at slot: __Slot) -> Self? {
    (record.read(at: slot.number) as Double?).map { Self($0) }
  }

  /// 0.
  public static var __null: Self { 0 }
}
