/// The rank of a write in conflicts that a clock decides.
///
/// Stamps are compared by precedence, then by time, then by token, so that no two transactions tie.
package struct Stamp: Hashable, Comparable, Sendable {
  /// The value of the entity's precedence property, or 0 without one.
  package let precedence: Int64
  /// The time of the write; the server cuts down times from the future.
  package let time: HybridTime
  /// The writing transaction.
  package let token: TransactionToken

  /// Creates the stamp of a write.
  package init(precedence: Int64 = 0, time: HybridTime, token: TransactionToken) {
    self.precedence = precedence
    self.time = time
    self.token = token
  }

  /// The stamp of objects that no device wrote.
  package static let none = Stamp(
    time: .distantPast,
    token: TransactionToken(Identifier128(high: 0, low: 0))
  )

  /// Orders stamps; the greater stamp wins.
  package static func < (left: Self, right: Self) -> Bool {
    if left.precedence != right.precedence { return left.precedence < right.precedence }
    return left.time != right.time ? left.time < right.time : left.token < right.token
  }
}
