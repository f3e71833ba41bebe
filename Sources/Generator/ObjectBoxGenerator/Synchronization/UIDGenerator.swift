/// Draws new UIDs: positive 63-bit numbers whose lowest 8 bits are 0.
package struct UIDGenerator: Sendable {
  private static let maximumDraws = 1000
  /// Start of the counter of the deterministic sequence, and the step of each draw.
  private static let firstCount: UInt64 = 13762
  private static let step: UInt64 = 999
  private static let mask: UInt64 = ~0xFF

  private var counter: UInt64?
  /// UID of the last draw, free or not; 0 before the first draw.
  private(set) var lastDrawn: UInt64 = 0

  /// Makes a generator; `isDeterministic` makes it count instead of drawing at random, for
  /// `--debug-parsetree`.
  package init(isDeterministic: Bool) {
    counter = isDeterministic ? Self.firstCount : nil
  }

  /// Returns a UID that is not in `known`; nil when 1000 draws found none.
  mutating func next(excluding known: Set<UInt64>) -> UInt64? {
    for _ in 0..<Self.maximumDraws {
      let uid = draw()
      lastDrawn = uid
      if uid != 0, !known.contains(uid) { return uid }
    }
    return nil
  }

  private mutating func draw() -> UInt64 {
    guard let counter else { return UInt64.random(in: 1...UInt64(Int64.max)) & Self.mask }
    self.counter = counter + Self.step
    return (counter + Self.step) & Self.mask
  }
}
