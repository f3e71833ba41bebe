internal import ObjectBox

/// The steps of one observer, in the order of the commits.
///
/// It notes each commit, and computes a step on demand: at the newest version, over all commits up to exactly
/// that one. Between steps it keeps no version alive. Silent commits make it compute on the committing
/// thread: before such a commit it stores older changes as a step, and after it passes over the silent ones
/// before the next commit can follow.
///
/// A class, since commits, the observer and its end share it.
final class ChangeQueue<Tracker: ChangeTracking>: CommitListener {
  private struct Progress {
    var tracker: Tracker
    var hasBegun = false
    var isEnded = false
    /// Steps that were computed before silent commits, the oldest first.
    var steps: [Tracker.Step] = []
  }

  let interest: ChangeInterest
  private let openStore: OpenStore
  private let progress: Guarded<Progress>
  // Lock order: `progress` first, then this.
  private let pending = Guarded(PendingChanges())
  private let news = Guarded<News?>(nil)

  /// The way in which the observer learns that there may be a step to take.
  enum News: Sendable {
    /// The handler is called, together with those of other observers of the commit.
    case delivery(Delivery)
    /// The function is called, on any thread; it must return at once.
    case call(@Sendable () -> Void)
  }

  init(_ openStore: OpenStore, _ tracker: Tracker) {
    self.openStore = openStore
    interest = tracker.interest
    progress = Guarded(Progress(tracker: tracker))
  }

  /// Sets the way in which the observer learns of news.
  func setNews(_ news: News) {
    self.news.withLock { $0 = news }
  }

  // MARK: Calls of the observer

  /// Begins at the newest version, unless it has begun.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  func begin() throws {
    try progress.withLock { progress in
      try withPin { try advance(&progress, to: $0) }
    }
  }

  /// Returns the next step, and its version if that is the newest; nil when there is none.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be read; nothing is lost then.
  func next() throws -> (step: Tracker.Step, pin: PinnedRead?)? {
    try progress.withLock { progress in
      if !progress.steps.isEmpty { return (progress.steps.removeFirst(), nil) }
      guard !progress.isEnded, !progress.hasBegun || !pending.withLock(\.isEmpty) else {
        return nil
      }
      return try withPin { pin in
        try advance(&progress, to: pin)
        return progress.steps.isEmpty ? nil : (progress.steps.removeFirst(), pin)
      }
    }
  }

  /// Tells the observer when there may be a step to take.
  func signal() {
    let hasNews = progress.withLock { progress in
      !progress.isEnded
        && (!progress.hasBegun || !progress.steps.isEmpty || !pending.withLock(\.isEmpty))
    }
    if hasNews { tellNews()?.request() }
  }

  /// Tells the observer that there may be a step to take, or returns the handler to call.
  private func tellNews() -> Delivery? {
    switch news.copy {
    case .delivery(let delivery): return delivery
    case .call(let call): call()
    case nil: break
    }
    return nil
  }

  // MARK: Observers with versions of their own

  /// Suspends folding of changes, since the observer is about to pin a version and to ask for the step to
  /// it; balance each call with `fold()`.
  func keepApart() {
    pending.withLock { $0.readerCount += 1 }
  }

  /// Allows folding of changes again.
  func fold() {
    pending.withLock { $0.readerCount -= 1 }
  }

  /// Notes unknown commits up to a version: those between the observer's version and its beginning.
  func addUnknown(upTo version: Int) {
    pending.withLock { $0.addUnknown(upTo: version, interest.tables ?? []) }
  }

  /// Returns the next step to the version that the observer has pinned; nil when there is none.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be read; nothing is lost then.
  func next(at pin: PinnedRead) throws -> Tracker.Step? {
    try progress.withLock { progress in
      if progress.steps.isEmpty { try advance(&progress, to: pin) }
      return progress.steps.isEmpty ? nil : progress.steps.removeFirst()
    }
  }

  /// Returns the result of a body that reads the queue; nil when it throws, which counts as an unheard
  /// failure.
  func reading<T>(_ body: () throws -> T?) -> T? {
    do { return try body() } catch {
      openStore.failures.tell(.observation, error)
      return nil
    }
  }

  var isEnded: Bool { progress.withLock(\.isEnded) }

  /// True when no step can follow: the queue has ended, or the last step was the removal of the object.
  var isAtEnd: Bool {
    progress.withLock { progress in
      progress.isEnded
        || (progress.hasBegun && progress.steps.isEmpty && progress.tracker.isOver)
    }
  }

  /// Ends the queue: there are no more steps.
  func end() {
    progress.withLock { progress in
      progress.isEnded = true
      progress.steps = []
    }
    pending.withLock { $0 = PendingChanges() }
    news.clear()
  }

  /// Passes the newest version to a body, while folding is suspended.
  private func withPin<T>(_ body: (PinnedRead) throws -> T) throws -> T {
    keepApart()
    defer { fold() }
    return try body(try PinnedRead(openStore.transactions, .live))
  }

  private func advance(_ progress: inout Progress, to pin: PinnedRead) throws {
    guard !progress.isEnded else { return }
    let version = pin.version
    let step: Tracker.Step?
    if progress.hasBegun {
      guard let changes = pending.withLock({ $0.folded(upTo: version) }) else { return }
      step = try progress.tracker.advance(
        to: pin,
        by: changes.told,
        leavingOut: changes.silent
      )
    } else {
      step = try progress.tracker.begin(at: pin)
      progress.hasBegun = true
    }
    pending.withLock { $0.drop(upTo: version) }
    if let step { progress.steps.append(step) }
  }

  // MARK: Calls of commits

  func willCommit(_ commit: CommitSummary, isSkipped: Bool) {
    guard let part = interest.part(of: commit) else { return }
    if isSkipped { catchUp() }
    pending.withLock { $0.add(commit.version, part, isSilent: isSkipped) }
  }

  func didNotCommit(version: Int) {
    pending.withLock { $0.withdraw(version) }
  }

  func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery? {
    guard interest.part(of: commit) != nil else { return nil }
    // With several transactions in a commit, the last one does this, when all are known.
    if isSkipped { catchUp() }
    return tellNews()
  }

  /// Computes the step to the newest version, which cannot change meanwhile.
  ///
  /// After a failure, such as too many readers, the commits stay for the next step.
  private func catchUp() {
    _ = reading {
      try progress.withLock { progress in
        guard progress.hasBegun, !progress.isEnded, !pending.withLock(\.isEmpty) else { return }
        try withPin { try advance(&progress, to: $0) }
      }
    }
  }
}
