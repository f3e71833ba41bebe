package import ObjectBox
package import ObjectBoxSyncProtocol

/// A property, prepared for reading its values from many records in their form in messages.
///
/// The server converts the columns of its tables to the same values, byte by byte; otherwise the digests of equal
/// objects would differ.
///
/// It holds no references: copying a ``PropertySchema`` would retain its strings for each value.
package struct SyncColumn: Sendable {
  private let id: UInt32
  private let type: PropertyType
  private let isUnsigned: Bool

  /// Prepares a property.
  package init(_ property: PropertySchema) {
    id = property.identity.id
    type = property.type
    isUnsigned = property.has(.unsigned)
  }

  /// A value of a record in its form in messages, without copies of text and bytes.
  package enum Content {
    case null
    case integer(Int64)
    case double(bits: UInt64)
    /// Bytes of the record.
    case bytes(UnsafeRawBufferPointer)
    /// Bytes that the record has in another form.
    case joined([UInt8])

    /// Returns true if another content of the same property is the same value.
    package func isSame(as other: Self) -> Bool {
      switch (self, other) {
      case (.null, .null): true
      case (.integer(let one), .integer(let two)): one == two
      case (.double(let one), .double(let two)): one == two
      case (.bytes(let one), .bytes(let two)): one.elementsEqual(two)
      case (.joined(let one), .joined(let two)): one == two
      default: false
      }
    }
  }

  /// Returns the value in a record, in its form in messages.
  package func value(in record: RecordReader) -> PropertyValue {
    switch content(in: record) {
    case .null: .null
    case .integer(let number): .integer(number)
    case .double(let bits): .double(bits: bits)
    case .bytes(let bytes): .bytes(Array(bytes))
    case .joined(let bytes): .bytes(bytes)
    }
  }

  /// Returns the same value as ``value(in:)``, as long as the record is valid.
  package func content(in record: RecordReader) -> Content {
    let field = record.field(propertyID: id)
    switch field.kind {
    case .absent, .objectID: return .null
    case .integer8, .integer16, .integer32, .integer64:
      return integer(in: record, field).map { .integer($0) } ?? .null
    case .float32, .float64:
      return record.double(field).map { .double(bits: $0.bitPattern) } ?? .null
    case .variable, .firstVariable:
      guard let bytes = record.bytes(field) else { return .null }
      return type.hasPlainSyncBytes ? .bytes(bytes) : .joined(joined(bytes))
    }
  }

  /// Returns the ID of the target of a to-one relation; nil if it is empty.
  package func target(in record: RecordReader) -> UInt64? {
    integer(in: record, record.field(propertyID: id)).map { UInt64(bitPattern: $0) }
  }

  // MARK: Integers

  private func integer(in record: RecordReader, _ field: RecordField) -> Int64? {
    guard let number = record.integer(field) else { return nil }
    // Records may have 0 for an empty to-one relation.
    if type == .relation, number == 0 { return nil }
    return isUnsigned ? widened(number) : number
  }

  /// Widens an unsigned number that its record stores in fewer bits.
  private func widened(_ number: Int64) -> Int64 {
    switch type {
    case .byte: Int64(UInt8(truncatingIfNeeded: number))
    case .short, .char: Int64(UInt16(truncatingIfNeeded: number))
    case .int: Int64(UInt32(truncatingIfNeeded: number))
    default: number
    }
  }

  // MARK: Lists

  /// Returns the bytes of a record in their form in messages: the elements of lists after their lengths.
  private func joined(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var list: [UInt8] = []
    func append(_ element: some Collection<UInt8>) {
      withUnsafeBytes(of: UInt32(element.count).bigEndian) { list.append(contentsOf: $0) }
      list += element
    }
    if type == .stringVector {
      for text in VectorCodec.strings(in: bytes) { append(Array(text.utf8)) }
    } else if let size = type.syncElementSize {
      // Records are little-endian.
      for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
        append(bytes[start..<start + size].reversed())
      }
    } else {
      return Array(bytes)
    }
    return list
  }
}

extension PropertyType {
  /// The size of the numbers in a list whose elements travel with their lengths; nil for other lists.
  var syncElementSize: Int? {
    switch self {
    case .intVector, .floatVector: 4
    case .longVector: 8
    default: nil
    }
  }

  /// True if text or bytes have the same form in records and in messages.
  var hasPlainSyncBytes: Bool { self != .stringVector && syncElementSize == nil }
}
