import Foundation
package import ObjectBox

/// Writes fixture values to records and reads them, through the functions that bindings call.
package enum FixtureCoding {
  package static func collect(
    _ values: [String: JSON],
    of properties: [FixtureProperty],
    into builder: FlatBufferBuilder
  ) {
    for property in properties {
      guard let value = values[property.name] else { continue }
      collect(value, of: property, into: builder)
    }
  }

  private static func collect(
    _ value: JSON,
    of property: FixtureProperty,
    into builder: FlatBufferBuilder
  ) {
    let slot = property.slot
    switch (property.type, value) {
    case (.date, .integer(let milliseconds)):
      builder.collect(Date(timeIntervalSince1970: Double(milliseconds) / 1000), at: slot)
    case (_, .bool(let bool)): builder.collect(bool, at: slot)
    case (_, .integer(let number)): builder.collect(number, at: slot)
    case (_, .unsigned(let number)): builder.collect(number, at: slot)
    case (.float, .text(let text)): builder.collect(Float(text), at: slot)
    case (.double, .text(let text)): builder.collect(Double(text), at: slot)
    case (.string, .text(let text)): builder.collect(text, at: slot)
    case (_, .text(let text)) where property.isUUID:
      builder.collect(UUID(uuidString: text), at: slot)
    case (_, .text(let text)):
      builder.collect(dataOffset: builder.prepare(bytes: Hex.bytes(text)), at: slot)
    case (_, .array(let elements)):
      let vector: OBXDataOffset =
        switch property.type {
        case .intVector:
          builder.prepare(values: elements.map { Int32(truncatingIfNeeded: $0.int ?? 0) })
        case .longVector: builder.prepare(values: elements.map { $0.int ?? 0 })
        case .floatVector:
          builder.prepare(values: elements.map { Float($0.string ?? "") ?? .nan })
        default: builder.prepare(values: elements.map { $0.string ?? "" })
        }
      builder.collect(dataOffset: vector, at: slot)
    case (_, .null), (_, .object): break
    }
  }

  /// Returns the value of a property; nil for null.
  package static func value(of property: FixtureProperty, in reader: RecordReader) -> JSON? {
    let slot = property.slot
    switch property.type {
    case .bool: return (reader.read(at: slot) as Bool?).map { .bool($0) }
    case .byte, .short, .char, .int, .long, .unknown, .relation, .dateNano:
      return integer(of: property, in: reader)
    case .date:
      return (reader.read(at: slot) as Date?)
        .map { JSON(Int64(($0.timeIntervalSince1970 * 1000).rounded())) }
    case .float: return (reader.read(at: slot) as Float?).map { .text("\($0)") }
    case .double: return (reader.read(at: slot) as Double?).map { .text("\($0)") }
    case .string: return (reader.read(at: slot) as String?).map { .text($0) }
    case .intVector: return array(reader.read(at: slot) as [Int32]?) { JSON($0) }
    case .longVector: return array(reader.read(at: slot) as [Int64]?) { JSON($0) }
    case .floatVector: return array(reader.read(at: slot) as [Float]?) { .text("\($0)") }
    case .stringVector: return array(reader.read(at: slot) as [String]?) { .text($0) }
    case .byteVector where property.isUUID:
      return (reader.read(at: slot) as UUID?).map { .text($0.uuidString) }
    case .byteVector, .flex, .boolVector, .shortVector, .charVector, .doubleVector, .dateVector,
      .dateNanoVector:
      return (reader.read(at: slot) as [UInt8]?).map { .text(Hex.text($0)) }
    }
  }

  private static func array<T>(_ elements: [T]?, _ json: (T) -> JSON) -> JSON? {
    elements.map { .array($0.map(json)) }
  }

  private static func integer(of property: FixtureProperty, in reader: RecordReader) -> JSON? {
    let slot = property.slot
    switch (property.type, property.isUnsigned) {
    case (.byte, true): return (reader.read(at: slot) as UInt8?).map { JSON($0) }
    case (.short, true), (.char, true): return (reader.read(at: slot) as UInt16?).map { JSON($0) }
    case (.int, true): return (reader.read(at: slot) as UInt32?).map { JSON($0) }
    case (.long, true): return (reader.read(at: slot) as UInt64?).map { JSON($0) }
    default: return (reader.read(at: slot) as Int64?).map { JSON($0) }
    }
  }
}
