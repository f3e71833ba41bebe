/// What one observer is to be told, in the order of the commits and one step at a time.
///
/// It takes note of each commit as that is made, and computes a step when it is asked for one: at the newest
/// version, over all commits up to exactly that one. Between steps it keeps no version alive. For silent
/// commits alone it computes on the committing thread: what is older is set aside as a step of its own before
/// the commit, and the silent one is passed over before the next can follow.
///
/// A class, since commits, the observer and its end meet in it.
final class ChangeQueue<Tracker: ChangeTracking>: CommitListener {
  private struct Progress {
    var tracker: Tracker
    var hasBegun = false
    var isEnded = false
    /// Steps that were set aside, the oldest first.
    var steps: [Tracker.Step] = []
  }

  private let core: OpenStore
  let interest: ChangeInterest
  private let progress: Guarded<Progress>
  // Touched inside of `progress` as well, never the other way round.
  private let pending = Guarded(PendingChanges())
  private let onNews = Guarded<(@Sendable () -> Void)?>(nil)

  init(_ core: OpenStore, _ tracker: Tracker) {
    self.core = core
    interest = tracker.interest
    progress = Guarded(Progress(tracker: tracker))
  }

  /// Sets what is called, on any thread, when there may be a step to take; must return at once.
  func setOnNews(_ onNews: @escaping @Sendable () -> Void) {
    self.onNews.withLock { $0 = onNews }
  }

  // MARK: The observer's side

  /// Begins at the newest version, unless it has begun.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  func begin() throws {
    try progress.withLock { progress in
      try withPin { try advance(&progress, to: $0) }
    }
  }

  /// Returns the next step, and the version it leads to if that is the newest; nil when there is none.
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

  // MARK: The side of an observer with a version of its own

  /// Keeps what is noted from now on apart, until `fold` is called as often: the observer is about to pin a
  /// version, and to ask for the step to it.
  func keepApart() {
    pending.withLock { $0.readerCount += 1 }
  }

  /// Allows what is noted to be put together.
  func fold() {
    pending.withLock { $0.readerCount -= 1 }
  }

  /// Takes note that commits up to a version have come before the beginning, and after the observer's own.
  func addUnknown(upTo version: Int) {
    pending.withLock { $0.addUnknown(upTo: version, interest.tables) }
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

  /// Returns what a body reads of it; nil when it throws, of which no observer can be told.
  func reading<T>(_ body: () throws -> T?) -> T? {
    do { return try body() } catch {
      core.failures.tell(.observation, error)
      return nil
    }
  }

  /// True when there may be a step to take.
  var hasNews: Bool {
    progress.withLock { progress in
      !progress.isEnded
        && (!progress.hasBegun || !progress.steps.isEmpty || !pending.withLock(\.isEmpty))
    }
  }

  var isEnded: Bool { progress.withLock(\.isEnded) }

  /// True when no step can come any more: it is ended, or all has been told of something that is gone.
  var isAtEnd: Bool {
    progress.withLock { progress in
      progress.isEnded
        || (progress.hasBegun && progress.steps.isEmpty && progress.tracker.isOver)
    }
  }

  /// Ends it: there are no more steps.
  func end() {
    progress.withLock { progress in
      progress.isEnded = true
      progress.steps = []
    }
    pending.withLock { $0 = PendingChanges() }
    let last = onNews.withLock { onNews in
      defer { onNews = nil }
      return onNews
    }
    withExtendedLifetime(last) {}
  }

  /// Passes the newest version to a body; what is noted meanwhile stays apart.
  private func withPin<T>(_ body: (PinnedRead) throws -> T) throws -> T {
    keepApart()
    defer { fold() }
    return try body(try PinnedRead(core.transactions, .live))
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

  // MARK: The committing side

  func willCommit(_ commit: CommitSummary, isSkipped: Bool) {
    guard let part = interest.part(of: commit) else { return }
    if isSkipped { catchUp() }
    pending.withLock { $0.add(commit.version, part, isSilent: isSkipped) }
  }

  func didNotCommit(version: Int) {
    pending.withLock { $0.withdraw(version) }
  }

  func didCommit(_ commit: CommitSummary, isSkipped: Bool) {
    guard interest.part(of: commit) != nil else { return }
    // With others in the same commit the last one counts, when all of them are known.
    if isSkipped { catchUp() }
    let onNews = onNews.withLock(\.self)
    onNews?()
  }

  /// Computes the step to the newest version, which nobody can leave behind meanwhile.
  ///
  /// When that fails, since there are too many readers, the commits stay for the next step.
  private func catchUp() {
    _ = reading {
      try progress.withLock { progress in
        guard progress.hasBegun, !progress.isEnded, !pending.withLock(\.isEmpty) else { return }
        try withPin { try advance(&progress, to: $0) }
      }
    }
  }
}
