/// A limit of an amount per time, as a bucket of tokens.
///
/// A pure value: the present time comes in as an argument.
struct Pace: Sendable {
  /// The tokens of a full bucket.
  let capacity: Double
  /// The tokens that a second adds.
  let rate: Double
  /// The present tokens; negative while what was taken is not covered.
  private var level: Double
  private var last: ContinuousClock.Instant

  /// Begins with a full bucket.
  ///
  /// - Parameters:
  ///   - rate: The tokens that a second adds, above 0.
  ///   - capacity: The tokens that can be taken at once, at least 1.
  ///   - now: The present time.
  init(rate: Double, capacity: Double, at now: ContinuousClock.Instant) {
    self.rate = rate
    self.capacity = capacity
    level = capacity
    last = now
  }

  /// Takes tokens, in advance if there are too few.
  ///
  /// - Parameters:
  ///   - amount: The tokens; more than the capacity counts as the capacity.
  ///   - now: The present time.
  /// - Returns: The time to wait until they are covered; nil for none.
  mutating func take(_ amount: Int, at now: ContinuousClock.Instant) -> Duration? {
    refill(at: now)
    level -= min(Double(amount), capacity)
    return level < 0 ? .seconds(-level / rate) : nil
  }

  /// Returns true if nothing was taken that time has not given back.
  mutating func isFull(at now: ContinuousClock.Instant) -> Bool {
    refill(at: now)
    return level >= capacity
  }

  private mutating func refill(at now: ContinuousClock.Instant) {
    guard now > last else { return }
    let (seconds, attoseconds) = (now - last).components
    level = min(capacity, level + (Double(seconds) + Double(attoseconds) / 1e18) * rate)
    last = now
  }
}
