public import Foundation

/// Makes the record of an object from the values that a binding passes.
///
/// The name comes from ObjectBox's API; `RecordLayout` describes the bytes. A binding first calls
/// `prepare` for strings, byte vectors and vectors, then `collect` for every property. A property
/// that is not collected, or is collected as nil, is null. Zero and false are stored.
///
/// A slot is `2 + 2 * propertyId`.
///
/// The functions for numbers are inlinable: in generated code each becomes a look-up of the
/// property's field and two stores.
public final class FlatBufferBuilder {
  @usableFromInline package let scratch: RecordEncoder

  package init(layout: RecordLayout) {
    scratch = RecordEncoder(layout: layout)
  }

  /// Makes a record in the layout in use.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object, for messages.
  ///   - id: The ID of the object, for the checksum.
  ///   - collect: Passes values to this builder; properties without a value are null.
  /// - Returns: The bytes of the record, valid until the builder makes the next one.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a value that cannot be stored; the
  ///   error of `collect`.
  package func record(
    of entity: EntitySchema,
    id: UInt64,
    _ collect: () throws -> Void
  ) throws -> UnsafeRawBufferPointer {
    scratch.begin()
    try collect()
    return try scratch.finish(of: entity, id: id)
  }

  private func propertyID(_ slot: UInt16) -> UInt32 { UInt32((slot &- 2) >> 1) }

  private func field(_ slot: UInt16) -> RecordField { scratch.field(propertyID: propertyID(slot)) }

  @inlinable
  func collect<T: FixedWidthInteger & BitwiseCopyable>(integer value: T, at slot: UInt16) {
    if let field = scratch.field(at: slot) {
      let hasWidth: Bool
      switch field.kind {
      case .integer64: hasWidth = MemoryLayout<T>.size == 8
      case .integer32: hasWidth = MemoryLayout<T>.size == 4
      case .integer16: hasWidth = MemoryLayout<T>.size == 2
      case .integer8: hasWidth = MemoryLayout<T>.size == 1
      case .objectID: return  // The object ID is the key of the record.
      case .absent, .float32, .float64, .variable, .firstVariable: hasWidth = false
      }
      if hasWidth { return scratch.set(value, in: field) }
    }
    collect(converting: Int64(truncatingIfNeeded: value), at: slot)
  }

  @inlinable
  func collect<T: FixedWidthInteger & BitwiseCopyable>(given value: T?, at slot: UInt16) {
    if let value { collect(integer: value, at: slot) }
  }

  /// Takes a number for a property of another width; notes a fault if the property cannot have it.
  @usableFromInline @inline(never)
  func collect(converting value: Int64, at slot: UInt16) {
    let field = field(slot)
    switch field.kind {
    case .integer64: scratch.store(value, at: field.offset)
    case .integer32: scratch.store(Int32(truncatingIfNeeded: value), at: field.offset)
    case .integer16: scratch.store(Int16(truncatingIfNeeded: value), at: field.offset)
    case .integer8: scratch.store(Int8(truncatingIfNeeded: value), at: field.offset)
    case .absent, .objectID: return
    case .float32, .float64, .variable, .firstVariable:
      scratch.note("the binding collects a number for slot \(slot), which holds another type")
      return
    }
    scratch.markPresent(field)
  }

  @inlinable
  func collect(double value: Double, at slot: UInt16) {
    if let field = scratch.field(at: slot), case .float64 = field.kind {
      return scratch.set(value.bitPattern, in: field)
    }
    collect(converting: value, at: slot)
  }

  @inlinable
  func collect(float value: Float, at slot: UInt16) {
    // Not converted to Double: that would change the payload of a signalling NaN.
    if let field = scratch.field(at: slot), case .float32 = field.kind {
      return scratch.set(value.bitPattern, in: field)
    }
    collect(converting: Double(value), at: slot)
  }

  /// Takes a floating point number for a property of another width; notes a fault if the property
  /// cannot have it.
  @usableFromInline @inline(never)
  func collect(converting value: Double, at slot: UInt16) {
    let field = field(slot)
    switch field.kind {
    case .float64: scratch.store(value.bitPattern, at: field.offset)
    case .float32: scratch.store(Float(value).bitPattern, at: field.offset)
    case .absent, .objectID: return
    default:
      scratch.note(
        "the binding collects a floating point number for slot \(slot), which holds another type"
      )
      return
    }
    scratch.markPresent(field)
  }

  // MARK: Values of fixed size

  /// Takes a Boolean.
  @inlinable
  public func collect(_ value: Bool, at slot: UInt16) {
    collect(integer: value ? 1 as Int8 : 0, at: slot)
  }
  /// Takes a number.
  @inlinable
  public func collect(_ value: Int8, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: Int16, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: Int32, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: Int64, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: Int, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: UInt8, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: UInt16, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: UInt32, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: UInt64, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: UInt, at slot: UInt16) { collect(integer: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: Float, at slot: UInt16) { collect(float: value, at: slot) }
  /// Takes a number.
  @inlinable
  public func collect(_ value: Double, at slot: UInt16) { collect(double: value, at: slot) }

  /// Takes a Boolean, or leaves the property null.
  @inlinable
  public func collect(_ value: Bool?, at slot: UInt16) {
    if let value { collect(value, at: slot) }
  }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: Int8?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: Int16?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: Int32?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: Int64?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: Int?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: UInt8?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: UInt16?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: UInt32?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: UInt64?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: UInt?, at slot: UInt16) { collect(given: value, at: slot) }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: Float?, at slot: UInt16) {
    if let value { collect(float: value, at: slot) }
  }
  /// Takes a number, or leaves the property null.
  @inlinable
  public func collect(_ value: Double?, at slot: UInt16) {
    if let value { collect(double: value, at: slot) }
  }
  /// Takes a date to the millisecond, or leaves the property null.
  ///
  /// A date beyond 64 bits, or that is not a number, is refused when the object is put.
  public func collect(_ value: Date?, at slot: UInt16) {
    guard let value else { return }
    collect(date: value, DateCodec.milliseconds(of: value), at: slot)
  }
  /// Takes a date to the nanosecond, or leaves the property null.
  ///
  /// A date beyond 64 bits, or that is not a number, is refused when the object is put.
  public func collectNanos(_ value: Date?, at slot: UInt16) {
    guard let value else { return }
    collect(date: value, DateCodec.nanoseconds(of: value), at: slot)
  }

  private func collect(date: Date, _ number: Int64?, at slot: UInt16) {
    if let number {
      collect(integer: number, at: slot)
    } else {
      let words = "a date of \(date.timeIntervalSince1970) seconds since 1970"
      scratch.note(.init(words: words, kind: "date"), propertyID: propertyID(slot))
    }
  }
  /// Takes the ID of an object, or leaves the property null.
  @inlinable
  public func collect<T>(_ value: EntityId<T>?, at slot: UInt16) {
    if let value { collect(integer: value.value, at: slot) }
  }

  // MARK: Values of variable size

  /// Takes a prepared value; an offset of 0 leaves the property null.
  @inlinable
  public func collect(dataOffset: OBXDataOffset, at slot: UInt16) {
    guard dataOffset != 0 else { return }
    if Int(dataOffset) <= scratch.chunkCount, let field = scratch.field(at: slot) {
      switch field.kind {
      // Until the record is finished, the number of the value is stored in place of its end.
      case .variable, .firstVariable: return scratch.set(dataOffset, in: field)
      default: break
      }
    }
    assign(dataOffset, at: slot)
  }

  /// Takes a prepared value; notes a fault if the property cannot have it.
  @usableFromInline @inline(never)
  func assign(_ dataOffset: OBXDataOffset, at slot: UInt16) {
    let field = field(slot)
    if field.kind != .absent {
      scratch.assign(chunk: dataOffset, to: field, propertyID: propertyID(slot))
    }
  }

  /// Takes a string at once, or leaves the property null.
  public func collect(_ value: String?, at slot: UInt16) {
    collect(dataOffset: prepare(string: value), at: slot)
  }

  /// Takes an encoded value at once, or leaves the property null.
  public func collect<V: EncodedValue>(_ value: V?, at slot: UInt16) {
    collect(dataOffset: prepare(encoded: value), at: slot)
  }

  /// Keeps the UTF-8 of a string for `collect(dataOffset:at:)`; 0 for nil.
  ///
  /// The string is consumed, so its storage is retained only once, when it is read from the object.
  public func prepare(string: consuming String?) -> OBXDataOffset {
    guard var text = consume string else { return 0 }
    return text.withUTF8 { scratch.append(UnsafeRawBufferPointer($0)) }
  }

  /// Keeps bytes for `collect(dataOffset:at:)`; 0 for nil.
  public func prepare(bytes: Data?) -> OBXDataOffset {
    bytes?.withUnsafeBytes { scratch.append($0) } ?? 0
  }

  /// Keeps bytes for `collect(dataOffset:at:)`; 0 for nil.
  public func prepare(bytes: [UInt8]?) -> OBXDataOffset { prepare(numbers: bytes) }

  /// Keeps the 16 bytes of a UUID for `collect(dataOffset:at:)`; 0 for nil.
  public func prepare(uuid: UUID?) -> OBXDataOffset { prepare(encoded: uuid) }

  /// Keeps an encoded value for `collect(dataOffset:at:)`; 0 for nil.
  ///
  /// A value that cannot be stored is refused when the object is put.
  public func prepare<V: EncodedValue>(encoded value: V?) -> OBXDataOffset {
    guard let value else { return 0 }
    return value.__withEncoding { scratch.append($0) }
      ?? scratch.refuse(.init(words: "the \(V.self) \(value)", kind: "\(V.self)"))
  }

  /// Keeps a vector for `collect(dataOffset:at:)`; 0 for nil.
  public func prepare(values: [Int32]?) -> OBXDataOffset { prepare(numbers: values) }

  /// Keeps a vector for `collect(dataOffset:at:)`; 0 for nil.
  public func prepare(values: [Int64]?) -> OBXDataOffset { prepare(numbers: values) }

  /// Keeps a vector for `collect(dataOffset:at:)`; 0 for nil.
  public func prepare(values: [Float]?) -> OBXDataOffset { prepare(numbers: values) }

  /// Keeps a vector for `collect(dataOffset:at:)`; 0 for nil.
  public func prepare(values: [String]?) -> OBXDataOffset {
    prepare(numbers: values.map(VectorCodec.bytes(of:)))
  }

  private func prepare<T: BitwiseCopyable>(numbers: [T]?) -> OBXDataOffset {
    numbers?.withUnsafeBytes { scratch.append($0) } ?? 0
  }
}
