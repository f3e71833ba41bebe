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

extension Int8: PlainRecordValue {
  /// Reads an 8-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Int8? { record.read(at: slot) }

  /// 0.
  public static var __null: Int8 { 0 }
}

extension Int16: PlainRecordValue {
  /// Reads a 16-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Int16? { record.read(at: slot) }

  /// 0.
  public static var __null: Int16 { 0 }
}

extension Int32: PlainRecordValue {
  /// Reads a 32-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Int32? { record.read(at: slot) }

  /// 0.
  public static var __null: Int32 { 0 }
}

extension Int64: PlainRecordValue {
  /// Reads a 64-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Int64? { record.read(at: slot) }

  /// 0.
  public static var __null: Int64 { 0 }
}

extension Int: PlainRecordValue {
  /// Reads a 64-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Int? { record.read(at: slot) }

  /// 0.
  public static var __null: Int { 0 }
}

extension UInt8: PlainRecordValue {
  /// Reads an unsigned 8-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> UInt8? { record.read(at: slot) }

  /// 0.
  public static var __null: UInt8 { 0 }
}

extension UInt16: PlainRecordValue {
  /// Reads an unsigned 16-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> UInt16? { record.read(at: slot) }

  /// 0.
  public static var __null: UInt16 { 0 }
}

extension UInt32: PlainRecordValue {
  /// Reads an unsigned 32-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> UInt32? { record.read(at: slot) }

  /// 0.
  public static var __null: UInt32 { 0 }
}

extension UInt64: PlainRecordValue {
  /// Reads an unsigned 64-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> UInt64? { record.read(at: slot) }

  /// 0.
  public static var __null: UInt64 { 0 }
}

extension UInt: PlainRecordValue {
  /// Reads an unsigned 64-bit number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> UInt? { record.read(at: slot) }

  /// 0.
  public static var __null: UInt { 0 }
}

extension Float: PlainRecordValue {
  /// Reads a 32-bit floating point number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Float? { record.read(at: slot) }

  /// 0.
  public static var __null: Float { 0 }

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
  /// Reads a 64-bit floating point number.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Double? { record.read(at: slot) }

  /// 0.
  public static var __null: Double { 0 }

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

extension PlainRecordValue where Self: FixedWidthInteger & BitwiseCopyable {
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
