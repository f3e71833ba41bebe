import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// The keys of indexes, byte for byte.
struct KeyFormatTests {
  /// A value in an index, and its key.
  struct Case: CustomTestStringConvertible, Sendable {
    var type: PropertyType
    var flags: [PropertyFlags] = []
    var collation = Collation.binary
    var value: JSON?
    /// Nil when the index omits the value.
    var key: String?

    init(
      _ type: PropertyType,
      _ flags: [PropertyFlags],
      _ value: JSON?,
      _ key: String?,
      collation: Collation = .binary
    ) {
      (self.type, self.flags, self.collation) = (type, flags, collation)
      (self.value, self.key) = (value, key)
    }

    init(
      _ type: PropertyType,
      _ value: JSON?,
      _ key: String?,
      collation: Collation = .binary
    ) {
      self.init(type, [], value, key, collation: collation)
    }

    var property: FixtureProperty {
      FixtureProperty(id: 2, name: "value", type: type, flags: flags, collation: collation)
    }

    var testDescription: String { "\(type) \(flags) \(value ?? .null)" }
  }

  static let numbers: [Case] = [
    Case(.bool, false, "0100"), Case(.bool, true, "0101"),
    Case(.byte, 5, "0185"), Case(.byte, -1, "017f"), Case(.byte, [.unsigned], 255, "01ff"),
    Case(.short, 5, "018005"), Case(.short, -1, "017fff"),
    Case(.short, [.unsigned], 5, "010005"), Case(.char, 5, "018005"), Case(.char, -1, "017fff"),
    Case(.int, 5, "0180000005"), Case(.int, -1, "017fffffff"),
    Case(.int, [.unsigned], 4_294_967_295, "01ffffffff"),
    Case(.long, 5, "018000000000000005"), Case(.long, -1, "017fffffffffffffff"),
    Case(.long, JSON(Int64.min), "010000000000000000"),
    Case(.long, [.unsigned], JSON(UInt64.max), "01ffffffffffffffff"),
    Case(.date, -1, "017fffffffffffffff"), Case(.date, 5, "018000000000000005"),
    Case(.dateNano, -1, "017fffffffffffffff"), Case(.dateNano, 5, "018000000000000005"),
    Case(.relation, 5, "018000000000000005"),
    Case(.float, "0.0", "0180000000"), Case(.float, "-0.0", "0180000000"),
    Case(.float, "1.5", "01bfc00000"), Case(.float, "-1.5", "01403fffff"),
    Case(.float, "inf", "01ff800000"), Case(.float, "-inf", "01007fffff"),
    Case(.float, "nan", "01ffc00000"), Case(.double, "0.0", "018000000000000000"),
    Case(.double, "-0.0", "018000000000000000"), Case(.double, "1.5", "01bff8000000000000"),
    Case(.double, "-1.5", "014007ffffffffffff"), Case(.double, "inf", "01fff0000000000000"),
    Case(.double, "-inf", "01000fffffffffffff"), Case(.double, "nan", "01fff8000000000000"),
    Case(.double, "-nan", "01fff8000000000000"),
    Case(.int, [.indexHash], -70000, "012cbe4b3d"),
    Case(.int, [.indexHash64, .unsigned], 4_294_967_295, "01b472747a5213ad1f"),
    Case(.double, [.indexHash64], "0.1", "011b1e4e1fe8162a6d"),
    Case(.double, [.indexHash64], "-0.0", "01d05ede89a02a7774"),
    Case(.double, [.indexHash64], "nan", "019182f654f2e5f642"),
    Case(.float, [.indexHash64], "1.5", "0105a00c061bb7a756"),
  ]

  static let texts: [Case] = [
    Case(.string, "", "01"), Case(.string, "a", "0161"), Case(.string, "a\u{0}b", "01610062"),
    Case(.string, "Grüße", "014772c3bcc39f65"),
    Case(.string, [.indexHash], "", "01f78ec378"), Case(.string, [.indexHash], "a", "0100db3f82"),
    Case(.string, [.indexHash64], "Grüße", "010c9a90d93e620aeb"),
    Case(.string, "Straße ÄÖÜ", "0173747261c39f6520c3a4c3b6c3bc", collation: .nocase),
    Case(.string, "STRASSE", "0173747261737365", collation: .nocase),
    Case(.string, "ẞ İ ΩΣς K", "01c39f20c4b020cf89cf83cf83206b", collation: .nocase),
    Case(.string, [.indexHash], "Straße ÄÖÜ", "01b93f19eb", collation: .nocase),
    Case(.byteVector, "", "01"), Case(.byteVector, "00ff80", "0100ff80"),
    Case(.byteVector, [.indexHash], "61", "0100db3f82"),
    Case(.flex, "2a00", "012a00"),
  ]

  static let nulls: [Case] = [
    Case(.int, nil, "00"), Case(.double, nil, "00"), Case(.string, nil, "00"),
    Case(.string, [.indexHash], nil, "00"), Case(.byteVector, nil, "00"),
    Case(.long, [.indexPartialSkipNull], nil, nil),
    Case(.long, [.indexPartialSkipNull], 0, "018000000000000000"),
    Case(.relation, [.indexPartialSkipZero], nil, nil),
    Case(.relation, [.indexPartialSkipZero], 0, nil),
    Case(.double, [.indexPartialSkipZero], "-0.0", nil),
  ]

  @Test(arguments: numbers + texts + nulls)
  func `a value has the key that it had`(_ key: Case) throws {
    #expect(try FormatBytes.key(key.property, key.value).map(Hex.text) == key.key)
  }

  @Test func `the key of a UUID is its 16 bytes`() throws {
    let property = FixtureProperty(id: 2, name: "value", type: .byteVector, externalType: .uuid)
    let key = try FormatBytes.key(property, "0F8FAD5B-D9CB-469F-A165-70867728950E")
    #expect(key.map(Hex.text) == "010f8fad5bd9cb469fa16570867728950e")
  }

  @Test(arguments: [
    ("0", "018000"), ("-0.00", "018000"), ("1", "0181010b00"), ("1.00", "0181010b00"),
    ("-1", "017efef4ff"), ("12.5", "0181020d3300"), ("-12.5", "017efdf2ccff"),
    ("1E-128", "0180810b00"),
    (
      "-340282366920938463463374607431768211455E127",
      "017e59dcfcacdab9eaa1aabfd0ddb4c2b4dfb2acf3d1ccff"
    ),
    ("abc", "01"), ("1E-129", "01"),
  ])
  func `the key of a decimal is its sign, magnitude and digits`(
    _ text: String,
    _ key: String
  ) throws {
    let property = FixtureProperty(id: 2, name: "value", type: .string, externalType: .decimal128)
    #expect(try FormatBytes.key(property, .text(text)).map(Hex.text) == key)
    let other = FixtureProperty(id: 3, name: "other", type: .bool)
    // Only the last byte of these keys can be 0.
    let part = key + (key.hasSuffix("00") ? "ff" : "") + "0000"
    let both = try FormatBytes.key([property, other], [.text(text), nil])
    #expect(both.map(Hex.text) == part + "00")
  }

  @Test(arguments: [PropertyType.string, .byteVector])
  func `long values are cut at 480 bytes, even inside of a character`(_ type: PropertyType) throws {
    let property = FixtureProperty(id: 2, name: "value", type: type)
    let long = String(repeating: "x", count: 479) + "ü"
    let bytes = Array(long.utf8)
    let value: JSON = type == .string ? .text(long) : .text(Hex.text(bytes))
    #expect(try FormatBytes.key(property, value) == [1] + bytes.prefix(480))
  }

  @Test func `an index of hashes takes the whole of a long text`() throws {
    let property = FixtureProperty(id: 2, name: "value", type: .string, flags: [.indexHash64])
    let long = String(repeating: "0123456789", count: 60)
    #expect(try FormatBytes.key(property, .text(long)).map(Hex.text) == "01fced4d92d46059d7")
  }

  // MARK: Several properties

  private static func property(
    _ id: UInt32,
    _ type: PropertyType,
    _ flags: [PropertyFlags] = [],
    _ collation: Collation = .binary
  ) -> FixtureProperty {
    FixtureProperty(id: id, name: "p\(id)", type: type, flags: flags, collation: collation)
  }

  @Test func `the parts of a key over several properties follow one another`() throws {
    func key(_ parts: (FixtureProperty, JSON?)...) throws -> String? {
      try FormatBytes.key(parts.map(\.0), parts.map(\.1)).map(Hex.text)
    }
    #expect(
      try key((Self.property(2, .string), "Love"), (Self.property(3, .string), "lace"))
        == "014c6f76650000016c6163650000"
    )
    #expect(
      try key(
        (Self.property(2, .string, [], .nocase), "Ada@X"),
        (Self.property(3, .int, [.unsigned]), 7)
      ) == "01616461407800000100000007"
    )
    #expect(
      try key(
        (Self.property(2, .short), -5),
        (Self.property(3, .double), "1.5"),
        (Self.property(4, .bool), true)
      ) == "017ffb01bff80000000000000101"
    )
    #expect(
      try key((Self.property(2, .relation), 0), (Self.property(3, .byteVector), "00ff"))
        == "000100ffff0000"
    )
    #expect(try key((Self.property(2, .string), nil), (Self.property(3, .int), nil)) == "0000")
    #expect(
      try key((Self.property(2, .string), ""), (Self.property(3, .relation), 3))
        == "010000018000000000000003"
    )
  }

  @Test func `a key over several properties is cut at 481 bytes as a whole`() throws {
    let key = try FormatBytes.key(
      [Self.property(2, .string), Self.property(3, .int)],
      [.text(String(repeating: "x", count: 478)), 1]
    )
    #expect(key == [1] + [UInt8](repeating: 0x78, count: 478) + [0, 0])
  }
}
