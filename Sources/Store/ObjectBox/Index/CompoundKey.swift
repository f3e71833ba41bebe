internal import ObjectBoxStorage

/// Makes the keys of an index over several properties.
///
/// A key concatenates one part for each property, so byte order is the order of the first values,
/// then of the second values, and so on.
///
/// A part begins with 0 for null and 1 for a value. Numbers follow as in keys of a single property.
/// Texts and bytes follow with 255 after each 0 byte, and two 0 bytes at the end: no part is a
/// prefix of another. The whole key is cut at the maximum length.
struct CompoundKey {
  /// The keys of the parts.
  private let parts: [IndexKey]

  init(_ properties: [PropertySchema]) {
    parts = properties.map { IndexKey([$0], isPart: true) }
  }

  /// Returns whether two records have the same bytes in all parts.
  func isUnchanged(from old: RecordReader, to new: RecordReader) -> Bool {
    parts.allSatisfy { $0.isUnchanged(from: old, to: new) }
  }

  /// Returns whether a record lacks the value of a part.
  func hasNull(_ record: RecordReader) -> Bool { parts.contains { $0.isNull(record) } }

  /// Returns whether the index treats the values of two records as equal in all parts.
  func isSameValue(_ a: RecordReader, _ b: RecordReader) -> Bool {
    parts.allSatisfy { $0.isSameValue(a, b) }
  }

  /// Writes the key of a record.
  func write(_ record: RecordReader, into key: inout OrderedKey) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    for (index, part) in parts.enumerated() {
      let field = record.field(propertyID: part.propertyID)
      switch part.valueKind {
      case .variable, .firstVariable: append(record.bytes(field), part: index, to: &bytes)
      case .float32, .float64:
        appendFixed(to: &bytes, record.double(field)) { part.write(double: $0, into: &$1) }
      default: append(record.integer(field), part: index, to: &bytes)
      }
    }
    bytes.withUnsafeBytes { key.set(whole: $0) }
  }

  /// Adds the part of an integer, Boolean or date; nil for null.
  func append(_ value: Int64?, part index: Int, to bytes: inout [UInt8]) {
    let part = parts[index]
    // To-one relations store "no target" as null or 0.
    let given = part.isRelation && value == 0 ? nil : value
    appendFixed(to: &bytes, given) { part.write(integer: $0, into: &$1) }
  }

  /// Adds the part of a string's UTF-8 or of a byte vector; nil for null.
  func append(_ value: UnsafeRawBufferPointer?, part index: Int, to bytes: inout [UInt8]) {
    guard let value else { return bytes.append(0) }
    bytes.append(1)
    parts[index].collation.withKey(of: value) { key in
      for byte in key {
        bytes.append(byte)
        if byte == 0 { bytes.append(255) }
      }
    }
    bytes += [0, 0]
  }

  private func appendFixed<T>(
    to bytes: inout [UInt8],
    _ value: T?,
    _ write: (T, inout OrderedKey) -> Void
  ) {
    guard let value else { return bytes.append(0) }
    OrderedKey.withBytes {
      write(value, &$0)
    } body: {
      bytes.append(contentsOf: $0)
    }
  }
}
