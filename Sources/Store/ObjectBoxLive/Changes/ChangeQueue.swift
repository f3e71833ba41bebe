internal import ObjectBox

/// The steps of one observer, in the order of the commits.
///
/// A queue connects commits with one observer: the handler of `observe`, a loop over a sequence, or
/// an observer of a live view. It notes what each commit changed and computes steps only on demand.
/// Between steps it pins no version.
///
/// For each commit, the commit hub calls on the committing thread, one commit at a time:
///
/// 1. ``willCommit(_:isSkipped:)`` before readers can see the commit. The queue adds the relevant changes to `pending`.
/// 2. ``didCommit(_:isSkipped:)`` when the commit is the newest version, or ``didNotCommit(version:)`` when it failed,
///    which withdraws the changes. The queue notifies the observer that there may be a step: it returns the handler's
///    delivery or calls a function.
///
/// Later, on its own thread or actor, the observer asks for the step with `next()`. The queue pins
/// the newest version, sums the pending changes up to exactly that version, lets the tracker
/// compute the step, and drops these changes. Commits that came later stay pending. An observer of
/// a live view passes the version that it shows to ``next(at:)`` instead; ``keepApart()`` and
/// ``fold()`` enclose its move.
///
/// A silent commit, which leaves this observer out, is different. Before it, on the committing
/// thread, the queue computes the step to the previous version and stores it. After it, the queue
/// moves past the silent changes, so no step contains them. Both run the query on the committing
/// thread.
///
/// Invariant: versions of `pending` ascend. While a reader pins a version, changes are not
/// folded, because a step may end between them. An error loses nothing: the changes stay for the
/// next step. `progress` is locked before `pending`.
final class ChangeQueue<Tracker: ObserverTracker>: CommitListener {
  private struct Progress {
    var tracker: Tracker
    var hasBegun = false
    var isEnded = false
    /// Steps that were computed around silent commits, oldest first.
    var steps: [Tracker.Step] = []
  }

  let interest: ChangeInterest
  private let openStore: OpenStore
  private let progress: Guarded<Progress>
  // Lock order: `progress` before `pending`.
  private let pending = Guarded(PendingChanges())
  private let news = Guarded<News?>(nil)

  /// How the observer learns that there may be a step.
  enum News: Sendable {
    /// Calls the handler, together with handlers of other observers of the commit.
    case delivery(Delivery)
    /// Calls the function, on any thread; it must return at once.
    case call(@Sendable () -> Void)
  }

  init(_ openStore: OpenStore, _ tracker: Tracker) {
    self.openStore = openStore
    interest = tracker.interest
    progress = Guarded(Progress(tracker: tracker))
  }

  /// Sets how the observer learns of possible steps.
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

  /// Returns the next step, with its version if that is the newest; nil when there is none.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be read; no change is lost.
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

  /// Tells the observer if there may be a step; called by its handler.
  func signal() {
    let hasNews = progress.withLock { progress in
      !progress.isEnded
        && (!progress.hasBegun || !progress.steps.isEmpty || !pending.withLock(\.isEmpty))
    }
    if hasNews { tellNews()?.requestAnother() }
  }

  /// Tells the observer that there may be a step, or returns the handler to call.
  private func tellNews() -> Delivery? {
    switch news.copy {
    case .delivery(let delivery): return delivery
    case .call(let call): call()
    case nil: break
    }
    return nil
  }

  // MARK: Observers with versions of their own

  /// Suspends folding of changes: the observer is about to pin a version and ask for the step to
  /// it.
  ///
  /// Balance each call with `fold()`.
  func keepApart() {
    pending.withLock { $0.readerCount += 1 }
  }

  /// Allows folding of changes again.
  func fold() {
    pending.withLock { $0.readerCount -= 1 }
  }

  /// Adds unknown commits up to a version: those after the observer's version and before the queue
  /// began.
  func addUnknown(upTo version: Int) {
    pending.withLock { $0.addUnknown(upTo: version, interest.tables ?? []) }
  }

  /// Returns the next step up to the version that the observer has pinned; nil when there is none.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be read; no change is lost.
  func next(at pin: PinnedRead) throws -> Tracker.Step? {
    try progress.withLock { progress in
      if progress.steps.isEmpty { try advance(&progress, to: pin) }
      return progress.steps.isEmpty ? nil : progress.steps.removeFirst()
    }
  }

  /// Returns the result of a body that reads the queue; nil when it throws, which is reported as an
  /// unheard failure.
  func reading<T>(_ body: () throws -> T?) -> T? {
    do { return try body() } catch {
      openStore.failures.tell(.observation, error)
      return nil
    }
  }

  var isEnded: Bool { progress.withLock(\.isEnded) }

  /// True when no step can follow: the queue has ended, or the observed object was removed.
  var isAtEnd: Bool {
    progress.withLock { progress in
      progress.isEnded
        || (progress.hasBegun && progress.steps.isEmpty && progress.tracker.isOver)
    }
  }

  /// Ends the queue; no steps follow.
  func end() {
    progress.withLock { progress in
      progress.isEnded = true
      progress.steps = []
    }
    pending.withLock { $0 = PendingChanges() }
    _ = news.take()
  }

  /// Passes the newest version to a body; folding is suspended meanwhile.
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
    // Each transaction of a commit calls this; the last call sees the changes of all.
    if isSkipped { catchUp() }
    return tellNews()
  }

  /// Computes the step to the newest version, which cannot change meanwhile.
  ///
  /// After an error, such as too many readers, the changes stay for the next step.
  private func catchUp() {
    _ = reading {
      try progress.withLock { progress in
        guard progress.hasBegun, !progress.isEnded, !pending.withLock(\.isEmpty) else { return }
        try withPin { try advance(&progress, to: $0) }
      }
    }
  }
}
