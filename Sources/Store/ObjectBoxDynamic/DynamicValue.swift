internal import Foundation
internal import ObjectBox

/// A value in its stored form.
enum DynamicValue {
  case integer(Int64)
  case float(Float)
  case double(Double)
  case text(String)
  /// Bytes, or a vector encoded by ``VectorCodec``.
  case bytes([UInt8])

  /// Passes the value to a record builder.
  func collect(_ builder: FlatBufferBuilder, _ property: PropertySchema) {
    let slot = UInt16(2 + 2 * property.identity.id)
    switch self {
    case .integer(let value): builder.collect(value, at: slot)
    case .float(let value): builder.collect(value, at: slot)
    case .double(let value): builder.collect(value, at: slot)
    case .text(let value): builder.collect(value, at: slot)
    case .bytes(let value): builder.collect(dataOffset: builder.prepare(bytes: value), at: slot)
    }
  }
}

/// An optional of any type.
private protocol OptionalValue {
  var content: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var content: Any? { self }
}

/// Checks values against the types of properties.
struct DynamicEncoder {
  let entity: DynamicEntity
  let property: PropertySchema

  /// Returns the content of a value; nil for nil, for an empty optional of any depth, and for
  /// `NSNull`.
  static func content(of value: Any?) -> Any? {
    guard let value, !(value is NSNull) else { return nil }
    guard let optional = value as? any OptionalValue else { return value }
    return content(of: optional.content)
  }

  /// Returns a value in the property's stored form.
  ///
  /// - Parameter value: A value that is not null.
  /// - Returns: The stored form.
  /// - Throws: ``ObjectBoxError``: `propertyTypeMismatch` for a value of another type,
  ///   `illegalArgument` when the property cannot hold it.
  func encode(_ value: Any) throws -> DynamicValue {
    switch property.type {
    case .bool:
      guard let value = value as? Bool else { throw mismatch(value, "a Bool") }
      return .integer(value ? 1 : 0)
    case .unknown, .byte, .short, .char, .int, .long:
      return .integer(try integer(value, bits: bits))
    case .relation: return .integer(Int64(bitPattern: try id(value)))
    case .float: return .float(try float(value))
    case .double: return .double(try double(value))
    case .date, .dateNano: return .integer(try ticks(try date(value)))
    case .string:
      return .text(try text(value))
    case .flex, .byteVector: return .bytes(try bytes(value))
    case .boolVector:
      guard let values = value as? [Bool] else { throw mismatch(value, "a [Bool]") }
      return .bytes(values.map { $0 ? 1 : 0 })
    case .shortVector, .charVector: return try integers(value, as: Int16.self)
    case .intVector: return try integers(value, as: Int32.self)
    case .longVector: return try integers(value, as: Int64.self)
    case .floatVector:
      if let values = value as? [Float] { return .bytes(Self.bytes(of: values)) }
      return .bytes(Self.bytes(of: try elements(value, "a [Float]").map(float)))
    case .doubleVector: return .bytes(Self.bytes(of: try elements(value, "a [Double]").map(double)))
    case .stringVector:
      guard let values = value as? [String] else { throw mismatch(value, "a [String]") }
      return .bytes(VectorCodec.bytes(of: values))
    case .dateVector, .dateNanoVector:
      let dates = try elements(value, "a [Date]").map(date)
      return .bytes(Self.bytes(of: try dates.map(ticks)))
    }
  }

  /// Returns an object ID.
  func id(_ value: Any) throws -> UInt64 {
    if let number = value as? any BinaryInteger {
      guard let id = UInt64(exactly: number) else {
        throw outOfRange(number, "0...\(EntityTable.maximumID)")
      }
      return id
    }
    if let id = value as? any IdBase { return id.value }
    if let object = value as? DynamicObject { return object.id }
    throw mismatch(value, "the ID of an object")
  }

  // MARK: Numbers

  private var bits: Int { (RecordField.Kind(type: property.type).fixedSize ?? 8) * 8 }

  /// Returns the bits of a number in the property's range.
  private func integer(_ value: Any, bits: Int) throws -> Int64 {
    let isUnsigned = property.has(.unsigned)
    let greatest: UInt64 = isUnsigned ? .max >> UInt64(64 - bits) : (1 << UInt64(bits - 1)) - 1
    let least = isUnsigned ? 0 : -Int64(greatest) - 1
    let range = "\(least)...\(greatest)"
    guard let number = value as? any BinaryInteger else {
      throw mismatch(value, "a whole number in \(range)")
    }
    guard Self.isInside(number, least, greatest) else { throw outOfRange(number, range) }
    return Int64(truncatingIfNeeded: number)
  }

  private static func isInside(
    _ number: some BinaryInteger,
    _ least: Int64,
    _ greatest: UInt64
  ) -> Bool {
    number >= least && number <= greatest
  }

  private func double(_ value: Any) throws -> Double {
    if let number = value as? Double { return number }
    if let number = value as? any BinaryFloatingPoint { return Double(number) }
    if let number = value as? any BinaryInteger {
      guard let exact = Double(exactly: number) else { throw inexact(number) }
      return exact
    }
    throw mismatch(value, "a number")
  }

  private func float(_ value: Any) throws -> Float {
    if let number = value as? Float { return number }
    if let number = value as? any BinaryInteger {
      guard let exact = Float(exactly: number) else { throw inexact(number) }
      return exact
    }
    let wide = try double(value)
    let number = Float(wide)
    guard number.isFinite || !wide.isFinite else {
      throw outOfRange(wide, "\(-Float.greatestFiniteMagnitude)...\(Float.greatestFiniteMagnitude)")
    }
    return number
  }

  /// Returns a date, in any range.
  func date(_ value: Any) throws -> Date {
    guard let date = value as? Date else { throw mismatch(value, "a Date") }
    guard !date.timeIntervalSince1970.isNaN else {
      throw ObjectBoxError.illegalArgument(
        message: "\(title) was given a date that is not a number; give a date, or nil for null"
      )
    }
    return date
  }

  /// Returns the milliseconds or nanoseconds of a date since 1970.
  private func ticks(_ date: Date) throws -> Int64 {
    let number: Int64? =
      [.dateNano, .dateNanoVector].contains(property.type)
      ? DateCodec.nanoseconds(of: date) : DateCodec.milliseconds(of: date)
    guard let number else {
      throw ObjectBoxError.illegalArgument(
        message: "\(title) was given the date \(date), which is beyond what 64 bits hold"
      )
    }
    return number
  }

  // MARK: Bytes and vectors

  private func bytes(_ value: Any) throws -> [UInt8] {
    if let data = value as? Data { return [UInt8](data) }
    if let bytes = value as? [UInt8] { return bytes }
    return try encoding(value, "Data or [UInt8]")
  }

  /// Returns a text; encoded values may also come from another of their texts, or from an integer.
  private func text(_ value: Any) throws -> String {
    var value = value
    if let encoded = property.encodedType {
      let text =
        (value as? any BinaryInteger).map { "\($0)" }
        ?? (value as? any StringProtocol).map { String($0) }
      if let found = text.flatMap({ encoded.value(in: $0) }) { value = found }
    } else if let text = value as? any StringProtocol {
      return String(text)
    }
    return String(decoding: try encoding(value, "a String"), as: UTF8.self)
  }

  /// Returns the bytes of a value in the property's encoding; the error names the expected types.
  private func encoding(_ value: Any, _ plain: String) throws -> [UInt8] {
    guard let encoded = value as? any EncodedValue,
      type(of: encoded).entityPropertyType == property.type,
      property.encodedType.map({ type(of: encoded) == $0 }) ?? true
    else { throw mismatch(value, property.encodedType.map { "a \($0), \(plain)" } ?? plain) }
    guard let bytes = encoded.encoding else {
      throw ObjectBoxError.illegalArgument(
        message:
          "\(title) was given \(Self.describe(value)), which no record holds; give another value"
      )
    }
    return bytes
  }

  private func elements(_ value: Any, _ expected: String) throws -> [Any] {
    // Only arrays: a text is not a vector, and other collections have no order.
    guard let elements = value as? [Any] else { throw mismatch(value, expected) }
    return elements
  }

  private func integers<T: FixedWidthInteger & BitwiseCopyable>(
    _ value: Any,
    as type: T.Type
  ) throws -> DynamicValue {
    if let values = value as? [T], !property.has(.unsigned) {
      return .bytes(Self.bytes(of: values))
    }
    let numbers = try elements(value, "a vector of whole numbers").map {
      T(truncatingIfNeeded: try integer($0, bits: T.bitWidth))
    }
    return .bytes(Self.bytes(of: numbers))
  }

  private static func bytes<T: BitwiseCopyable>(of numbers: [T]) -> [UInt8] {
    numbers.withUnsafeBytes { [UInt8]($0) }
  }

  // MARK: Errors

  private var title: String { "'\(entity.name).\(property.name)' of type \(property.type)" }

  private func mismatch(_ value: Any, _ expected: String) -> ObjectBoxError {
    .propertyTypeMismatch(
      message: "\(title) was given \(Self.describe(value)); give \(expected)"
    )
  }

  private func outOfRange(_ value: Any, _ range: String) -> ObjectBoxError {
    .illegalArgument(message: "\(title) was given \(value), which is not in \(range)")
  }

  private func inexact(_ value: Any) -> ObjectBoxError {
    .illegalArgument(
      message:
        "\(title) was given \(value), which it cannot hold exactly; give a floating point number"
    )
  }

  private static func describe(_ value: Any) -> String {
    // Foundation cannot describe a date that is not a number.
    let text = (value as? Date).map { "\($0.timeIntervalSince1970)" } ?? "\(value)"
    return "\(text.count > 40 ? text.prefix(40) + "…" : text) of type \(type(of: value))"
  }
}
