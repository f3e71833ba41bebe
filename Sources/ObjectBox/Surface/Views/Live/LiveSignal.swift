/// What a live view shares with the threads that commit and close: its read transaction, and the job that
/// moves it.
///
/// After a commit one job is sent to the isolation of the view; commits that follow before it begins send
/// none. A class, since both sides share it.
final class LiveSignal: Sendable {
  /// The view; touched in its isolation only, where nobody else releases it.
  ///
  /// Invariant of `@unchecked Sendable`: as said.
  private struct View: @unchecked Sendable {
    weak var live: LiveStore?
  }

  private struct State {
    var view = View()
    var pin: PinnedRead?
    var hasJob = false
    var isEnded = false
  }

  let isolation: LiveIsolation
  private let core: OpenStore
  private let state = Guarded(State())

  init(_ isolation: LiveIsolation, _ core: OpenStore) {
    self.isolation = isolation
    self.core = core
  }

  /// The view, for code in its isolation.
  var live: LiveStore? { state.withLock { $0.view.live } }

  func setLive(_ live: LiveStore) {
    state.withLock { $0.view.live = live }
  }

  // MARK: Reading

  /// What the view reads from; nil when it does not read yet.
  var pin: PinnedRead? { state.withLock(\.pin) }

  func setPin(_ pin: PinnedRead?) {
    // Released outside of the lock: its end may close the file.
    let old = state.withLock { state in
      defer { state.pin = state.isEnded ? nil : pin }
      return state.pin
    }
    // A snapshot may go on reading from it.
    old?.handOver()
  }

  // MARK: Commits

  /// Hears of all commits until the store closes.
  func listen() -> NotificationToken {
    core.commits.subscribe(
      CommitSignal { [weak self] in self?.call() },
      to: CommitInterest(includesSilentCommits: true),
      owner: ObjectIdentifier(core)
    ) { [weak self] in self?.end() }
  }

  /// Sends the job, unless it is on its way.
  func call() {
    guard let target = isolation.callbackTarget else { return }
    let sends = state.withLock { state in
      defer { state.hasJob = true }
      return !state.hasJob && !state.isEnded
    }
    guard sends else { return }
    target.send { [weak self] in
      guard let self else { return }
      // A commit from now on sends another job.
      state.withLock { $0.hasJob = false }
      live?.comeAlong()
    }
  }

  /// Releases what the view reads from: the store closes, or the view is gone.
  private func end() {
    state.withLock { $0.isEnded = true }
    setPin(nil)
  }
}
