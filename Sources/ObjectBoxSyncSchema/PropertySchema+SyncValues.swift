package import ObjectBox
package import ObjectBoxSyncProtocol

/// Values of records as they travel.
///
/// The server converts the columns of its tables to the same values, byte by byte: otherwise the
/// digests of equal objects would differ.
extension PropertySchema {
  /// Returns the value in a record as it travels.
  package func syncValue(in record: RecordReader) -> PropertyValue {
    switch record.exact(self) {
    case .null: return .null
    case .integer(let number):
      // Records may have 0 for an empty to-one relation.
      if type == .relation, number == 0 { return .null }
      return .integer(widened(number))
    case .float(let number): return .double(bits: Double(number).bitPattern)
    case .double(let number): return .double(bits: number.bitPattern)
    case .bytes(let bytes): return .bytes(joined(bytes))
    }
  }

  /// Passes a value to the builder of a record, unless the property cannot have it.
  ///
  /// - Parameters:
  ///   - value: A value that has travelled.
  ///   - set: Gets the property with the value; bytes are valid until it returns.
  /// - Returns: False for a value of another type.
  package func set(
    syncValue value: PropertyValue,
    _ set: (PropertySchema, ExactValue) -> Void
  ) -> Bool {
    switch (value, syncForm) {
    case (.null, _): set(self, .null)
    case (.integer(let number), .integer): set(self, .integer(number))
    case (.double(let bits), .double):
      let number = Double(bitPattern: bits)
      set(self, type == .float ? .float(Float(number)) : .double(number))
    case (.bytes(let bytes), .bytes), (.bytes(let bytes), .list):
      guard let stored = stored(bytes) else { return false }
      stored.withUnsafeBytes { set(self, .bytes($0)) }
    default: return false
    }
    return true
  }

  /// The form in which values travel.
  package enum SyncForm: Sendable {
    case integer
    case double
    /// The bytes of the record.
    case bytes
    /// Bytes in which each element of a list follows its length.
    case list
  }

  /// The form of the property's values that are not null.
  package var syncForm: SyncForm {
    switch type {
    case .unknown, .bool, .byte, .short, .char, .int, .long, .date, .dateNano, .relation: .integer
    case .float, .double: .double
    case .string, .byteVector, .flex, .boolVector, .shortVector, .charVector, .doubleVector,
      .dateVector, .dateNanoVector:
      .bytes
    case .intVector, .longVector, .floatVector, .stringVector: .list
    }
  }

  /// Returns an unsigned number that its record stores in fewer bits.
  private func widened(_ number: Int64) -> Int64 {
    guard has(.unsigned) else { return number }
    return switch type {
    case .byte: Int64(UInt8(truncatingIfNeeded: number))
    case .short, .char: Int64(UInt16(truncatingIfNeeded: number))
    case .int: Int64(UInt32(truncatingIfNeeded: number))
    default: number
    }
  }

  // MARK: Lists

  /// The size of the numbers of a list whose elements travel with their lengths; nil for others.
  private var elementSize: Int? {
    switch type {
    case .intVector, .floatVector: 4
    case .longVector: 8
    default: nil
    }
  }

  /// Returns the bytes of a record as they travel: the elements of lists after their lengths.
  private func joined(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var list: [UInt8] = []
    func append(_ element: some Collection<UInt8>) {
      withUnsafeBytes(of: UInt32(element.count).bigEndian) { list.append(contentsOf: $0) }
      list += element
    }
    if type == .stringVector {
      for text in VectorCodec.strings(in: bytes) { append(Array(text.utf8)) }
    } else if let size = elementSize {
      // Little-endian in records.
      for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
        append(bytes[start..<start + size].reversed())
      }
    } else {
      return Array(bytes)
    }
    return list
  }

  /// Returns bytes that have travelled as a record has them; nil for a damaged list.
  private func stored(_ bytes: [UInt8]) -> [UInt8]? {
    let isText = type == .stringVector
    let size = elementSize
    guard isText || size != nil else { return bytes }
    var texts: [String] = []
    var numbers: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard rest.count >= 4 else { return nil }
      let count = Int(rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
      rest = rest.dropFirst(4)
      guard count <= rest.count else { return nil }
      let element = rest.prefix(count)
      rest = rest.dropFirst(count)
      if isText {
        texts.append(String(decoding: element, as: UTF8.self))
      } else if element.count == size {
        numbers += element.reversed()
      } else {
        return nil
      }
    }
    return isText ? VectorCodec.bytes(of: texts) : numbers
  }
}
