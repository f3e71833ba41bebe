public import Foundation

/// A property type whose values can be read from a record without making an object.
public protocol RecordValue: EntityPropertyTypeConvertible {
  /// The Swift type of the values: the type itself, except for vectors.
  associatedtype Projection

  /// Reads the value of a property; nil when it is null. For the library itself.
  static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Projection?

  /// The value of a null property; for the library itself.
  static var __null: Projection { get }

  /// Passes a value to the builder of a record, which leaves the property null for nil. For the
  /// library itself.
  static func __collect(
    _ value: Projection,
    by builder: FlatBufferBuilder,
    at slot: UInt16,
    _ type: PropertyType
  )
}

/// A value whose projection is its own type.
public protocol PlainRecordValue: RecordValue where Projection == Self {}

extension Optional: RecordValue where Wrapped: RecordValue {
  /// The optional projection of the wrapped type.
  public typealias Projection = Wrapped.Projection?

  /// Reads a value; nil if there is none.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Wrapped.Projection?? {
    .some(Wrapped.__value(in: record, at: slot, type))
  }

  /// Nil.
  public static var __null: Wrapped.Projection? { nil }

  /// Stores a value, or leaves the property null.
  public static func __collect(
    _ value: Wrapped.Projection?,
    by builder: FlatBufferBuilder,
    at slot: UInt16,
    _ type: PropertyType
  ) {
    if let value { Wrapped.__collect(value, by: builder, at: slot, type) }
  }
}

// MARK: Dates

extension Date: PlainRecordValue {
  /// Reads a date of either unit.
  public static func __value(
    in record: RecordReader,
    at slot: UInt16,
    _ type: PropertyType
  ) -> Date? {
    type == .dateNano ? record.readNanos(at: slot) : record.read(at: slot)
  }

  /// 1970.
  public static var __null: Date { Date(timeIntervalSince1970: 0) }

  /// Stores a date in either unit.
  public static func __collect(
    _ value: Date,
    by builder: FlatBufferBuilder,
    at slot: UInt16,
    _ type: PropertyType
  ) {
    if type == .dateNano {
      builder.collectNanos(value, at: slot)
    } else {
      builder.collect(value, at: slot)
    }
  }
}
