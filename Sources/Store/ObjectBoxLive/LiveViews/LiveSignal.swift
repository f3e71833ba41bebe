internal import ObjectBox

/// State that a live view shares with threads that commit or close the store: its read transaction,
/// and the job that moves the view.
///
/// A commit sends a job to the view's isolation, unless one is pending.
final class LiveSignal: Sendable {
  /// A weak reference to the view.
  ///
  /// Invariant of `@unchecked Sendable`: it is read in the isolation of the view only.
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
  private let openStore: OpenStore
  private let state = Guarded(State())

  init(_ isolation: LiveIsolation, _ openStore: OpenStore) {
    self.isolation = isolation
    self.openStore = openStore
  }

  /// The view, for code in its isolation.
  var live: LiveStore? { state.withLock { $0.view.live } }

  func setLive(_ live: LiveStore) {
    state.withLock { $0.view.live = live }
  }

  // MARK: Reading

  /// The read transaction of the view; nil before its first read.
  var pin: PinnedRead? { state.withLock(\.pin) }

  func setPin(_ pin: PinnedRead?) {
    // Released outside of the lock: its deinitializer may close the file.
    let old = state.withLock { state in
      defer { state.pin = state.isEnded ? nil : pin }
      return state.pin
    }
    // A snapshot may share the read transaction.
    old?.handOver()
  }

  // MARK: Commits

  /// Subscribes to all commits until the store closes.
  func listen() -> NotificationToken {
    openStore.commits.subscribe(
      CommitSignal { [weak self] in self?.call() },
      to: CommitInterest(includesSilentCommits: true),
      owner: ObjectIdentifier(openStore)
    ) { [weak self] in self?.end() }
  }

  /// Sends the job, unless it is pending.
  func call() {
    guard let target = isolation.callbackTarget else { return }
    let sends = state.withLock { state in
      defer { state.hasJob = true }
      return !state.hasJob && !state.isEnded
    }
    guard sends else { return }
    target.send { [weak self] in
      guard let self else { return }
      // A later commit sends another job.
      state.withLock { $0.hasJob = false }
      live?.followCommits()
    }
  }

  /// Releases the read transaction, when the store closes or the view is released.
  private func end() {
    state.withLock { $0.isEnded = true }
    setPin(nil)
  }
}
