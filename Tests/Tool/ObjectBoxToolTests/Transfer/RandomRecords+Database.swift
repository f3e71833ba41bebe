import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport

extension RandomRecords {
  /// Fills a store of all types with values that PostgreSQL can hold bit by bit.
  static func fillForDatabase(_ store: Store, _ random: inout SplitMix) throws {
    let schema = store.schema
    var generator = random
    try store.writingStored { writing in
      for (index, entity) in schema.entities.enumerated() {
        for id in Set((0..<150).map { _ in UInt64.random(in: 1...5_000, using: &generator) }) {
          try writing.put(entity: index, id: id) { set in
            for property in entity.properties
            where !property.has(.id) && Int.random(in: 0..<4, using: &generator) > 0 {
              plainValue(of: property, &generator) { set(property, $0) }
            }
          }
        }
      }
      try writing.raiseLastID(entity: 0, to: .random(in: 10_000...1_000_000, using: &generator))
    }
    try store.writingStored { writing in
      let ids = try store.readingStored { version in
        try schema.entities.indices.map { index in
          var ids: [UInt64] = []
          try version.forEachObject(entity: index) { ids.append($0.objectID) }
          return ids
        }
      }
      for entity in schema.entities {
        for relation in entity.relations {
          let sources = ids[schema.index(ofEntity: entity.name) ?? 0]
          let targets = ids[schema.index(ofEntity: relation.target.id) ?? 0]
          for source in sources.prefix(10) {
            for target in targets where Int.random(in: 0..<4, using: &generator) == 0 {
              try writing.relate(relation: relation.identity.id, source: source, target: target)
            }
          }
        }
      }
    }
    random = generator
  }

  private static func plainValue(
    of property: PropertySchema,
    _ random: inout SplitMix,
    _ body: (ExactValue) -> Void
  ) {
    let bits = random.pick([0, 1, .max, 1 << 63, random.next(), random.next()])
    func bytes(_ bytes: [UInt8]) { bytes.withUnsafeBytes { body(.bytes($0)) } }
    func many(_ size: Int) -> [UInt8] {
      (0..<Int.random(in: 0..<5, using: &random) * size).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
    }
    func text() -> [UInt8] {
      let pieces = ["a", "Ö", "\\", "'", "\n", "世", "😀", "\u{301}", "\u{1}", "ß", "I"]
      return (0..<Int.random(in: 0..<12, using: &random)).flatMap { _ in
        Array(random.pick(pieces).utf8)
      }
    }
    switch property.type {
    case .bool: body(.integer(Int64(bits & 1)))
    case .byte, .unknown: body(.integer(Int64(Int8(truncatingIfNeeded: bits))))
    case .short, .char: body(.integer(Int64(Int16(truncatingIfNeeded: bits))))
    case .int: body(.integer(Int64(Int32(truncatingIfNeeded: bits))))
    case .long, .dateNano: body(.integer(Int64(bitPattern: bits)))
    case .relation: body(.integer(Int64.random(in: 1...5_000, using: &random)))
    case .date:
      body(.integer(Int64.random(in: -210_866_803_200_000...9_224_318_015_999_999, using: &random)))
    case .float: body(.float(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case .double: body(.double(Double(bitPattern: bits)))
    case .string where property.externalType == 103:
      bytes(
        Array(
          random.pick([
            "0", "12.50", "-0.001", "1000000", "99999999999999999999999999999999999999", "-7",
          ])
          .utf8
        )
      )
    case .string: bytes(text())
    case .stringVector:
      var ends: [UInt8] = []
      var texts: [UInt8] = []
      func append(_ number: Int) {
        withUnsafeBytes(of: UInt32(number).littleEndian) { ends += $0 }
      }
      let count = Int.random(in: 0..<5, using: &random)
      append(count)
      for _ in 0..<count {
        texts += text()
        append(texts.count)
      }
      bytes(ends + texts)
    case .byteVector where property.externalType == 102:
      bytes((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
    case .intVector, .floatVector: bytes(many(4))
    default: bytes(many(8))
    }
  }
}
