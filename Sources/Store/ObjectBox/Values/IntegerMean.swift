extension Int128 {
  /// Returns the mean of integers of 64 bits that have this sum: the quotient, rounded once.
  ///
  /// - Parameter count: The number of the integers, at least 1.
  /// - Returns: The number of double precision next to the quotient.
  package func mean(of count: Int) -> Double {
    let divisor = UInt128(count)
    // A quotient of 56 bits or more: bits after the 53 of a result only round it.
    let shift = Swift.max(0, 56 + magnitude.leadingZeroBitCount - divisor.leadingZeroBitCount)
    let (quotient, rest) = (magnitude << shift).quotientAndRemainder(dividingBy: divisor)
    // The last bit stands for the rest: it decides only in the middle between two results.
    let digits = UInt64(clamping: quotient) | (rest == 0 ? 0 : 1)
    return Double(
      sign: self < 0 ? .minus : .plus,
      exponent: -shift,
      significand: Double(digits)
    )
  }
}
