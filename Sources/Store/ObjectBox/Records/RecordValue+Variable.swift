public import Foundation

// Conformances of variable-size values, IDs and vectors.

extension String: PlainRecordValue {
  /// Reads a string.
  public static func __value(in record: RecordReader, at slot: __Slot) -> String? {
    record.read(at: slot.number)
  }

  /// Empty.
  public static var __null: String { "" }

  /// Stores a string.
  public static func __collect(_ value: String, by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(value, at: slot.number)
  }
}

extension Data: PlainRecordValue {
  /// Reads bytes.
  public static func __value(in record: RecordReader, at slot: __Slot) -> Data? {
    record.read(at: slot.number)
  }

  /// Empty.
  public static var __null: Data { Data() }

  /// Stores bytes.
  public static func __collect(_ value: Data, by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(dataOffset: builder.prepare(bytes: value), at: slot.number)
  }
}

extension Array: RecordValue where Element == UInt8 {
  /// The array itself.
  public typealias Projection = [UInt8]

  /// Reads bytes.
  public static func __value(in record: RecordReader, at slot: __Slot) -> [UInt8]? {
    record.read(at: slot.number)
  }

  /// Empty.
  public static var __null: [UInt8] { [] }

  /// Stores bytes.
  public static func __collect(_ value: [UInt8], by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(dataOffset: builder.prepare(bytes: value), at: slot.number)
  }
}

extension EntityId: RecordValue {
  /// The ID itself.
  public typealias Projection = EntityId<R>

  /// Reads the ID of an object.
  public static func __value(in record: RecordReader, at slot: __Slot) -> EntityId<R>? {
    let id: UInt64? = record.read(at: slot.number)
    return id.map { EntityId($0) }
  }

  /// The ID of no object.
  public static var __null: EntityId<R> { EntityId(0) }

  /// Stores the ID of an object, or leaves the property null for the ID of no object.
  public static func __collect(_ value: Self, by builder: FlatBufferBuilder, at slot: __Slot) {
    if value.value != 0 { builder.collect(value, at: slot.number) }
  }
}

extension Int32ArrayPropertyType: RecordValue {
  /// The elements.
  public typealias Projection = [Int32]

  /// Reads a vector.
  public static func __value(in record: RecordReader, at slot: __Slot) -> [Int32]? {
    record.read(at: slot.number)
  }

  /// Empty.
  public static var __null: [Int32] { [] }

  /// Stores a vector.
  public static func __collect(_ value: [Int32], by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(dataOffset: builder.prepare(values: value), at: slot.number)
  }
}

extension Int64ArrayPropertyType: RecordValue {
  /// The elements.
  public typealias Projection = [Int64]

  /// Reads a vector.
  public static func __value(in record: RecordReader, at slot: __Slot) -> [Int64]? {
    record.read(at: slot.number)
  }

  /// Empty.
  public static var __null: [Int64] { [] }

  /// Stores a vector.
  public static func __collect(_ value: [Int64], by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(dataOffset: builder.prepare(values: value), at: slot.number)
  }
}

extension FloatArrayPropertyType: RecordValue {
  /// The elements.
  public typealias Projection = [Float]

  /// Reads a vector.
  public static func __value(in record: RecordReader, at slot: __Slot) -> [Float]? {
    record.read(at: slot.number)
  }

  /// Empty.
  public static var __null: [Float] { [] }

  /// Stores a vector.
  public static func __collect(_ value: [Float], by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(dataOffset: builder.prepare(values: value), at: slot.number)
  }
}

extension StringArrayPropertyType: RecordValue {
  /// The elements.
  public typealias Projection = [String]

  /// Reads a vector.
  public static func __value(in record: RecordReader, at slot: __Slot) -> [String]? {
    record.read(at: slot.number)
  }

  /// Empty.
  public static var __null: [String] { [] }

  /// Stores a vector.
  public static func __collect(_ value: [String], by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(dataOffset: builder.prepare(values: value), at: slot.number)
  }
}
