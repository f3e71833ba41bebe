/// The servers that a block reads from.
public struct ClusterReadServers: Sendable {
  enum Choice: Sendable {
    case primary
    case replica(maximumLag: Duration)
  }

  let choice: Choice

  /// The server of the address, which has all commits.
  public static let primary = Self(choice: .primary)

  /// A replica, whose state may be slightly older than the primary's.
  ///
  /// The replica must have every commit that was complete when the primary was last asked, at most
  /// `maximumLag` ago. The primary is asked once per half of `maximumLag`, for all reads. If no
  /// replica is recent enough, the block reads from the primary.
  ///
  /// - Parameter maximumLag: The greatest age of the state that is read.
  /// - Returns: The choice.
  public static func replica(maximumLag: Duration) -> Self {
    Self(choice: .replica(maximumLag: maximumLag))
  }
}
