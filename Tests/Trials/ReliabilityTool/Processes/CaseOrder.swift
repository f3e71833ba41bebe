import ObjectBoxTestSupport

/// The order in which a run takes the cases of a trial.
enum CaseOrder {
  /// Returns the numbers of all cases in their order.
  ///
  /// - Parameters:
  ///   - count: The number of cases.
  ///   - isShuffled: True for a timed run, whose time may end before its cases: each part of a
  ///     shuffled order has all kinds of cases.
  ///   - seed: The seed of the run.
  /// - Returns: The numbers.
  static func numbers(_ count: Int, isShuffled: Bool, seed: Int) -> [Int] {
    guard isShuffled else { return Array(0..<count) }
    var random = SplitMix(seed: seed &* 104_729)
    return (0..<count).shuffled(using: &random)
  }
}
