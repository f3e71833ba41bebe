extension PropertyValue {
  /// The first bytes of values.
  package enum Kind {
    package static let null: UInt8 = 0
    package static let integer: UInt8 = 1
    package static let double: UInt8 = 2
    package static let bytes: UInt8 = 3
    package static let target: UInt8 = 4
  }
}

extension WireWriter {
  /// Writes the value ``PropertyValue/null``.
  package mutating func appendNullValue() { append(byte: PropertyValue.Kind.null) }

  /// Writes a value ``PropertyValue/integer(_:)``.
  package mutating func append(integerValue number: Int64) {
    append(byte: PropertyValue.Kind.integer, number.folded)
  }

  /// Writes a value ``PropertyValue/double(bits:)``.
  package mutating func append(doubleValue bits: UInt64) {
    appendTogether { room in
      room.storeBytes(of: PropertyValue.Kind.double, as: UInt8.self)
      room.storeBytes(of: bits.littleEndian, toByteOffset: 1, as: UInt64.self)
      return 9
    }
  }

  /// Writes a value ``PropertyValue/bytes(_:)`` without a copy of the bytes.
  package mutating func append(bytesValue bytes: UnsafeRawBufferPointer) {
    let isShort = bytes.count <= 24
    appendTogether { room in
      room.storeBytes(of: PropertyValue.Kind.bytes, as: UInt8.self)
      let count = 1 + UInt64(bytes.count).writeVariably(to: room + 1)
      guard isShort, let start = bytes.baseAddress else { return count }
      (room + count).copyMemory(from: start, byteCount: bytes.count)
      return count + bytes.count
    }
    if !isShort { append(raw: bytes) }
  }
}

extension PropertyValue: WireValue {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .null: writer.appendNullValue()
    case .integer(let number): writer.append(integerValue: number)
    case .double(let bits): writer.append(doubleValue: bits)
    case .bytes(let bytes): bytes.withUnsafeBytes { writer.append(bytesValue: $0) }
    case .target(let target):
      writer.append(byte: Kind.target)
      writer.append(target)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case Kind.null: self = .null
    case Kind.integer: self = .integer(try reader.signed())
    case Kind.double: self = .double(bits: try reader.bits())
    case Kind.bytes: self = .bytes(try reader.content())
    case Kind.target: self = .target(try reader.value())
    case let kind: throw reader.error("\(kind) is no kind of a property's value")
    }
  }
}

extension PropertyList: WireValue where Value: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(count: elements.count)
    for element in elements {
      writer.append(element.property)
      writer.append(element.value)
    }
  }

  /// Requires ascending order: inserting properties in any other order would take quadratic time.
  package init(from reader: inout WireReader) throws(WireError) {
    self.init()
    let count = try reader.count()
    // A hostile peer could claim millions.
    reserve(min(count, 32))
    for _ in 0..<count {
      let property = try reader.value(PropertyUID.self)
      guard append(try reader.value(), at: property) else {
        throw reader.error("the properties of an object are not in ascending order")
      }
    }
  }
}

extension Pair: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(relation)
    writer.append(target)
    writer.append(dot)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(relation: try reader.value(), target: try reader.value(), dot: try reader.value())
  }
}

extension WireReader {
  /// Reads the pairs of an object.
  mutating func pairs() throws(WireError) -> [Pair] {
    let pairs = try values(Pair.self)
    for (pair, next) in zip(pairs, pairs.dropFirst()) where pair >= next {
      throw error("the pairs of an object are not in ascending order")
    }
    return pairs
  }
}

extension Row: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(originID)
    writer.append(values)
    writer.append(stamp)
    writer.append(stamps)
    writer.append(pairs)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      originID: try reader.value(),
      values: try reader.value(),
      stamp: try reader.value(),
      stamps: try reader.value(),
      pairs: try reader.pairs()
    )
  }
}
