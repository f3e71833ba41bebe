/// The bytes of a key, whose byte order is the order of values.
///
/// A key begins with one byte: 0 for null, 1 for a value. So null is below all values, and no key
/// is empty, as LMDB requires. The rest depends on the type:
/// - integers: big-endian, with the sign bit of signed integers inverted;
/// - floating point: big-endian bits; negative numbers invert all bits, others the sign bit; -0.0
///   counts as 0.0, and all NaNs as one value above infinity;
/// - strings and bytes: as they are, truncated to ``maximumPrefixLength``;
/// - hashes: big-endian.
package struct OrderedKey {
  /// The length to which strings and byte vectors are truncated; a match of a key of this length
  /// must be compared with the record.
  package static let maximumPrefixLength = 480
  /// The size of a buffer that every key fits in.
  package static let capacity = maximumPrefixLength + 1

  private let storage: UnsafeMutableRawPointer
  package private(set) var count = 0

  /// Makes a key writer with a buffer of at least ``capacity`` bytes.
  package init(storage: UnsafeMutableRawPointer) {
    self.storage = storage
  }

  /// The bytes of the last key.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: storage, count: count) }

  /// Writes the key of null.
  package mutating func setNull() {
    storage.storeBytes(of: 0, as: UInt8.self)
    count = 1
  }

  /// Writes a key that was made elsewhere, truncated to ``capacity``.
  package mutating func set(whole key: UnsafeRawBufferPointer) {
    count = min(key.count, Self.capacity)
    UnsafeMutableRawBufferPointer(start: storage, count: count)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: key[..<count]))
  }

  // One function per width: other modules would call a generic function unspecialised.

  /// Writes the key of an unsigned 8-bit number.
  package mutating func set(unsigned value: UInt8) { store(value) }

  /// Writes the key of an unsigned 16-bit number.
  package mutating func set(unsigned value: UInt16) { store(value) }

  /// Writes the key of an unsigned 32-bit number.
  package mutating func set(unsigned value: UInt32) { store(value) }

  /// Writes the key of an unsigned 64-bit number.
  package mutating func set(unsigned value: UInt64) { store(value) }

  /// Writes the key of a signed 8-bit number.
  package mutating func set(signed value: Int8) { store(UInt8(bitPattern: value ^ .min)) }

  /// Writes the key of a signed 16-bit number.
  package mutating func set(signed value: Int16) { store(UInt16(bitPattern: value ^ .min)) }

  /// Writes the key of a signed 32-bit number.
  package mutating func set(signed value: Int32) { store(UInt32(bitPattern: value ^ .min)) }

  /// Writes the key of a signed 64-bit number.
  package mutating func set(signed value: Int64) { store(UInt64(bitPattern: value ^ .min)) }

  private mutating func store<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(_ value: T)
  {
    storage.storeBytes(of: 1, as: UInt8.self)
    storage.storeBytes(of: value.bigEndian, toByteOffset: 1, as: T.self)
    count = 1 + MemoryLayout<T>.size
  }

  /// Writes the key of a 64-bit floating point number.
  package mutating func set(_ value: Double) {
    let canonical = value.isNaN ? Double.nan : (value == 0 ? 0 : value)
    let bits = canonical.bitPattern
    set(unsigned: bits >> 63 == 1 ? ~bits : bits | (1 << 63))
  }

  /// Writes the key of a 32-bit floating point number.
  package mutating func set(_ value: Float) {
    let canonical = value.isNaN ? Float.nan : (value == 0 ? 0 : value)
    let bits = canonical.bitPattern
    set(unsigned: bits >> 31 == 1 ? ~bits : bits | (1 << 31))
  }

  /// Writes the key of bytes or of a string's UTF-8.
  package mutating func set(prefixOf value: UnsafeRawBufferPointer) {
    storage.storeBytes(of: 1, as: UInt8.self)
    let length = min(value.count, Self.maximumPrefixLength)
    if length > 0 {
      UnsafeMutableRawBufferPointer(start: storage + 1, count: length)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: value[..<length]))
    }
    count = 1 + length
  }
}
