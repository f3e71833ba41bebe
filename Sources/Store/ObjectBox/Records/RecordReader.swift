public import Foundation

/// The name of ``RecordReader`` in ObjectBox's API and in generated code.
public typealias FlatBufferReader = RecordReader

/// Reads the properties of one record, for a binding to make an object.
///
/// `RecordLayout` describes the bytes. A reader is valid only during the call that receives it. A
/// property that is null, or that did not exist when the record was written, reads as nil. If the
/// type is not optional, it reads as zero, false or empty.
///
/// A slot is `2 + 2 * propertyId`.
public struct RecordReader {
  let base: UnsafeRawPointer
  package let size: Int
  let fields: UnsafePointer<RecordField>
  let fieldCount: Int
  /// The offset of the first variable value.
  let variableStart: Int
  /// The object ID.
  package let id: UInt64

  /// Makes a reader of a record; nil if the record is shorter than the fixed part of the layout.
  @inline(__always)
  package init?(record: UnsafeRawBufferPointer, id: UInt64, layout: RecordLayout.View) {
    guard let base = record.baseAddress, record.count >= layout.fixedSize else { return nil }
    self.base = base
    size = record.count
    fields = layout.fields
    fieldCount = layout.fieldCount
    variableStart = layout.fixedSize
    self.id = id
  }

  /// Returns the field of a property; `absent` when the layout lacks it.
  @inline(__always)
  package func field(propertyID: UInt32) -> RecordField {
    Int(propertyID) < fieldCount ? fields[Int(propertyID)] : .absent
  }

  @inline(__always)
  private func field(at slot: UInt16) -> RecordField {
    field(propertyID: UInt32((slot &- 2) >> 1))
  }

  /// Returns whether the property has a value.
  @inline(__always)
  func isPresent(_ field: RecordField) -> Bool {
    let byte = base.load(fromByteOffset: 2 + Int(field.presenceBit >> 3), as: UInt8.self)
    return byte & (1 << UInt8(truncatingIfNeeded: field.presenceBit & 7)) != 0
  }

  /// Returns an integer of any width, sign-extended; nil when there is no value.
  @inline(__always)
  package func integer(_ field: RecordField) -> Int64? {
    switch field.kind {
    case .absent: return nil
    case .objectID: return Int64(bitPattern: id)
    default: break
    }
    guard isPresent(field) else { return nil }
    let offset = Int(field.offset)
    switch field.kind {
    case .integer64:
      return Int64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    case .integer32:
      return Int64(Int32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
    case .integer16:
      return Int64(Int16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: Int16.self)))
    case .integer8: return Int64(base.load(fromByteOffset: offset, as: Int8.self))
    case .float32, .float64, .variable, .firstVariable, .absent, .objectID: return nil
    }
  }

  /// Returns a floating point number of either width; nil when there is no value.
  @inline(__always)
  package func double(_ field: RecordField) -> Double? {
    switch field.kind {
    case .float64:
      guard isPresent(field) else { return nil }
      return Double(bitPattern: bits(field, as: UInt64.self))
    case .float32:
      guard isPresent(field) else { return nil }
      return Double(Float(bitPattern: bits(field, as: UInt32.self)))
    default: return nil
    }
  }

  @inline(__always)
  func bits<T: FixedWidthInteger & BitwiseCopyable>(_ field: RecordField, as type: T.Type)
    -> T
  {
    T(littleEndian: base.loadUnaligned(fromByteOffset: Int(field.offset), as: T.self))
  }

  /// Returns the bytes of a string, byte vector or vector; nil when there is no value.
  @inline(__always)
  package func bytes(_ field: RecordField) -> UnsafeRawBufferPointer? {
    let start: Int
    switch field.kind {
    case .firstVariable: start = variableStart
    case .variable:
      start = Int(
        UInt32(
          littleEndian: base.loadUnaligned(fromByteOffset: Int(field.offset) - 4, as: UInt32.self)
        )
      )
    default: return nil
    }
    guard isPresent(field) else { return nil }
    let end = Int(bits(field, as: UInt32.self))
    // A damaged record must not read beyond itself.
    guard start <= end, end <= size else { return nil }
    return UnsafeRawBufferPointer(start: base + start, count: end - start)
  }

  /// Returns the ID in a to-one relation; 0 for none.
  @inline(__always)
  package func targetID(propertyID: UInt32) -> UInt64 {
    UInt64(bitPattern: integer(field(propertyID: propertyID)) ?? 0)
  }

  func integer<T: FixedWidthInteger>(at slot: UInt16, as type: T.Type) -> T? {
    integer(field(at: slot)).map { T(truncatingIfNeeded: $0) }
  }

  private func text(at slot: UInt16) -> String? {
    bytes(field(at: slot)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func vector<T: BitwiseCopyable>(at slot: UInt16, of type: T.Type) -> [T]? {
    bytes(field(at: slot)).map { VectorCodec.numbers(in: $0, as: type) }
  }
}

// MARK: Calls of bindings

extension RecordReader {
  /// Reads a Boolean; false when there is no value.
  public func read(at slot: UInt16) -> Bool { integer(field(at: slot)) ?? 0 != 0 }
  /// Reads an 8-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> Int8 { integer(at: slot, as: Int8.self) ?? 0 }
  /// Reads a 16-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> Int16 { integer(at: slot, as: Int16.self) ?? 0 }
  /// Reads a 32-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> Int32 { integer(at: slot, as: Int32.self) ?? 0 }
  /// Reads a 64-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> Int64 { integer(at: slot, as: Int64.self) ?? 0 }
  /// Reads a 64-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> Int { integer(at: slot, as: Int.self) ?? 0 }
  /// Reads an unsigned 8-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> UInt8 { integer(at: slot, as: UInt8.self) ?? 0 }
  /// Reads an unsigned 16-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> UInt16 { integer(at: slot, as: UInt16.self) ?? 0 }
  /// Reads an unsigned 32-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> UInt32 { integer(at: slot, as: UInt32.self) ?? 0 }
  /// Reads an unsigned 64-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> UInt64 { integer(at: slot, as: UInt64.self) ?? 0 }
  /// Reads an unsigned 64-bit number; 0 when there is no value.
  public func read(at slot: UInt16) -> UInt { integer(at: slot, as: UInt.self) ?? 0 }
  /// Reads a 32-bit floating point number; 0 when there is no value.
  public func read(at slot: UInt16) -> Float { Float(double(field(at: slot)) ?? 0) }
  /// Reads a 64-bit floating point number; 0 when there is no value.
  public func read(at slot: UInt16) -> Double { double(field(at: slot)) ?? 0 }
  /// Reads a date; 1970 when there is no value.
  public func read(at slot: UInt16) -> Date {
    DateCodec.date(milliseconds: integer(field(at: slot)) ?? 0)
  }
  /// Reads a string; empty when there is no value.
  public func read(at slot: UInt16) -> String { text(at: slot) ?? "" }
  /// Reads bytes; empty when there is no value.
  public func read(at slot: UInt16) -> Data { bytes(field(at: slot)).map { Data($0) } ?? Data() }
  /// Reads bytes; empty when there is no value.
  public func read(at slot: UInt16) -> [UInt8] {
    bytes(field(at: slot)).map { [UInt8]($0) } ?? []
  }
  /// Reads an encoded value; the null value of its type when there is no value, or one that cannot be read.
  public func read<V: EncodedValue>(at slot: UInt16) -> V { read(at: slot) ?? V.__null }
  /// Reads a vector; empty when there is no value.
  public func read(at slot: UInt16) -> [Int32] { vector(at: slot, of: Int32.self) ?? [] }
  /// Reads a vector; empty when there is no value.
  public func read(at slot: UInt16) -> [Int64] { vector(at: slot, of: Int64.self) ?? [] }
  /// Reads a vector; empty when there is no value.
  public func read(at slot: UInt16) -> [Float] { vector(at: slot, of: Float.self) ?? [] }
  /// Reads a vector; empty when there is no value.
  public func read(at slot: UInt16) -> [String] {
    bytes(field(at: slot)).map(VectorCodec.strings) ?? []
  }
  /// Reads the ID of an object; 0 when there is no value.
  public func read<T>(at slot: UInt16) -> EntityId<T> {
    EntityId(UInt64(bitPattern: integer(field(at: slot)) ?? 0))
  }
  /// Reads a date kept in nanoseconds; 1970 when there is no value.
  public func readNanos(at slot: UInt16) -> Date {
    DateCodec.date(nanoseconds: integer(field(at: slot)) ?? 0)
  }

  /// Reads a Boolean; nil when there is no value.
  public func read(at slot: UInt16) -> Bool? { integer(field(at: slot)).map { $0 != 0 } }
  /// Reads an 8-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> Int8? { integer(at: slot, as: Int8.self) }
  /// Reads a 16-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> Int16? { integer(at: slot, as: Int16.self) }
  /// Reads a 32-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> Int32? { integer(at: slot, as: Int32.self) }
  /// Reads a 64-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> Int64? { integer(at: slot, as: Int64.self) }
  /// Reads a 64-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> Int? { integer(at: slot, as: Int.self) }
  /// Reads an unsigned 8-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> UInt8? { integer(at: slot, as: UInt8.self) }
  /// Reads an unsigned 16-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> UInt16? { integer(at: slot, as: UInt16.self) }
  /// Reads an unsigned 32-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> UInt32? { integer(at: slot, as: UInt32.self) }
  /// Reads an unsigned 64-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> UInt64? { integer(at: slot, as: UInt64.self) }
  /// Reads an unsigned 64-bit number; nil when there is no value.
  public func read(at slot: UInt16) -> UInt? { integer(at: slot, as: UInt.self) }
  /// Reads a 32-bit floating point number; nil when there is no value.
  public func read(at slot: UInt16) -> Float? { double(field(at: slot)).map { Float($0) } }
  /// Reads a 64-bit floating point number; nil when there is no value.
  public func read(at slot: UInt16) -> Double? { double(field(at: slot)) }
  /// Reads a date; nil when there is no value.
  public func read(at slot: UInt16) -> Date? {
    integer(field(at: slot)).map(DateCodec.date(milliseconds:))
  }
  /// Reads a string; nil when there is no value.
  public func read(at slot: UInt16) -> String? { text(at: slot) }
  /// Reads bytes; nil when there is no value.
  public func read(at slot: UInt16) -> Data? { bytes(field(at: slot)).map { Data($0) } }
  /// Reads bytes; nil when there is no value.
  public func read(at slot: UInt16) -> [UInt8]? { bytes(field(at: slot)).map { [UInt8]($0) } }
  /// Reads an encoded value; nil when there is no value, or one that cannot be read.
  public func read<V: EncodedValue>(at slot: UInt16) -> V? {
    bytes(field(at: slot)).flatMap(V.__decode)
  }
  /// Reads a vector; nil when there is no value.
  public func read(at slot: UInt16) -> [Int32]? { vector(at: slot, of: Int32.self) }
  /// Reads a vector; nil when there is no value.
  public func read(at slot: UInt16) -> [Int64]? { vector(at: slot, of: Int64.self) }
  /// Reads a vector; nil when there is no value.
  public func read(at slot: UInt16) -> [Float]? { vector(at: slot, of: Float.self) }
  /// Reads a vector; nil when there is no value.
  public func read(at slot: UInt16) -> [String]? {
    bytes(field(at: slot)).map(VectorCodec.strings)
  }
  /// Reads a date kept in nanoseconds; nil when there is no value.
  public func readNanos(at slot: UInt16) -> Date? {
    integer(field(at: slot)).map(DateCodec.date(nanoseconds:))
  }
}
