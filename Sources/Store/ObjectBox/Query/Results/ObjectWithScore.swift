/// A result of a nearest-neighbour search, and its score.
///
/// A class for source compatibility; it is immutable.
public final class ObjectWithScore<E> {
  /// The object, a new instance.
  public let object: E
  /// The score, lower for nearer vectors; see ``Query/findWithScores(offset:limit:)``.
  public let score: Double
  /// The query's searches for words; nil for an object that was not read from a store.
  package let words: FoundWords?

  package init(object: E, score: Double, words: FoundWords? = nil) {
    self.object = object
    self.score = score
    self.words = words
  }
}
