/// The delays between attempts, each about twice the previous one.
///
/// Each delay is random, between half of its length and all of it, so that programs that failed
/// together do not retry together.
struct Backoff: Sendable {
  private var next: Duration
  private let longest: Duration

  init(from first: Duration, to longest: Duration) {
    next = first
    self.longest = longest
  }

  /// The delays between attempts to connect.
  static let connecting = Backoff(from: .milliseconds(20), to: .milliseconds(500))
  /// The delays between attempts of a transaction that conflicts with others.
  static let conflicts = Backoff(from: .milliseconds(1), to: .milliseconds(200))

  /// Waits for the next delay.
  ///
  /// - Throws: `CancellationError`.
  mutating func wait() async throws {
    let time = next * Double.random(in: 0.5...1)
    next = min(next * 2, longest)
    try await Task.sleep(for: time)
  }
}
