/// The nearest objects among those that a comparison passes.
///
/// Of two objects at one distance, the lower ID is nearer.
struct NearestObjects {
  private let maxCount: Int
  /// The nearest objects so far, and some others.
  private var found: [(distance: Float, id: UInt64)] = []
  /// Objects that are farther away are not among the nearest.
  private var bound = Float.infinity
  /// Number of vectors that were compared.
  private(set) var comparedCount = 0

  /// - Parameter maxCount: The number of objects to keep, at least 1.
  init(maxCount: Int) {
    self.maxCount = maxCount
  }

  mutating func add(_ id: UInt64, _ distance: Float) {
    comparedCount += 1
    guard distance <= bound else { return }
    found.append((distance, id))
    // Sorting now and then costs less than keeping the order with each object.
    if found.count / 2 > maxCount, found.count > 64 { prune() }
  }

  private mutating func prune() {
    found.sort { $0.distance < $1.distance || ($0.distance == $1.distance && $0.id < $1.id) }
    guard found.count > maxCount else { return }
    found.removeLast(found.count - maxCount)
    bound = found[maxCount - 1].distance
  }

  /// Returns the nearest objects, nearest first.
  mutating func ids() -> [UInt64] {
    prune()
    return found.map(\.id)
  }
}
