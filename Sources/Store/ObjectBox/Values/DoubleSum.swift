/// A sum of floating point numbers with twice their precision.
@frozen @usableFromInline
package struct DoubleSum: Sendable {
  @usableFromInline var sum = 0.0
  /// The part that rounding took from the sum.
  @usableFromInline var rest = 0.0

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package mutating func add(_ number: Double) {
    let total = sum + number
    let part = total - sum
    rest += (sum - (total - part)) + (number - part)
    sum = total
  }

  /// Adds another sum.
  package mutating func add(_ other: DoubleSum) {
    add(other.sum)
    rest += other.rest
  }

  /// The rounded sum; the same NaN for all sums that are none.
  package var value: Double {
    // The rest of infinite sums is not a number.
    let value = sum.isFinite ? sum + rest : sum
    return value.isNaN ? .nan : value
  }
}
