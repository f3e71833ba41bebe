import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// `objectbox import` restores the values of an export bit by bit.
struct ValueRoundTripTests {
  private let tool: BuiltProgram

  init() throws {
    tool = try BuiltProgram("objectbox")
  }

  private func makeStore(_ name: String) throws -> Store {
    try tool.folder.store(name, ModelText.everything)
  }

  private static func bytes(of numbers: [some FixedWidthInteger]) -> [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
  }

  /// Texts that end fields, lines, quotes and escapes, alone and beside combining scalars.
  private static let texts = [
    "", " ", ",", "\"", "\n", "\r", "\r\n", "\t", "\\", "a,\u{301}b", "\"\u{301}", "\u{600}\"",
    "\u{600},", "\n\u{301}", "\u{0}", "\u{7F}", "\u{FEFF}", "\u{2028}", "null", "NaN", "{}", "[1]",
    "'", "\u{10FFFF}", "e\u{301}\u{20DD}", "👩‍👧", " a ", "--", "#", "=1+1",
  ]

  private static var textVector: [UInt8] {
    var ends = [UInt32(texts.count)]
    for text in texts {
      ends.append((ends.count == 1 ? 0 : ends[ends.count - 1]) + UInt32(text.utf8.count))
    }
    return bytes(of: ends) + texts.flatMap { Array($0.utf8) }
  }

  private enum Value {
    case integer(Int64)
    case float(UInt32)
    case double(UInt64)
    case bytes([UInt8])
  }

  /// The extreme values of a property, and values that a text form may lose.
  private static func extremes(of property: PropertySchema) -> [Value] {
    let doubles: [Double] = [
      0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude, .leastNormalMagnitude, .ulpOfOne, 0.1, 1e21, 9_007_199_254_740_992,
    ]
    let floats: [Float] = [
      0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude, .leastNormalMagnitude, .ulpOfOne, 0.1, 16_777_216,
    ]
    let doubleBits =
      doubles.map(\.bitPattern) + [0xfff8_0000_0000_0000, 0x7ff0_0000_0000_0001, .max]
    let floatBits = floats.map(\.bitPattern) + [0xffc0_0000, 0x7f80_0001, .max]
    func ends<T: FixedWidthInteger>(_ type: T.Type) -> [Value] {
      let ends: [T] = [.min, .max, 0, 1, .max - 1, .min + 1]
      return ends.map { .integer(Int64(truncatingIfNeeded: $0)) }
    }
    switch property.type {
    case .bool: return [.integer(0), .integer(1)]
    case .byte, .unknown: return ends(Int8.self)
    case .short, .char: return ends(Int16.self)
    case .int: return ends(Int32.self)
    case .long, .relation, .dateNano: return ends(Int64.self)
    case .date:
      // The limits of the years with a text form, and the days around the change of calendars.
      return ends(Int64.self)
        + [
          -62_135_596_800_001, -62_135_596_800_000, -12_219_292_800_001, -12_219_292_800_000,
          -12_220_243_200_000, -1, 253_402_300_799_999, 253_402_300_800_000,
        ].map { .integer($0) }
    case .float: return floatBits.map { .float($0) }
    case .double: return doubleBits.map { .double($0) }
    case .string where property.externalType == 103:
      return ["0", "-0.1", "12.50", String(repeating: "9", count: 38)].map {
        .bytes(Array($0.utf8))
      }
    case .string: return texts.map { .bytes(Array($0.utf8)) }
    case .stringVector: return [.bytes([0, 0, 0, 0]), .bytes(textVector)]
    case .floatVector: return [.bytes([]), .bytes(bytes(of: floatBits))]
    case .doubleVector: return [.bytes([]), .bytes(bytes(of: doubleBits))]
    case .boolVector: return [.bytes([]), .bytes([0, 1])]
    case .shortVector, .charVector:
      return [.bytes([]), .bytes(bytes(of: [Int16.min, .max, 0, -1]))]
    case .intVector: return [.bytes([]), .bytes(bytes(of: [Int32.min, .max, 0, -1]))]
    case .longVector, .dateVector, .dateNanoVector:
      return [.bytes([]), .bytes(bytes(of: [Int64.min, .max, 0, -1]))]
    case .byteVector, .flex:
      return [
        .bytes([]), .bytes([0]), .bytes(Array(0...255)), .bytes([UInt8](repeating: 255, count: 16)),
      ]
    }
  }

  @Test(arguments: ["csv", "json"])
  func `all extreme values of all types come back`(_ format: String) throws {
    let store = try makeStore("old")
    let things = try #require(store.schema.index(ofEntity: "Thing"))
    let properties = store.schema.entities[things].properties
    try store.writingStored { writing in
      var id: UInt64 = 0
      for property in properties where !property.has(.id) {
        for value in Self.extremes(of: property) {
          id += 1
          try writing.put(entity: things, id: id) { set in
            switch value {
            case .integer(let number): set(property, .integer(number))
            case .float(let bits): set(property, .float(Float(bitPattern: bits)))
            case .double(let bits): set(property, .double(Double(bitPattern: bits)))
            case .bytes(let bytes): bytes.withUnsafeBytes { set(property, .bytes($0)) }
            }
          }
        }
      }
      for id in [UInt64(Int64.max), UInt64(Int64.max) + 1, UInt64.max - 1] {
        try writing.put(entity: things, id: id) { _ in }
      }
    }
    let before = try RandomRecords.contents(store)
    store.close()
    try makeStore("new").close()
    let exported = try tool.run("export", "old", "Thing", "-o", "things." + format)
    #expect(exported.status == 0, "\(exported.errors)")
    let imported = try tool.run("import", "new", "Thing", "things." + format)
    #expect(imported.status == 0, "\(imported.errors)")
    let copy = try makeStore("new")
    defer { copy.close() }
    let after = try RandomRecords.contents(copy)
    #expect(after.count == before.count)
    for (old, new) in zip(before, after) { #expect(old == new) }
  }

  @Test(
    arguments: [
      ("NaN", Double.nan.bitPattern), ("Infinity", Double.infinity.bitPattern),
      ("-Infinity", (-Double.infinity).bitPattern), ("0xfff8000000000000", 0xfff8_0000_0000_0000),
      ("+1.5", 1.5.bitPattern), (".5", 0.5.bitPattern), ("1e3", 1e3.bitPattern),
    ] as [(String, UInt64)]
  )
  func `a csv has numbers in digits, and others in the words of an export`(
    _ text: String,
    _ bits: UInt64
  ) throws {
    try makeStore("new").close()
    _ = try tool.folder.write("double\n\(text)\n", to: "in.csv")
    let result = try tool.run("import", "new", "Thing", "in.csv")
    #expect(result.status == 0, "\(result.errors)")
    let store = try makeStore("new")
    defer { store.close() }
    let stored = try store.box(named: "Thing").get(1)?["double"] as? Double
    #expect(stored?.bitPattern == bits)
  }

  @Test(arguments: ["0x1p3", "inf", "nan", "nan(7)", "infinity", "1e999", "0x", "1,5", "\u{661}"])
  func `other words for numbers are refused`(_ text: String) throws {
    try makeStore("new").close()
    _ = try tool.folder.write("double\n\"\(text)\"\n", to: "in.csv")
    let result = try tool.run("import", "new", "Thing", "in.csv")
    #expect(result.status == 1)
    #expect(
      result.errors.contains("in.csv:2:1: 'Thing.double' is ")
        && result.errors.contains("and a number of 64 bits, or one in words is expected"),
      "\(result.errors)"
    )
  }
}
