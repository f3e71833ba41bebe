extension PropertyValue: WireValue {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .null: writer.append(byte: 0)
    case .integer(let number):
      writer.append(byte: 1)
      writer.append(number)
    case .double(let bits):
      writer.append(byte: 2)
      writer.append(bits: bits)
    case .bytes(let bytes): bytes.withUnsafeBytes { Self.write($0, to: &writer) }
    case .target(let target):
      writer.append(byte: 4)
      writer.append(target)
    }
  }

  /// Writes the value ``bytes(_:)`` of the given bytes without a copy of them.
  package static func write(_ bytes: UnsafeRawBufferPointer, to writer: inout WireWriter) {
    writer.append(byte: 3)
    writer.append(count: bytes.count)
    writer.append(raw: bytes)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 0: self = .null
    case 1: self = .integer(try reader.signed())
    case 2: self = .double(bits: try reader.bits())
    case 3: self = .bytes(try reader.content())
    case 4: self = .target(try reader.value())
    case let kind: throw reader.error("\(kind) is no kind of a property's value")
    }
  }
}

extension PropertyList: WireValue where Value: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(count: elements.count)
    writeElements(to: &writer)
  }

  /// Writes the elements without their number.
  func writeElements(to writer: inout WireWriter) {
    for element in elements {
      writer.append(element.property)
      writer.append(element.value)
    }
  }

  /// Properties in another order would take time in proportion to the square of their number.
  package init(from reader: inout WireReader) throws(WireError) {
    self.init()
    let count = try reader.count()
    // The bytes of a hostile peer could tell millions.
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

extension Row: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(birth)
    writer.append(values)
    writer.append(stamp)
    writer.append(stamps)
    writer.append(pairs)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      birth: try reader.value(),
      values: try reader.value(),
      stamp: try reader.value(),
      stamps: try reader.value(),
      pairs: try reader.values()
    )
    for (pair, next) in zip(pairs, pairs.dropFirst()) where pair >= next {
      throw reader.error("the pairs of an object are not in ascending order")
    }
  }
}

extension KeyedRow: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(key)
    writer.append(row)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(key: try reader.value(), row: try reader.value())
  }
}
