package import ObjectBox
package import ObjectBoxSyncProtocol

/// Conversion of values from messages into records; ``SyncColumn`` converts the other way.
extension PropertySchema {
  /// Passes a value from a message to the builder of a record, unless the property cannot have it.
  ///
  /// - Parameters:
  ///   - value: A value from a message.
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

  // MARK: Lists

  /// Returns bytes from a message in the form of a record; nil for a damaged list.
  private func stored(_ bytes: [UInt8]) -> [UInt8]? {
    let isText = type == .stringVector
    let size = type.syncElementSize
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
