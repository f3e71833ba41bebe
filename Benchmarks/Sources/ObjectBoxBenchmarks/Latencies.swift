import Foundation

/// A histogram of latencies, with 16 buckets for each power of two.
struct Latencies {
  private static let steps = 16
  private var buckets = [Int](repeating: 0, count: 64 * steps)
  private(set) var count = 0
  private(set) var overAMillisecond = 0
  private(set) var greatest = 0

  mutating func add(_ nanoseconds: Int) {
    let value = max(nanoseconds, Self.steps)
    let power = Int.bitWidth - 1 - value.leadingZeroBitCount
    buckets[power * Self.steps + (value >> (power - 4)) % Self.steps] += 1
    count += 1
    if nanoseconds > 1_000_000 { overAMillisecond += 1 }
    greatest = max(greatest, nanoseconds)
  }

  mutating func merge(_ other: Latencies) {
    for bucket in buckets.indices { buckets[bucket] += other.buckets[bucket] }
    count += other.count
    overAMillisecond += other.overAMillisecond
    greatest = max(greatest, other.greatest)
  }

  /// Returns a quantile in nanoseconds: the middle of its bucket.
  func quantile(_ part: Double) -> Double {
    let rank = Int(Double(count) * part)
    var seen = 0
    for (bucket, found) in buckets.enumerated() {
      seen += found
      guard seen > rank else { continue }
      let (power, step) = bucket.quotientAndRemainder(dividingBy: Self.steps)
      return scalbn(1 + (Double(step) + 0.5) / Double(Self.steps), power)
    }
    return Double(greatest)
  }

  /// The time of a monotonic clock in nanoseconds; the peers use the same clock.
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}
