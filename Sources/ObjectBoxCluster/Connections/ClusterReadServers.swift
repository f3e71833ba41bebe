/// The servers that a block reads from.
public struct ClusterReadServers: Sendable {
  enum Choice: Sendable {
    case primary
    case replica(maximumLag: Duration)
  }

  let choice: Choice

  /// The server that the address names, which has all commits.
  public static let primary = Self(choice: .primary)

  /// A replica, which takes work from the primary and shows a state that may be a little older.
  ///
  /// The replica must have every commit that was done when the primary was last asked, which is at most
  /// `maximumLag` ago; the primary is asked once in half that time, for all reads. Where no replica is so new, the
  /// block reads from the primary.
  ///
  /// - Parameter maximumLag: The greatest age of what is read.
  /// - Returns: The choice.
  public static func replica(maximumLag: Duration) -> Self {
    Self(choice: .replica(maximumLag: maximumLag))
  }
}
