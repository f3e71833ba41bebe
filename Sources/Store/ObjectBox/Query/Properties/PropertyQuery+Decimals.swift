public import Foundation

extension PropertyQuery where T: EncodedPropertyType, T.Encoded == Decimal {
  /// Returns the sum of the values.
  ///
  /// Exact if a `Decimal` can hold the exact sum, else rounded once, to 38 digits.
  ///
  /// Throws ``ObjectBoxError/unknown(code:message:)`` with code 10004 when it exceeds the greatest
  /// `Decimal`, ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is not a number,
  /// others when the store is closed or cannot be read.
  public func sum() throws -> Decimal {
    guard let sum = try total().divided(by: 1) else {
      throw ObjectBoxError.sumOverflow("the sum does not fit into Decimal")
    }
    return sum
  }

  /// Returns the arithmetic mean of the values; 0 when there is none.
  ///
  /// Exact if a `Decimal` can hold the exact mean, else rounded once, to 38 digits.
  ///
  /// Throws ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is not a number,
  /// others when the store is closed or cannot be read.
  public func average() throws -> Decimal {
    let total = try total()
    return total.divided(by: Swift.max(1, total.count)) ?? 0
  }

  /// Returns the greatest value; 0 when there is none.
  ///
  /// Reads two objects if a value index of the property alone decides the results, otherwise all.
  ///
  /// Throws ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is not a number,
  /// others when the store is closed or cannot be read.
  public func max() throws -> Decimal { try extreme(isGreatest: true) }

  /// Returns the least value; 0 when there is none.
  ///
  /// Reads one object if a value index of the property alone decides the results, otherwise all.
  ///
  /// Throws ``ObjectBoxError/propertyTypeMismatch(message:)`` for a text that is not a number,
  /// others when the store is closed or cannot be read.
  public func min() throws -> Decimal { try extreme(isGreatest: false) }

  /// Counts nulls as the given value, and returns the query itself.
  @discardableResult
  public func with(nullValue: Decimal) -> PropertyQuery<E, T> {
    setNullValue(.texts([nullValue.description]))
  }

  private func total() throws -> DecimalSum {
    var sum = DecimalSum()
    try forEachNumber { sum.add($0) }
    return sum
  }

  private func extreme(isGreatest: Bool) throws -> Decimal {
    // The index has the order of numbers only where the schema knows them as such.
    if try property().collation == .decimal, let least = try indexedExtreme(isGreatest: false) {
      // The key of a text that is not a number is less than all others, so this finds it.
      if !isGreatest { return least.first?.decimal ?? 0 }
      if let greatest = try indexedExtreme(isGreatest: true) { return greatest.first?.decimal ?? 0 }
    }
    var best: DecimalNumber?
    try forEachNumber { number in
      if best.map({ isGreatest ? number > $0 : number < $0 }) ?? true { best = number }
    }
    return best?.decimal ?? 0
  }

  private func indexedExtreme(isGreatest: Bool) throws -> [DecimalNumber]? {
    try indexedExtreme(isGreatest: isGreatest) { record, field in
      try record.bytes(field).map(number)
    }
  }

  private func forEachNumber(_ body: (DecimalNumber) -> Void) throws {
    try forEachBytes { body(try number($0)) }
  }

  private func number(_ bytes: UnsafeRawBufferPointer) throws -> DecimalNumber {
    guard let number = DecimalNumber(bytes) else { throw try unreadable(bytes) }
    return number
  }
}

/// The exact sum of decimals.
package struct DecimalSum {
  /// The exponent of ten of the first column.
  private static let least = -128
  /// The number of digits that every mantissa can hold.
  private static let precision = 38

  /// The digit sums of each power of ten; enough columns for the greatest decimals.
  private var columns = [Int](repeating: 0, count: 320)
  package private(set) var count = 0

  init() {}

  /// Makes a sum that was computed elsewhere.
  ///
  /// - Parameters:
  ///   - text: An optional sign, digits, and at most one point.
  ///   - count: The number of values.
  package init(_ text: String, count: Int) {
    self.count = count
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let integers = digits.prefix { $0 != UInt8(ascii: ".") }
    var place = integers.count - 1 - Self.least
    for byte in digits where byte != UInt8(ascii: ".") {
      defer { place -= 1 }
      let digit = Int(byte) - Int(UInt8(ascii: "0"))
      if digit == 0 { continue }
      guard columns.indices.contains(place) else { continue }
      columns[place] = text.hasPrefix("-") ? -digit : digit
    }
  }

  mutating func add(_ number: DecimalNumber) {
    var rest = number.mantissa
    var place = number.exponent - Self.least
    while rest != 0 {
      let digit = Int(rest % 10)
      columns[place] += number.isNegative ? -digit : digit
      rest /= 10
      place += 1
    }
    count += 1
  }

  /// Returns the sum divided by a number, with halves rounded away from zero; nil when it exceeds
  /// the greatest decimal.
  package func divided(by divisor: Int) -> Decimal? {
    let total = digits()
    var remainder = 0
    var quotient: [Int] = []
    for digit in total.digits {
      let (next, rest) = (remainder * 10 + digit).quotientAndRemainder(dividingBy: divisor)
      remainder = rest
      if next != 0 || !quotient.isEmpty { quotient.append(next) }
    }
    let sign = total.isNegative ? "-" : ""
    let text = quotient.map { "\($0)" }.joined()
    if remainder == 0, let exact = DecimalNumber("\(sign)0\(text)E\(Self.least)") {
      return exact.decimal
    }
    let kept = Swift.min(Self.precision, quotient.count)
    let roundsUp = kept < quotient.count ? quotient[kept] >= 5 : remainder * 2 >= divisor
    let mantissa = (UInt128(text.prefix(kept)) ?? 0) + (roundsUp ? 1 : 0)
    let exponent = quotient.count - kept + Self.least
    return DecimalNumber("\(sign)\(mantissa)E\(exponent)")?.decimal
  }

  /// Returns the digits of the sum, most significant first.
  private func digits() -> (digits: [Int], isNegative: Bool) {
    func carried(_ columns: [Int]) -> (digits: [Int], carry: Int) {
      var carry = 0
      var digits: [Int] = []
      for column in columns {
        let value = column + carry
        let digit = (value % 10 + 10) % 10
        carry = (value - digit) / 10
        digits.append(digit)
      }
      return (digits.reversed(), carry)
    }
    let sum = carried(columns)
    return sum.carry < 0 ? (carried(columns.map { -$0 }).digits, true) : (sum.digits, false)
  }
}
