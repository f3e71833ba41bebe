internal import Foundation

extension PropertySchema {
  /// Reads the value of the property from a record; nil for null.
  package func value(in record: RecordReader) -> (any Sendable)? {
    let field = record.field(propertyID: identity.id)
    switch RecordField.Kind(type: type) {
    case .absent, .objectID: return nil
    case .integer8, .integer16, .integer32, .integer64:
      return record.integer(field).map { value(of: $0) }
    case .float32: return record.double(field).map { Float($0) }
    case .float64: return record.double(field)
    case .variable, .firstVariable: return record.bytes(field).map { value(of: $0) }
    }
  }

  private func value(of number: Int64) -> any Sendable {
    if has(.id) { return UInt64(bitPattern: number) }
    switch type {
    case .bool: return number != 0
    case .date: return DateCodec.date(milliseconds: number)
    case .dateNano: return DateCodec.date(nanoseconds: number)
    case .relation: return UInt64(bitPattern: number)
    case .long where has(.unsigned): return UInt64(bitPattern: number)
    case .int where has(.unsigned): return whole(UInt32(truncatingIfNeeded: number))
    case .short where has(.unsigned), .char where has(.unsigned):
      return Int(UInt16(truncatingIfNeeded: number))
    case .byte where has(.unsigned): return Int(UInt8(truncatingIfNeeded: number))
    default: return whole(number)
    }
  }

  /// Returns the number as Int; a number beyond Int keeps its own type.
  private func whole(_ number: some FixedWidthInteger & Sendable) -> any Sendable {
    if let number = Int(exactly: number) { return number }
    return number
  }

  private func value(of bytes: UnsafeRawBufferPointer) -> any Sendable {
    if let value = encodedType?.value(in: bytes) { return value }
    func numbers<T: BitwiseCopyable>(_ type: T.Type) -> [T] {
      VectorCodec.numbers(in: bytes, as: type)
    }
    switch type {
    case .string: return String(decoding: bytes, as: UTF8.self)
    case .boolVector: return bytes.map { $0 != 0 }
    case .shortVector where has(.unsigned), .charVector where has(.unsigned):
      return numbers(UInt16.self)
    case .shortVector, .charVector: return numbers(Int16.self)
    case .intVector where has(.unsigned): return numbers(UInt32.self)
    case .intVector: return numbers(Int32.self)
    case .longVector where has(.unsigned): return numbers(UInt64.self)
    case .longVector: return numbers(Int64.self)
    case .floatVector: return numbers(Float.self)
    case .doubleVector: return numbers(Double.self)
    case .stringVector: return VectorCodec.strings(in: bytes)
    case .dateVector: return numbers(Int64.self).map { DateCodec.date(milliseconds: $0) }
    case .dateNanoVector: return numbers(Int64.self).map { DateCodec.date(nanoseconds: $0) }
    default: return Data(bytes)
    }
  }
}
