/// A sum of hashes of objects that reveals which object differs if only one does.
///
/// It has the sum of the hashes and the sum of the products hash × ID. If two sums differ by one object, with any
/// hashes, the difference of the products is the object's ID times the difference of the hashes. All numbers are modulo
/// the greatest prime below 2^64, so this division has one result, which is exact for every ID.
package struct ObjectSum: Hashable, Sendable {
  /// The greatest prime below 2^64.
  private static let prime: UInt64 = 0 &- distance
  private static let distance: UInt64 = 59

  /// The sum of the hashes, below the prime.
  package private(set) var hashes: UInt64 = 0
  /// The sum of the products of hashes and IDs, below the prime.
  package private(set) var products: UInt64 = 0

  /// Creates the sum of no objects.
  package init() {}

  /// Creates a sum.
  ///
  /// - Parameters:
  ///   - hashes: The sum of the hashes; it is reduced modulo the prime.
  ///   - products: The sum of the products.
  package init(hashes: UInt64, products: UInt64) {
    self.hashes = Self.reduced(hashes)
    self.products = Self.reduced(products)
  }

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - hash: The hash of the object, which depends on its ID too.
  ///   - id: The object's ID.
  package mutating func add(_ hash: UInt64, id: UInt64) {
    let hash = Self.reduced(hash)
    hashes = Self.sum(hashes, hash)
    products = Self.sum(products, Self.product(hash, id))
  }

  /// Adds the objects of another sum.
  package mutating func add(_ other: Self) {
    hashes = Self.sum(hashes, other.hashes)
    products = Self.sum(products, other.products)
  }

  /// Returns the ID of the object by which two sums differ if they differ by one; a number that is evenly distributed
  /// below 2^64 if they differ by several; nil if no single object explains the difference.
  ///
  /// - Complexity: 120 multiplications.
  package func onlyDifference(to other: Self) -> UInt64? {
    let hashes = Self.sum(hashes, Self.negative(other.hashes))
    guard hashes != 0 else { return nil }
    return Self.product(Self.sum(products, Self.negative(other.products)), Self.inverse(hashes))
  }

  private static func reduced(_ number: UInt64) -> UInt64 {
    number >= prime ? number - prime : number
  }

  private static func negative(_ number: UInt64) -> UInt64 { number == 0 ? 0 : prime - number }

  private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (sum, overflows) = one.addingReportingOverflow(other)
    return overflows ? sum &+ distance : reduced(sum)
  }

  private static func product(_ one: UInt64, _ other: UInt64) -> UInt64 {
    // 2^64 is congruent to the distance, modulo the prime.
    let (high, low) = one.multipliedFullWidth(by: other)
    let (carry, rest) = high.multipliedFullWidth(by: distance)
    return sum(sum(reduced(low), reduced(rest)), carry * distance)
  }

  /// By Fermat's little theorem: the power with the exponent prime - 2.
  private static func inverse(_ number: UInt64) -> UInt64 {
    var result: UInt64 = 1
    var power = number
    var exponent = prime - 2
    while exponent > 0 {
      if exponent & 1 == 1 { result = product(result, power) }
      power = product(power, power)
      exponent >>= 1
    }
    return result
  }
}
