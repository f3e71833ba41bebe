public import ObjectBox

/// A view of the store that follows commits, for one actor, serial queue or thread.
///
/// It shows one version until it moves to the newest: by `autorefresh` soon after each commit, by
/// `refresh`, and by its own writes. Its handles show the same version. The first read pins a
/// version, whose pages stay off the free list: while a view does not move, the file grows.
///
/// It may be used in its isolation only. The compiler ensures that where it can. Elsewhere,
/// functions that throw throw `ObjectBoxError.wrongIsolation(message:)`, and others stop the
/// process with the same text. Functions that read throw `ObjectBoxError.closed(message:)` when the
/// store is closed.
public final class LiveStore: StoreView, ReadableView {
  // How a view moves:
  //
  // A commit calls the view's `LiveSignal` on the committing thread. The signal sends a job to the
  // view's isolation, unless one is pending; a view of a thread gets no job. Everything else runs
  // in the view's isolation:
  //
  // 1. The job calls `followCommits`. While a write is open on the thread, it does nothing: the end
  //    of the write moves the view.
  // 2. `move` warns each observer, whose queue then stops folding changes. It renews the read
  //    transaction, or replaces it when a snapshot or a running body uses it, and increases
  //    `moveCount`. Handles compare this number with their last read, and read again when they are
  //    used.
  // 3. `deliver` passes the read transaction to each observer, which computes its steps up to
  //    exactly that version and calls its handler. Handlers may write, and may add or end
  //    observers; `refresh` does nothing inside a handler. Without `autorefresh` only this step
  //    runs, and observers learn that the view is behind.
  //
  // The view's own write begins with `follow`, which moves the view to the newest version and
  // delivers. After the commit, `didCommit` moves the view again; a job delivers later, so the
  // caller continues first. A handle that writes in another transaction sets `hasWritten`, and the
  // next read of the view catches up.
  //
  // Invariant: the read transaction changes in the isolation only, except that closing the
  // store releases it. If a snapshot shares it, it stays at its version. Each move increases
  // `moveCount`. Each `invalidate` increases `generation`; handles of an earlier generation are
  // invalid.

  /// The store; after a `close` of the instance that made the view, the view does not keep it open.
  public let store: Store
  /// The instance that made the view; retained because releasing it would close it.
  private let keeper: Store
  let signal: LiveSignal
  /// The call that made the view.
  private let site: CallSite
  private let subscription: NotificationToken
  private var followsCommits: Bool
  /// Increases whenever the view may show another version.
  private var moveCount = 0
  /// True when handles have written in a transaction that the view did not begin.
  private var hasWritten = false
  /// Increases with each `invalidate`.
  private(set) var generation = 0
  /// True when a snapshot shares the read transaction, which must then stay at its version.
  private var isPinShared = false
  /// True while observers are notified.
  private var isNotifying = false
  /// Weak: observers may retain the view.
  ///
  /// Their tokens retain the observers.
  var observers: [WeakLiveObserver] = []
  /// The open write transaction that the view began.
  weak var openWrite: WriteTransaction?
  let pendingWrites = PendingWrites()
  /// The reads that Observation tracks; nil on systems without Observation.
  let reads: (any ReadTracking)?
  private var lastResultsNumber = 0

  init(_ store: Store, _ signal: LiveSignal, _ site: CallSite) {
    keeper = store
    self.store = store.forReading()
    self.signal = signal
    self.site = site
    followsCommits = signal.isolation.canCallBack
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
      reads = TrackedReads()
    } else {
      reads = nil
    }
    subscription = signal.listen()
    signal.setLive(self)
  }

  deinit {
    subscription.invalidate()
  }

  /// False: it follows commits.
  public nonisolated var isFrozen: Bool { false }

  // MARK: Checking

  private var strayUse: ObjectBoxError {
    .wrongIsolation(
      message:
        "a live view of the store at '\(store.directoryPath)' was used outside of the actor, queue, task "
        + "or thread that it belongs to; make one here with store.live(), or pass frozen objects"
    )
  }

  /// Throws outside of the isolation, and when the store is closed.
  func checkUsable() throws {
    guard signal.isolation.isCurrent else { throw strayUse }
    if store.transactions.isClosed { throw store.closedError() }
  }

  /// Throws unless a write transaction is open on the thread.
  func checkWriting(_ work: String) throws {
    try checkUsable()
    guard !store.isInWriteTransaction else { return }
    throw ObjectBoxError.notInWriteTransaction(
      message: "\(work) outside of a write transaction; call it in 'live.write { _ in … }'"
    )
  }

  /// Stops the process outside of the isolation.
  func requireIsolation() {
    if !signal.isolation.isCurrent { fatalError("\(strayUse)") }
  }

  // MARK: Reading

  func reading<T>(_ body: (Store) throws -> T) throws -> T {
    try checkUsable()
    if store.isInWriteTransaction { return try body(store) }
    return try currentPin().reading { try body(store) }
  }

  /// A number that changes whenever the view may show another version.
  var epoch: Int {
    catchUpAfterHandleWrites()
    return moveCount
  }

  func currentPin() throws -> PinnedRead {
    catchUpAfterHandleWrites()
    if let pin = signal.pin { return pin }
    let pin = try newestPin()
    isPinShared = false
    moveCount += 1
    signal.setPin(pin)
    return pin
  }

  private func newestPin() throws -> PinnedRead {
    try PinnedRead(store.transactions, .live, site, movesByItself: followsCommits)
  }

  /// The number of the commit that the view shows.
  ///
  /// The first read begins at the newest commit. Throws `ObjectBoxError`:
  /// `wrongIsolation`, `closed`, `maxReadersExceeded`.
  public func version() throws -> Int {
    try checkUsable()
    return try currentPin().version
  }

  /// True while a write transaction is open on the calling thread; the view shows its changes.
  ///
  /// Stops the process outside of the view's isolation.
  public var isInWriteTransaction: Bool {
    requireIsolation()
    return store.isInWriteTransaction
  }

  // MARK: Moving

  /// Whether the view moves to the newest version by itself, soon after each commit.
  ///
  /// One job in the view's isolation moves it over several commits. True by default; always false
  /// for views of threads, which cannot be sent jobs. When false, observers are notified that a
  /// refresh is required. The view's own writes move it in any case. Debug builds warn on standard
  /// error when such a view has not moved for 1000 commits.
  ///
  /// Stops the process outside of the view's isolation.
  public var autorefresh: Bool {
    get {
      requireIsolation()
      return followsCommits
    }
    set {
      requireIsolation()
      followsCommits = newValue && signal.isolation.canCallBack
      signal.pin?.setMovesByItself(followsCommits)
      // Catches up with earlier commits.
      if followsCommits { signal.call() }
    }
  }

  /// Moves to the newest version, and notifies the view's observers.
  ///
  ///     let live = try store.live()
  ///     try store.box(for: Note.self).put(Note(title: "Milk"))
  ///     try live.refresh()  // the view shows the note
  ///
  /// - Returns: True when there was a newer version; false inside a write, and when an observer
  ///   calls this.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`, `maxReadersExceeded`.
  @discardableResult
  public func refresh() throws -> Bool {
    try checkUsable()
    if isNotifying || store.isInWriteTransaction { return false }
    if signal.pin == nil {
      _ = try currentPin()
      deliver()
      return true
    }
    let isNew = try move()
    deliver()
    return isNew
  }

  /// Moves to the newest version, and waits for the view's pending jobs of earlier commits.
  ///
  /// - Parameter isolation: The view's isolation; the caller's.
  /// - Returns: True when there was a newer version; false inside a write, and when the task is
  ///   cancelled.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`, `maxReadersExceeded`.
  @discardableResult
  public func asyncRefresh(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    if Task.isCancelled { return false }
    let isNew = try refresh()
    if let target = signal.isolation.callbackTarget {
      await withCheckedContinuation { continuation in
        target.send { continuation.resume() }
      }
    }
    return isNew && !Task.isCancelled
  }

  /// Moves to the newest version; does nothing before the first read.
  @discardableResult
  func move() throws -> Bool {
    guard let pin = signal.pin else { return false }
    guard try newestVersion() != pin.version else { return false }
    for observer in observers { observer.observer?.willMove() }
    // A read transaction that a snapshot or a running body uses is replaced, not renewed.
    if try isPinShared || !pin.renew() {
      signal.setPin(try newestPin())
      isPinShared = false
    }
    moveCount += 1
    return true
  }

  /// Moves to the newest version; reports an error to the store's handler of unheard failures.
  func moveOrTell() {
    do { try move() } catch { store.openStore.failures.tell(.liveView, error) }
  }

  /// Notes that a handle writes in the open transaction, which the view may not have begun.
  func didWrite() { hasWritten = true }

  /// Moves to the newest version if handles have written in a transaction that has ended.
  private func catchUpAfterHandleWrites() {
    guard hasWritten, !store.isInWriteTransaction, !store.transactions.isClosed else { return }
    hasWritten = false
    didCommit()
  }

  /// Moves to the newest version if the view shows an older version than the given one.
  func catchUp(to version: Int) throws {
    guard !store.isInWriteTransaction, try self.version() < version else { return }
    try move()
    deliver()
  }

  /// Moves the view after commits; called in its isolation.
  func followCommits() {
    // An open transaction moves the view at its end.
    guard !store.transactions.isClosed, !store.isInWriteTransaction else { return }
    if followsCommits { moveOrTell() }
    deliver()
  }

  /// True when something is notified after the view has moved.
  var hasObservers: Bool { !observers.isEmpty || reads?.isEmpty == false }

  /// Returns a number that no other results of the view have, for their tracked reads.
  func nextResultsNumber() -> Int {
    lastResultsNumber += 1
    return lastResultsNumber
  }

  /// Notifies the observers of changes up to the view's version, and Observation of tracked reads.
  func deliver() {
    guard !isNotifying, hasObservers else { return }
    isNotifying = true
    defer { isNotifying = false }
    observers.removeAll { $0.observer?.isEnded ?? true }
    // Handlers may add and end observers.
    for observer in observers.compactMap(\.observer) {
      let pin = signal.pin
      let isNewest = pin.map { (try? newestVersion()) == $0.version } ?? true
      observer.deliver(at: pin, isNewest: isNewest)
    }
    reads?.tell(self)
  }

  /// The number of the newest commit.
  func newestVersion() throws -> Int { try store.file.newestVersion() }

  // MARK: Ending

  /// Releases the version and invalidates the view's handles; the next read begins at the newest
  /// version.
  ///
  /// Pending asynchronous writes of the view run first, inside this call; suspended writes
  /// (`await`) run later. An open write of the view is rolled back instead. Does nothing before the
  /// first read, and when an observer calls it. Stops the process outside of the view's isolation.
  public func invalidate() {
    requireIsolation()
    if isNotifying { return }
    if store.isInWriteTransaction { openWrite?.cancelWrite() } else { finishPendingWrites() }
    guard signal.pin != nil else { return }
    signal.setPin(nil)
    generation += 1
    moveCount += 1
    reads?.tell(self)
  }

  /// True after `invalidate` until the next read, and when the store is closed.
  ///
  /// Stops the process outside of the view's isolation.
  public var isInvalidated: Bool {
    requireIsolation()
    return store.transactions.isClosed || (generation > 0 && signal.pin == nil)
  }

  // MARK: Freezing

  /// Returns the snapshot of the view's version.
  ///
  /// The snapshot contains no changes of an open transaction.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The snapshot.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`, `maxReadersExceeded`.
  /// - Complexity: O(1); nothing is copied.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) throws -> Snapshot {
    try checkUsable()
    let pin = try currentPin()
    isPinShared = true
    return Snapshot.of(pin, store, CallSite(file, line))
  }

  /// Returns itself, whatever the caller's isolation, `file` and `line`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveStore { self }
}
