public import ObjectBox

/// The commits to a cluster: each once, in the order in which they became visible, for one loop.
///
///     for await commit in try await cluster.commits() {
///       if commit.needsRefresh || commit.changes["Person"] != nil { reload() }
///     }
///
/// The sequence begins when it is created, and ends with its loop, its task or the cluster. Commits wait in memory
/// until the loop takes them. After a lost connection the sequence continues where it stopped. If that is not possible,
/// the next commit has ``ClusterCommit/needsRefresh``.
public struct ClusterCommits: AsyncSequence, Sendable {
  /// The changes of a commit.
  public typealias Element = ClusterCommit
  /// Never throws.
  public typealias Failure = Never

  let stream: AsyncStream<ClusterCommit>

  /// Begins the loop.
  public func makeAsyncIterator() -> AsyncStream<ClusterCommit>.Iterator {
    stream.makeAsyncIterator()
  }
}

/// The changes of one entity's objects, for one loop; see ``ClusterCommits``.
public struct ClusterBoxChanges: AsyncSequence, Sendable {
  /// The changes of a commit.
  public enum Element: Hashable, Sendable {
    /// Objects that were put or removed.
    case changed(ids: [Id])
    /// Any object may have changed: all were removed, or commits were missed.
    case refresh
  }

  /// Never throws.
  public typealias Failure = Never

  let commits: ClusterCommits
  let entityName: String

  /// Begins the loop.
  public func makeAsyncIterator() -> Iterator {
    Iterator(commits: commits.makeAsyncIterator(), entityName: entityName)
  }

  /// The loop.
  public struct Iterator: AsyncIteratorProtocol {
    var commits: AsyncStream<ClusterCommit>.Iterator
    let entityName: String

    /// Waits for the next commit with changes of the entity; nil at the end.
    public mutating func next() async -> Element? { await next(isolation: nil) }

    /// Waits for the next commit with changes of the entity; nil at the end.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The changes of the commit.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let commit = await commits.next(isolation: actor) {
        if commit.needsRefresh { return .refresh }
        guard let changes = commit.changes[entityName] else { continue }
        return changes.hasRemovedAll ? .refresh : .changed(ids: changes.ids)
      }
      return nil
    }
  }
}

extension Cluster {
  /// Begins to follow the commits of all programs.
  ///
  /// All sequences of a cluster share one connection, opened for the first and closed after the
  /// last. The server notifies it a few milliseconds after a commit; without a notification it
  /// polls once a second.
  ///
  /// - Returns: The commits from now on.
  /// - Throws: ``ClusterError`` when the server cannot be reached.
  public func commits() async throws -> ClusterCommits {
    ClusterCommits(stream: try await changes.subscribe())
  }
}

extension ClusterBox {
  /// Begins to follow the changes of the entity's objects by all programs; see
  /// ``Cluster/commits()``.
  ///
  ///     for await change in try await people.changes() { show(change) }
  ///
  /// - Returns: The changes from now on.
  /// - Throws: ``ClusterError`` when the server cannot be reached.
  public func changes() async throws -> ClusterBoxChanges {
    ClusterBoxChanges(commits: try await cluster.commits(), entityName: E.entityInfo.entityName)
  }
}
