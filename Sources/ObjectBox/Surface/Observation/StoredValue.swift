internal import Foundation

extension FlatBufferReader {
  /// Returns the stored value of a property; nil when there is none.
  func value(of property: PropertySchema) -> (any Sendable)? {
    let field = field(propertyID: property.identity.id)
    if let type = property.encodedType, let value = bytes(field).flatMap({ type.value(in: $0) }) {
      return value
    }
    switch property.type {
    case .float: return double(field).map { Float($0) }
    case .double: return double(field)
    case .string: return bytes(field).map { String(decoding: $0, as: UTF8.self) }
    case .byteVector, .flex, .boolVector: return bytes(field).map { Data($0) }
    case .shortVector: return vector(field, Int16.self)
    case .charVector: return vector(field, UInt16.self)
    case .intVector: return vector(field, Int32.self)
    case .longVector, .dateVector, .dateNanoVector: return vector(field, Int64.self)
    case .floatVector: return vector(field, Float.self)
    case .doubleVector: return vector(field, Double.self)
    case .stringVector: return bytes(field).map(VectorCodec.strings)
    default: return integer(field).map { Self.number($0, of: property) }
    }
  }

  private func vector<T: BitwiseCopyable & Sendable>(
    _ field: RecordField,
    _ type: T.Type
  ) -> [T]? {
    bytes(field).map { VectorCodec.numbers(in: $0, as: type) }
  }

  private static func number(_ number: Int64, of property: PropertySchema) -> any Sendable {
    let isUnsigned = property.has(.unsigned)
    switch property.type {
    case .bool: return number != 0
    case .byte:
      return isUnsigned
        ? UInt8(truncatingIfNeeded: number) as any Sendable : Int8(truncatingIfNeeded: number)
    case .short:
      return isUnsigned
        ? UInt16(truncatingIfNeeded: number) as any Sendable : Int16(truncatingIfNeeded: number)
    case .char: return UInt16(truncatingIfNeeded: number)
    case .int:
      return isUnsigned
        ? UInt32(truncatingIfNeeded: number) as any Sendable : Int32(truncatingIfNeeded: number)
    case .date: return DateCodec.date(milliseconds: number)
    case .dateNano: return DateCodec.date(nanoseconds: number)
    case .relation: return UInt64(bitPattern: number)
    default: return isUnsigned ? UInt64(bitPattern: number) as any Sendable : number
    }
  }
}
