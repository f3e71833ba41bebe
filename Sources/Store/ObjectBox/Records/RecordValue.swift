public import Foundation

/// The slot of a property, with its type in the model; for the library itself.
public struct __Slot: Sendable {
  let number: UInt16
  let type: PropertyType

  /// The slot of a property.
  init(ofProperty id: UInt32, _ type: PropertyType) {
    number = UInt16(2 + 2 * id)
    self.type = type
  }
}

/// A property type whose values can be read from a record without making an object.
public protocol RecordValue: EntityPropertyTypeConvertible {
  /// The Swift type of the values: the type itself, except for vectors.
  associatedtype Projection

  /// Reads the value of a property; nil when it is null. For the library itself.
  static func __value(in record: RecordReader, at slot: __Slot) -> Projection?

  /// The value of a null property; for the library itself.
  static var __null: Projection { get }

  /// Passes a value to the builder of a record, which leaves the property null for nil. For the
  /// library itself.
  static func __collect(_ value: Projection, by builder: FlatBufferBuilder, at slot: __Slot)
}

/// A value whose projection is its own type.
public protocol PlainRecordValue: RecordValue where Projection == Self {}

extension Optional: RecordValue where Wrapped: RecordValue {
  /// The optional projection of the wrapped type.
  public typealias Projection = Wrapped.Projection?

  /// Reads a value; nil if there is none.
  public static func __value(in record: RecordReader, at slot: __Slot) -> Wrapped.Projection?? {
    .some(Wrapped.__value(in: record, at: slot))
  }

  /// Nil.
  public static var __null: Wrapped.Projection? { nil }

  /// Stores a value, or leaves the property null.
  public static func __collect(
    _ value: Wrapped.Projection?,
    by builder: FlatBufferBuilder,
    at slot: __Slot
  ) {
    if let value { Wrapped.__collect(value, by: builder, at: slot) }
  }
}

// MARK: Dates

extension Date: PlainRecordValue {
  /// Reads a date of either unit.
  public static func __value(in record: RecordReader, at slot: __Slot) -> Date? {
    slot.type == .dateNano ? record.readNanos(at: slot.number) : record.read(at: slot.number)
  }

  /// 1970.
  public static var __null: Date { Date(timeIntervalSince1970: 0) }

  /// Stores a date in either unit.
  public static func __collect(_ value: Date, by builder: FlatBufferBuilder, at slot: __Slot) {
    if slot.type == .dateNano {
      builder.collectNanos(value, at: slot.number)
    } else {
      builder.collect(value, at: slot.number)
    }
  }
}
