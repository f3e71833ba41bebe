import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport

/// Random records with any bits that a file can hold, including ones that no program writes.
enum RandomRecords {
  /// Fills a store of ``ModelText/everything``.
  static func fill(_ store: Store, _ random: inout SplitMix) throws {
    let schema = store.schema
    // The store's closure cannot capture an inout parameter.
    var generator = random
    try store.writingStored { writing in
      var ids: [[UInt64]] = []
      for (index, entity) in schema.entities.enumerated() {
        ids.append(Self.ids(&generator))
        for id in ids[index] {
          try writing.put(entity: index, id: id) { set in
            for property in entity.properties where !property.has(.id) {
              if Int.random(in: 0..<4, using: &generator) > 0 {
                value(of: property, &generator) { set(property, $0) }
              }
            }
          }
        }
      }
      for entity in schema.entities {
        for relation in entity.relations {
          let sources = ids[schema.index(ofEntity: entity.name) ?? 0]
          let targets = ids[schema.index(ofEntity: relation.target.id) ?? 0]
          // Some have more pairs than a line can have.
          for source in sources.prefix(5) {
            for target in targets where Int.random(in: 0..<3, using: &generator) > 0 {
              try writing.relate(relation: relation.identity.id, source: source, target: target)
            }
          }
        }
      }
      try writing.raiseLastID(entity: 0, to: .random(in: 1...1_000_000, using: &generator))
    }
    random = generator
  }

  private static func ids(_ random: inout SplitMix) -> [UInt64] {
    var ids: Set<UInt64> = [1]
    if Int.random(in: 0..<3, using: &random) == 0 {
      ids = [UInt64.max - 1, UInt64(Int64.max), .random(in: 1..<(.max), using: &random)]
    }
    for _ in 0..<Int.random(in: 0..<160, using: &random) {
      ids.insert(.random(in: 1..<1000, using: &random))
    }
    return ids.sorted()
  }

  private static func value(
    of property: PropertySchema,
    _ random: inout SplitMix,
    _ body: (ExactValue) -> Void
  ) {
    let bits = pattern(&random)
    switch property.type {
    case .bool: body(.integer(Int64(bits & 1)))
    case .byte, .unknown: body(.integer(Int64(Int8(truncatingIfNeeded: bits))))
    case .short, .char: body(.integer(Int64(Int16(truncatingIfNeeded: bits))))
    case .int: body(.integer(Int64(Int32(truncatingIfNeeded: bits))))
    case .long, .date, .dateNano, .relation: body(.integer(Int64(bitPattern: bits)))
    case .float: body(.float(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case .double: body(.double(Double(bitPattern: bits)))
    case .string: bytes(text(&random), body)
    case .stringVector:
      var ends: [UInt8] = []
      var texts: [UInt8] = []
      let count = Int.random(in: 0..<5, using: &random)
      append(count, to: &ends)
      for _ in 0..<count {
        texts += text(&random)
        append(texts.count, to: &ends)
      }
      bytes(ends + texts, body)
    default:
      // Any number of bytes, even a fraction of an element.
      let isWhole = Int.random(in: 0..<8, using: &random) > 0
      let count = Int.random(in: 0..<6, using: &random) * (isWhole ? 8 : 1)
      bytes(
        (0..<count).flatMap { _ in withUnsafeBytes(of: pattern(&random)) { [UInt8]($0.prefix(1)) }
        },
        body
      )
    }
  }

  /// Any 64 bits; often at the end of a range, or a NaN.
  private static func pattern(_ random: inout SplitMix) -> UInt64 {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: 0
    case 1: .max
    case 2: 1 << 63
    case 3: UInt64(Int64.max)
    case 4:
      random.pick([
        0x7ff8_0000_0000_0000, 0x7ff0_0000_0000_0000, 0xfff0_0000_0000_0000, 0x7fc0_0000,
      ])
    case 5:
      random.pick([0x7f80_0000, 0xff80_0000, 0x7f80_0001, 0x8000_0000, 0x7ff0_0000_0000_0001])
    case 6: .random(in: 0..<300, using: &random)
    default: random.next()
    }
  }

  private static func text(_ random: inout SplitMix) -> [UInt8] {
    if Int.random(in: 0..<12, using: &random) == 0 { return [0xff, 0xc0, 0x41] }
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "\n", "\r", "\t", "\u{0}", "\u{1f}", "\u{7f}", "ö", "\u{2028}", "世", "😀",
      "\u{301}",
      "\u{feff}", "/",
    ]
    return (0..<Int.random(in: 0..<12, using: &random)).flatMap { _ in
      Array(String(random.pick(scalars)).utf8)
    }
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(number).littleEndian) { bytes += $0 }
  }

  private static func bytes(_ bytes: [UInt8], _ body: (ExactValue) -> Void) {
    bytes.withUnsafeBytes { body(.bytes($0)) }
  }

  // MARK: Comparing

  /// Returns everything in a store as texts with the bits of each value, and the last IDs.
  static func contents(_ store: Store) throws -> [String] {
    let schema = store.schema
    return try store.readingStored { version in
      var contents: [String] = []
      for (index, entity) in schema.entities.enumerated() {
        contents.append("\(entity.name) up to \(try version.lastID(entity: index))")
        try version.forEachObject(entity: index) { record in
          let values = entity.properties.map { describe(record.exact($0)) }
          contents.append("\(record.objectID): \(values.joined(separator: " "))")
        }
        for relation in entity.relations {
          try version.forEachLink(relation: relation.identity.id) {
            contents.append("\(relation.identity.id): \($0) \($1)")
          }
        }
      }
      return contents
    }
  }

  private static func describe(_ value: ExactValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "i\(number)"
    case .float(let number): "f\(number.bitPattern)"
    case .double(let number): "d\(number.bitPattern)"
    case .bytes(let bytes): "b\(Array(bytes))"
    }
  }
}
