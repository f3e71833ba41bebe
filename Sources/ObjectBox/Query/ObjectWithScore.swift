/// A result of a nearest-neighbour search, and its score.
///
/// A class for source compatibility; it is immutable.
public final class ObjectWithScore<E> {
  /// The object, a new instance.
  public let object: E
  /// The score, lower for nearer vectors; see ``Query/findWithScores(offset:limit:)``.
  public let score: Double

  package init(object: E, score: Double) {
    self.object = object
    self.score = score
  }
}
