/// A limit of an amount per time, as a token bucket.
///
/// A value without a clock: the present time is an argument.
struct Pace: Sendable {
  /// The tokens in a full bucket.
  let capacity: Double
  /// The tokens that are added each second.
  let rate: Double
  /// The present tokens; negative while tokens were taken in advance.
  private var level: Double
  private var last: ContinuousClock.Instant

  /// Creates a full bucket.
  ///
  /// - Parameters:
  ///   - rate: The tokens that are added each second, above 0.
  ///   - capacity: The tokens that can be taken at once, at least 1.
  ///   - now: The present time.
  init(rate: Double, capacity: Double, at now: ContinuousClock.Instant) {
    self.rate = rate
    self.capacity = capacity
    level = capacity
    last = now
  }

  /// Takes tokens, in advance if the bucket has too few.
  ///
  /// - Parameters:
  ///   - amount: The tokens; an amount above the capacity counts as the capacity.
  ///   - now: The present time.
  /// - Returns: The time to wait until the bucket covers them; nil if it does now.
  mutating func take(_ amount: Int, at now: ContinuousClock.Instant) -> Duration? {
    refill(at: now)
    level -= min(Double(amount), capacity)
    return level < 0 ? .seconds(-level / rate) : nil
  }

  /// Returns true if the bucket is full again.
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
