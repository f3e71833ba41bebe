import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Reading of decimals from texts, and the order of their keys.
struct DecimalNumberTests {
  @Test(arguments: [
    ("0", "8000"), ("-0.00", "8000"), ("0E9999", "8000"), ("1", "81010b00"), ("01.00", "81010b00"),
    ("1E0", "81010b00"), ("10e-1", "81010b00"), ("-1", "7efef4ff"), ("12.5", "81020d3300"),
    ("+12.50", "81020d3300"), ("-12.5", "7efdf2ccff"), (".5", "81003300"), ("5.", "81013300"),
    ("1E-128", "80810b00"), ("1E+3", "81040b00"), ("100.01", "81030b010b00"),
    (
      "340282366920938463463374607431768211455E127",
      "81a62303532546155e55402f224b3d4b204d530c2e3300"
    ),
  ])
  func `a text has the key of its number`(_ text: String, _ key: String) throws {
    let number = try #require(DecimalNumber(text))
    #expect(Hex.text(number.key) == key)
    #expect(Hex.text(Collation.decimal.key(of: [UInt8](text.utf8))) == key)
  }

  @Test(arguments: [
    "", "-", ".", "+.", "abc", "NaN", "Infinity", "1x", "1 ", " 1", "1,5", "1.2.3", "--1", "1E",
    "1E+", "1E1.5", "1E12345", "0x1", "１", "1E-129", "1E167",
    "340282366920938463463374607431768211456",
    "3402823669209384634633746074317682114551E127", "1.0000000000000000000000000000000000000001",
  ])
  func `a text that is no decimal has no key`(_ text: String) {
    #expect(DecimalNumber(text) == nil)
    #expect(Collation.decimal.key(of: [UInt8](text.utf8)) == [])
    #expect(Decimal.value(in: text) == nil)
  }

  @Test(arguments: ["1E128", "-90198E128", "3E165", "34E164", "7E127"])
  func `a number whose zeros need the mantissa is a decimal`(_ text: String) throws {
    let number = try #require(DecimalNumber(text))
    let kept = try #require(number.decimal?.encoding)
    #expect(kept.withUnsafeBytes { DecimalNumber($0) } == number)
  }

  /// A comparable number: its sign, the place of its first digit, and its digits.
  private struct Exact: Comparable {
    var isNegative: Bool
    var place: Int
    var digits: String

    init(_ mantissa: UInt128, _ exponent: Int, isNegative: Bool) {
      var text = "\(mantissa)"
      place = mantissa == 0 ? .min : text.count + exponent
      while text.hasSuffix("0") { text.removeLast() }
      digits = text
      self.isNegative = isNegative && mantissa != 0
    }

    static func < (a: Self, b: Self) -> Bool {
      if a.isNegative != b.isNegative { return a.isNegative }
      let (low, high) = a.isNegative ? (b, a) : (a, b)
      return (low.place, low.digits) < (high.place, high.digits)
    }
  }

  @Test(arguments: 1...4)
  func `keys are in the order of the numbers, and texts and values stand for them`(
    _ seed: Int
  ) throws {
    var generator = SplitMix(seed: seed)
    var numbers: [(exact: Exact, number: DecimalNumber)] = []
    for _ in 0..<1000 {
      let bits = Int.random(in: 0...128, using: &generator)
      let mantissa = bits == 128 ? 0 : UInt128.random(in: 0...(.max), using: &generator) >> bits
      let isWide = Bool.random(using: &generator)
      let exponent = Int.random(in: isWide ? -128...127 : -3...3, using: &generator)
      let isNegative = Bool.random(using: &generator)
      let text = "\(isNegative ? "-" : "")\(mantissa)E\(exponent)"
      let number = try #require(DecimalNumber(text))
      let decimal = try #require(number.decimal)
      let kept = try #require(decimal.encoding)
      #expect(Decimal.value(in: String(decoding: kept, as: UTF8.self)) == decimal)
      #expect(kept.withUnsafeBytes { DecimalNumber($0) }?.key == number.key, "\(text)")
      numbers.append((Exact(mantissa, exponent, isNegative: isNegative), number))
    }
    for _ in 0..<5000 {
      let a = generator.pick(numbers)
      let b = generator.pick(numbers)
      #expect((a.exact < b.exact) == (a.number < b.number), "\(a) \(b)")
      #expect((a.exact == b.exact) == (a.number.key == b.number.key), "\(a) \(b)")
    }
  }
}

extension Collation {
  fileprivate func key(of bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { key(of: $0) } }
}
