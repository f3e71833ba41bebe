internal import Foundation

/// A property type whose values are stored as a string or bytes: `UUID`, `URL`, `Decimal`, and
/// their optionals.
public protocol EncodedPropertyType: OperandPropertyType where Operand == Encoded {
  // Restated, or the compiler does not infer it from `Encoded`.
  /// The type of the values, without optionality.
  associatedtype Operand
  /// The type of the values, without optionality.
  associatedtype Encoded: EncodedValue
}

extension Optional: EncodedPropertyType where Wrapped: EncodedPropertyType {
  /// The encoded type of the wrapped type.
  public typealias Encoded = Wrapped.Encoded
}

/// A value that is stored as a string or bytes: a UUID as its 16 bytes, a URL or decimal as its
/// text.
///
/// Bindings, conditions, parameters, projections, observers and dynamic objects use values through
/// this protocol alone. Its requirements are for the library itself.
public protocol EncodedValue: EncodedPropertyType, ConditionOperand, PlainRecordValue, Hashable,
  Sendable
where Encoded == Self {
  /// External types that mark a property of this type in a model; empty if there are none.
  static var __externalTypes: [ExternalPropertyType] { get }

  /// The order of the values; binary for the order of the bytes.
  static var __collation: Collation { get }

  /// Returns the value of bytes; nil for bytes that are not a value.
  static func __decode(_ bytes: UnsafeRawBufferPointer) -> Self?

  /// Calls a body with the bytes of the value; nil for a value that cannot be stored.
  func __withEncoding<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T?
}

/// An encoded value whose stored form has an order, for conditions.
public protocol SortedEncodedValue: EncodedValue, SortedOperand {}

/// An encoded value with an order, for conditions and indexes.
public protocol OrderedEncodedValue: SortedEncodedValue, OrderedOperand {}

extension EncodedValue {
  /// The order of the bytes.
  public static var __collation: Collation { .binary }

  /// Reads a value.
  public static func __value(in record: RecordReader, at slot: __Slot) -> Self? {
    record.read(at: slot.number)
  }

  /// Stores a value.
  public static func __collect(_ value: Self, by builder: FlatBufferBuilder, at slot: __Slot) {
    builder.collect(value, at: slot.number)
  }

  /// The bytes of the value; nil for a value that cannot be stored.
  package var encoding: [UInt8]? { __withEncoding { [UInt8]($0) } }

  /// Returns the value of bytes, for callers that do not know the type.
  package static func value(in bytes: UnsafeRawBufferPointer) -> (any Sendable)? { __decode(bytes) }
}

// MARK: Texts that are no value

extension RecordReader {
  /// Reads a value that is stored as a text; the null value of its type if there is none.
  ///
  /// - Parameters:
  ///   - slot: The slot of the property.
  ///   - property: The name of the property, for the error.
  ///   - entity: The entity, for the error.
  /// - Returns: The value.
  /// - Throws: ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is not a value of
  ///   the type.
  public func read<V: EncodedValue>(
    at slot: UInt16,
    property: StaticString,
    entity: EntityInfo
  ) throws -> V {
    try read(at: slot, property: property, entity: entity) ?? V.__null
  }

  /// Reads a value that is stored as a text; nil if there is none.
  ///
  /// - Parameters:
  ///   - slot: The slot of the property.
  ///   - property: The name of the property, for the error.
  ///   - entity: The entity, for the error.
  /// - Returns: The value.
  /// - Throws: ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is not a value of
  ///   the type.
  public func read<V: EncodedValue>(
    at slot: UInt16,
    property: StaticString,
    entity: EntityInfo
  ) throws -> V? {
    guard let bytes = bytes(field(propertyID: UInt32((slot &- 2) >> 1))) else { return nil }
    if let value = V.__decode(bytes) { return value }
    throw V.unreadable(bytes, of: "\(property)", entity.entityName, .shown, id)
  }
}

extension EncodedValue {
  /// True if stored bytes that are not a value of the type are an error.
  ///
  /// Programs that know the property as a string may store any text.
  static var isChecked: Bool { entityPropertyType == .string }

  /// Returns the value of bytes; nil for bytes that are not a value, if that is not an error.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of a record.
  ///   - property: The name of the property, for the message.
  ///   - entity: The name of the entity, for the message.
  ///   - quoting: The rule of the store, for the message.
  /// - Returns: The value.
  /// - Throws: ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is not a value.
  package static func checkedValue(
    in bytes: UnsafeRawBufferPointer,
    of property: @autoclosure () throws -> String,
    _ entity: String,
    _ quoting: @autoclosure () -> ValueQuoting
  ) throws -> Self? {
    if let value = __decode(bytes) { return value }
    if isChecked { throw unreadable(bytes, of: try property(), entity, quoting()) }
    return nil
  }

  /// The error of a text that is not a value.
  static func unreadable(
    _ bytes: UnsafeRawBufferPointer,
    of property: String,
    _ entity: String,
    _ quoting: ValueQuoting,
    _ id: UInt64? = nil
  ) -> ObjectBoxError {
    let text = quoting.words(" '\(String(decoding: bytes.prefix(100), as: UTF8.self))'", else: "")
    let object = id.map { "the object with ID \($0)" } ?? "an object"
    return .propertyTypeMismatch(
      message:
        "cannot read '\(entity).\(property)' of \(object): its text\(text) is no \(Self.self); put "
        + "another value with store.box(named: \"\(entity)\")"
    )
  }
}

extension PropertySchema {
  private static let encodedTypes: [any EncodedValue.Type] = [UUID.self, URL.self, Decimal.self]

  /// The encoded type, if the model marks the property with one.
  package var encodedType: (any EncodedValue.Type)? {
    guard externalType != 0 else { return nil }
    return Self.encodedTypes.first { encoded in
      encoded.entityPropertyType == type
        && encoded.__externalTypes.contains { UInt32($0.rawValue) == externalType }
    }
  }
}
