import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Means of integers are their exact quotients, rounded once.
struct MeanTests {
  /// Divides digit by digit, and has the system read the decimal number.
  ///
  /// A quotient that ends has fewer than 63 digits behind the point. The others differ from the
  /// middle between two numbers of double precision in their first 40 digits.
  static func mean(_ sum: Int128, _ count: Int) -> Double {
    let count = UInt128(count)
    var (whole, rest) = sum.magnitude.quotientAndRemainder(dividingBy: count)
    var digits = "\(whole)."
    for _ in 0..<120 {
      (whole, rest) = (rest * 10).quotientAndRemainder(dividingBy: count)
      digits += "\(whole)"
    }
    return (sum < 0 ? -1 : 1) * (Double(digits) ?? .nan)
  }

  @Test(arguments: 1...TestLength.choose(short: 20, long: 2000))
  func `a mean is the number of double precision next to the quotient`(_ seed: Int) {
    var random = SplitMix(seed: seed)
    // Any number of bits, so that quotients are great, small and close to the middle.
    func number() -> Int64 {
      let bits = Int64(bitPattern: random.next())
      return bits >> Int.random(in: 0...63, using: &random)
    }
    for _ in 0..<500 {
      let count = max(1, Int(number().magnitude >> 1))
      let product = Int128(number()) * Int128(count)
      let rest = Int128(number())
      for sum in [product, product + rest, rest] {
        #expect(sum.mean(of: count) == Self.mean(sum, count), "\(sum) / \(count)")
      }
    }
  }

  @Test func `extremes have means`() {
    let (least, greatest) = (Int128(Int64.min), Int128(UInt64.max))
    for sum in [least, Int128(Int64.max), greatest, 0, 1, -1] {
      for count in [1, 2, 3, 1 << 20, Int.max] {
        #expect(sum.mean(of: count) == Self.mean(sum, count), "\(sum) / \(count)")
        let total = sum * Int128(count)
        #expect(total.mean(of: count) == Double(sum), "\(total) / \(count)")
      }
    }
  }
}
