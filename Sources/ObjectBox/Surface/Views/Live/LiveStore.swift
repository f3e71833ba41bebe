/// The store as it goes along with changes, for one actor, serial queue or thread.
///
/// It shows one version until it is moved to the newest: by `autorefresh` soon after each commit, by
/// `refresh`, and by its own writes. Its handles show that version as well. It begins to read when it is
/// first looked at, and keeps that version's pages in the file, so views that are not moved let the file
/// grow.
///
/// It may be used in its isolation only. The compiler sees to that; where it cannot, functions that throw
/// throw ``ObjectBoxError/wrongIsolation(message:)``, and others stop the process with the same text.
///
/// A class, since it owns a read transaction.
public final class LiveStore: StoreView {
  /// The store, which this keeps open only if the one that it was asked of is not closed.
  public let store: Store
  /// Not closed by being let go, as long as the view lives.
  private let keeper: Store
  let signal: LiveSignal
  /// The call that made it.
  private let site: CallSite
  private let subscription: NotificationToken
  private var followsCommits: Bool
  /// Grows whenever something else may be seen.
  private var moveCount = 0
  /// True when handles have written in a transaction that the view does not follow.
  private var hasWritten = false
  /// Grows with each `invalidate`.
  private(set) var generation = 0
  /// True when a snapshot reads from the same transaction, which must stay where it is.
  private var isPinShared = false
  /// True while observers are called.
  private var isNotifying = false
  /// Belong to their tokens: what they hold may hold this view.
  var observers: [WeakLiveObserver] = []
  /// Writes that are open, begun by this view.
  weak var openWrite: WriteTransaction?
  let ownWrites = OwnWrites()

  init(_ store: Store, _ signal: LiveSignal, _ site: CallSite) {
    keeper = store
    self.store = store.forReading()
    self.signal = signal
    self.site = site
    followsCommits = signal.isolation.canCallBack
    subscription = signal.listen()
    signal.setLive(self)
  }

  deinit {
    subscription.invalidate()
  }

  /// False: it changes.
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

  /// Runs a body that reads what the view shows; inside a write, with the changes so far.
  ///
  /// - Parameter body: Is passed the store for its boxes and queries.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, and ``ObjectBoxError``: `wrongIsolation`, `closed`,
  ///   `maxReadersExceeded`.
  func reading<T>(_ body: (Store) throws -> T) throws -> T {
    try checkUsable()
    if store.isInWriteTransaction { return try body(store) }
    return try currentPin().reading { try body(store) }
  }

  /// Changes whenever something else may be seen.
  var epoch: Int {
    catchUpWithOwnWrites()
    return moveCount
  }

  func currentPin() throws -> PinnedRead {
    catchUpWithOwnWrites()
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

  /// The number of the commit that is seen.
  ///
  /// Begins to read at the newest commit, when nothing has been looked at. Throws ``ObjectBoxError``:
  /// `wrongIsolation`, `closed`, `maxReadersExceeded`.
  public func version() throws -> Int {
    try checkUsable()
    return try currentPin().version
  }

  /// True while a write transaction is open on the calling thread, whose changes the view shows.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isInWriteTransaction: Bool {
    requireIsolation()
    return store.isInWriteTransaction
  }

  // MARK: Moving

  /// Whether the view moves to the newest version by itself, soon after each commit.
  ///
  /// It is one job in the view's isolation, however many commits came before it. True at the beginning; for
  /// views of threads always false, since nothing can be sent there. When false, observers are told that a
  /// refresh is required. Own writes are seen at once in any case. In debug builds standard error tells of
  /// a view that does not move by itself and that nothing has moved for 1000 commits.
  ///
  /// Stops the process outside of the isolation of the view.
  public var autorefresh: Bool {
    get {
      requireIsolation()
      return followsCommits
    }
    set {
      requireIsolation()
      followsCommits = newValue && signal.isolation.canCallBack
      signal.pin?.setMovesByItself(followsCommits)
      // What has been missed.
      if followsCommits { signal.call() }
    }
  }

  /// Moves to the newest version, and tells the observers of the view.
  ///
  /// - Returns: True when there was something new; false inside a write and when an observer calls it.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, `maxReadersExceeded`.
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

  /// Moves to the newest version, and waits until all that is on its way to the view has come: jobs that
  /// tell of commits so far.
  ///
  /// - Parameter isolation: That of the view; the caller's.
  /// - Returns: True when there was something new; false inside a write, and when the task is cancelled.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, `maxReadersExceeded`.
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

  /// Moves to the newest version, if the view reads at all.
  @discardableResult
  func move() throws -> Bool {
    guard let pin = signal.pin else { return false }
    guard try newestVersion() != pin.version else { return false }
    for observer in observers { observer.observer?.willMove() }
    // What a snapshot, or a body that runs, reads from stays where it is.
    if try isPinShared || !pin.renew() {
      signal.setPin(try newestPin())
      isPinShared = false
    }
    moveCount += 1
    return true
  }

  /// Moves to the newest version where nobody can be told that it does not succeed.
  func moveOrTell() {
    do { try move() } catch { store.core.failures.tell(.liveView, error) }
  }

  /// Takes note that a handle writes in the open transaction, which may be one that the view does not follow.
  func didWrite() { hasWritten = true }

  /// Moves to the newest version when handles have written in a transaction that has ended.
  private func catchUpWithOwnWrites() {
    guard hasWritten, !store.isInWriteTransaction, !store.transactions.isClosed else { return }
    hasWritten = false
    didCommit()
  }

  /// Moves to the newest version when the view shows an older one than the given.
  func catchUp(to version: Int) throws {
    guard !store.isInWriteTransaction, try self.version() < version else { return }
    try move()
    deliver()
  }

  /// Is called in the isolation after commits.
  func comeAlong() {
    // A transaction that is open moves the view when it ends.
    guard !store.transactions.isClosed, !store.isInWriteTransaction else { return }
    if followsCommits { moveOrTell() }
    deliver()
  }

  /// Tells the observers what has not been told, as far as the view is.
  func deliver() {
    guard !isNotifying, !observers.isEmpty else { return }
    isNotifying = true
    defer { isNotifying = false }
    observers.removeAll { $0.observer?.isEnded ?? true }
    // Handlers may add observers, and end them.
    for observer in observers.compactMap(\.observer) {
      let pin = signal.pin
      let isNewest = pin.map { (try? newestVersion()) == $0.version } ?? true
      observer.deliver(at: pin, isNewest: isNewest)
    }
  }

  /// The number of the newest commit.
  func newestVersion() throws -> Int { try store.file.newestVersion() }

  // MARK: Ending

  /// Lets the version go; handles of the view are invalid from then on, and the next read begins at the
  /// newest version.
  ///
  /// Own asynchronous writes that were asked for run first, in this call; suspended ones (`await`) do not,
  /// and run later. An own write that is open is rolled back instead. Nothing happens before the first read
  /// and when an observer calls it. Stops the process outside of the isolation of the view.
  public func invalidate() {
    requireIsolation()
    if isNotifying { return }
    if store.isInWriteTransaction { openWrite?.cancelWrite() } else { finishOwnWrites() }
    guard signal.pin != nil else { return }
    signal.setPin(nil)
    generation += 1
    moveCount += 1
  }

  /// True when there is nothing to be seen: before the first read, after `invalidate` until the next read,
  /// and when the store is closed.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isInvalidated: Bool {
    requireIsolation()
    return store.transactions.isClosed || (generation > 0 && signal.pin == nil)
  }

  // MARK: Freezing

  /// Returns what never changes of what is seen now.
  ///
  /// Changes of a transaction that is open are not in it.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The snapshot of the version that the view shows.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, `maxReadersExceeded`.
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
