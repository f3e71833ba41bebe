internal import Foundation
internal import ObjectBox

extension RecordReader {
  /// Returns the stored value of a property; nil for null.
  ///
  /// Numbers have the property's width; elements of vectors have the width of its signed type.
  func value(of property: PropertySchema) -> (any Sendable)? {
    let field = field(propertyID: property.identity.id)
    switch property.type {
    case .unknown, .byte, .short, .char, .int, .long:
      return integer(field).map { Self.number($0, of: property) }
    case .boolVector: return bytes(field).map { Data($0) }
    case .shortVector: return vector(field, Int16.self)
    case .charVector: return vector(field, UInt16.self)
    case .intVector: return vector(field, Int32.self)
    case .longVector, .dateVector, .dateNanoVector: return vector(field, Int64.self)
    default: return property.value(in: self)
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
    default: return isUnsigned ? UInt64(bitPattern: number) as any Sendable : number
    }
  }
}
