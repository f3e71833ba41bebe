/// The ID of a result of a nearest-neighbour search, and its score.
///
/// A class for source compatibility; it is immutable.
public final class IdWithScore: Sendable {
  /// The object ID.
  public let id: Id
  /// The score, lower for nearer vectors; see ``Query/findWithScores(offset:limit:)``.
  public let score: Double

  package init(id: Id, score: Double) {
    self.id = id
    self.score = score
  }
}
