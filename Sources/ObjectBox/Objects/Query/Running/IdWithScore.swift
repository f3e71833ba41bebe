/// The ID of a result of a nearest-neighbour search, and how near it is.
///
/// A class for source compatibility; it never changes.
public final class IdWithScore: Sendable {
  /// The object ID.
  public let id: Id
  /// The less, the nearer; see ``Query/findWithScores(offset:limit:)``.
  public let score: Double

  init(id: Id, score: Double) {
    self.id = id
    self.score = score
  }
}
