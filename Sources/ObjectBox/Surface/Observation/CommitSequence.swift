/// The commits of a store, for one loop: all of them, in their order.
///
/// It begins when the sequence is made, and ends with the sequence and its loop, with its token, with the
/// task, and with the store instance. Commits wait in memory until the loop takes them. Those of other
/// processes are not told; those that leave observers out are.
public struct CommitSequence: AsyncSequence, Sendable {
  /// What a commit has changed.
  public typealias Element = CommitRecord
  /// None.
  public typealias Failure = Never

  /// The number of the last commit that is not told.
  public let start: Int
  /// Names the subscription.
  public let token: NotificationToken
  private let stream: AsyncStream<CommitRecord>

  init(_ store: Store, after version: Int?) throws {
    try store.checkCanObserve()
    let (stream, continuation) = AsyncStream<CommitRecord>.makeStream()
    let log = CommitLog(store.core, continuation)
    let token = store.subscribe(log, to: ChangeInterest.everything.commits) {
      continuation.finish()
    }
    continuation.onTermination = { [weak token] _ in token?.invalidate() }
    // Every commit that this does not see is told.
    let newest = try PinnedRead(store.transactions, .live).version
    if let version, version < newest {
      throw ObjectBoxError.illegalArgument(
        message:
          "the commits after version \(version) of the store at '\(store.directoryPath)' are not "
          + "known any more: the newest version is \(newest); read what you need, and go on from "
          + "there"
      )
    }
    let start = Swift.max(version ?? newest, newest)
    log.begin(after: start)
    self.start = start
    self.token = token
    self.stream = stream
  }

  /// Begins the loop.
  public func makeAsyncIterator() -> Iterator {
    Iterator(token: token, records: stream.makeAsyncIterator())
  }

  /// The loop.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let token: NotificationToken
    fileprivate var records: AsyncStream<CommitRecord>.Iterator

    /// Waits for the next commit; nil at the end.
    public mutating func next() async -> CommitRecord? { await next(isolation: nil) }

    /// Waits for the next commit; nil at the end.
    ///
    /// - Parameter actor: The caller's.
    /// - Returns: What it has changed.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> CommitRecord? {
      await records.next(isolation: actor)
    }
  }
}

/// Passes commits on, each as one however many transactions it is made of.
///
/// A class, since it guards shared state.
private final class CommitLog: CommitListener {
  private struct State {
    /// Nil as long as that is not known.
    var start: Int?
    /// What came before it was known.
    var early: [CommitRecord] = []
    /// The transactions so far of a commit.
    var entities: [Int: EntityChanges] = [:]
  }

  private let core: OpenStore
  private let continuation: AsyncStream<CommitRecord>.Continuation
  private let state = Guarded(State())

  init(_ core: OpenStore, _ continuation: AsyncStream<CommitRecord>.Continuation) {
    self.core = core
    self.continuation = continuation
  }

  /// Says which commits are not of interest.
  func begin(after start: Int) {
    state.withLock { state in
      state.start = start
      for record in state.early where record.version > start { continuation.yield(record) }
      state.early = []
    }
  }

  func didCommit(_ commit: CommitSummary, isSkipped: Bool) {
    state.withLock { state in
      state.entities.formUnion(commit.changes)
      guard commit.isLastOfVersion else { return }
      let entities = state.entities.filter { !$0.value.isEmpty }
      state.entities = [:]
      guard !entities.isEmpty else { return }
      let record = CommitRecord(version: commit.version, entities, in: core.file)
      if let start = state.start {
        if record.version > start { continuation.yield(record) }
      } else {
        state.early.append(record)
      }
    }
  }
}

extension Store {
  /// Returns the commits from now on, for a loop.
  ///
  /// To miss nothing, make the sequence first, and then read what is there: commits whose version is not
  /// above that of the read are part of it.
  ///
  ///     let commits = try store.commits()
  ///     let version = try store.read { transaction in
  ///       try copy(transaction.all(Person.self))
  ///       return try transaction.version()
  ///     }
  ///     for await commit in commits where commit.version > version { try await send(commit) }
  ///
  /// - Parameter version: The last commit that is known to the caller; nil for the newest. Past commits are
  ///   not kept: when there are others after it already, this throws.
  /// - Returns: All commits after it.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` when there are newer commits already,
  ///   `observerAfterChanges` in a write transaction that has changed something, `closed`.
  public func commits(after version: Int? = nil) throws -> CommitSequence {
    try CommitSequence(self, after: version)
  }
}
