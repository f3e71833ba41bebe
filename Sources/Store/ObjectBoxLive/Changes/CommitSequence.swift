public import ObjectBox

/// The commits of a store, for one loop: all of them, in order.
///
/// Begins when it is made. Ends with the sequence and its loop, its token, the task, or the store
/// instance. Commits wait in memory until the loop takes them. Commits of other processes are not
/// included; commits that leave observers out are.
public struct CommitSequence: AsyncSequence, Sendable {
  /// The changes of a commit.
  public typealias Element = CommitRecord
  /// Never fails.
  public typealias Failure = Never

  /// The number of the last commit before the sequence began.
  public let start: Int
  /// The subscription.
  public let token: NotificationToken
  private let stream: AsyncStream<CommitRecord>

  init(_ store: Store, after version: Int?) throws {
    try store.checkCanObserve()
    let (stream, continuation) = AsyncStream<CommitRecord>.makeStream()
    let log = CommitLog(store.file, continuation)
    let token = store.subscribe(log, to: ChangeInterest.everything.commits) {
      continuation.finish()
    }
    continuation.onTermination = { [weak token] _ in token?.invalidate() }
    // The log contains every later commit. It may contain this one too, which the loop skips.
    let newest = try PinnedRead(store.transactions, .live).version
    if let version, version < newest {
      throw ObjectBoxError.illegalArgument(
        message:
          "the commits after version \(version) of the store at '\(store.directoryPath)' are not "
          + "known any more: the newest version is \(newest); read what you need, and go on from "
          + "there"
      )
    }
    start = Swift.max(version ?? newest, newest)
    self.token = token
    self.stream = stream
  }

  /// Begins the loop.
  public func makeAsyncIterator() -> Iterator {
    Iterator(start: start, token: token, records: stream.makeAsyncIterator())
  }

  /// The loop.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let start: Int
    fileprivate let token: NotificationToken
    fileprivate var records: AsyncStream<CommitRecord>.Iterator

    /// Waits for the next commit; nil at the end.
    public mutating func next() async -> CommitRecord? { await next(isolation: nil) }

    /// Waits for the next commit; nil at the end.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The changes of the commit.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> CommitRecord? {
      while let record = await records.next(isolation: actor) {
        if record.version > start { return record }
      }
      return nil
    }
  }
}

/// Collects the transactions of each commit in one record.
private final class CommitLog: CommitListener {
  private let file: StoreFile
  private let continuation: AsyncStream<CommitRecord>.Continuation
  /// The changes of the commit in progress.
  private let changes = Guarded<[Int: EntityChanges]>([:])

  init(_ file: StoreFile, _ continuation: AsyncStream<CommitRecord>.Continuation) {
    self.file = file
    self.continuation = continuation
  }

  func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery? {
    changes.withLock { changes in
      changes.formUnion(commit.changes)
      guard commit.isLastOfVersion else { return }
      let entities = changes.filter { !$0.value.isEmpty }
      changes = [:]
      if entities.isEmpty { return }
      continuation.yield(CommitRecord(version: commit.version, entities, in: file))
    }
    return nil
  }
}

extension Store {
  /// Returns the commits from now on, for a loop.
  ///
  /// To miss nothing, make the sequence before reading, and skip the commits up to the version of
  /// the read.
  ///
  ///     let commits = try store.commits()
  ///     let version = try store.read { transaction in
  ///       try copy(transaction.all(Person.self))
  ///       return try transaction.version()
  ///     }
  ///     for await commit in commits where commit.version > version { try await send(commit) }
  ///
  /// - Parameter version: The last commit that the caller knows; nil for the newest. Past commits
  ///   are not kept: this throws if a newer commit exists.
  /// - Returns: All commits after `version`.
  /// - Throws: `ObjectBoxError`: `illegalArgument` when newer commits exist, `observerAfterChanges`
  ///   in a write transaction that has changed something, `closed`.
  public func commits(after version: Int? = nil) throws -> CommitSequence {
    try CommitSequence(self, after: version)
  }
}
