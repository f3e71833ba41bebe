public import ObjectBox

/// A view of the store that follows commits, for one actor, serial queue or thread.
///
/// It shows one version until it moves to the newest: by `autorefresh` soon after each commit, by `refresh`,
/// and by its own writes. Its handles show that version as well. It pins a version when it is first read, and
/// keeps that version's pages from the free list, so the file grows while a view does not move.
///
/// It may be used in its isolation only. The compiler ensures that; where it cannot, functions that throw
/// throw `ObjectBoxError.wrongIsolation(message:)`, and others stop the process with the same text. Functions
/// that read throw `ObjectBoxError.closed(message:)` when the store is closed.
///
/// A class, since it owns a read transaction.
public final class LiveStore: StoreView, ReadableView {
  /// The store, which the view does not keep open after a `close` of the instance that made the view.
  public let store: Store
  /// The instance that made the view; kept, since its release would close it.
  private let keeper: Store
  let signal: LiveSignal
  /// The call that made it.
  private let site: CallSite
  private let subscription: NotificationToken
  private var followsCommits: Bool
  /// Grows whenever the view may show another version.
  private var moveCount = 0
  /// True when handles have written in a transaction that was not begun by the view.
  private var hasWritten = false
  /// Grows with each `invalidate`.
  private(set) var generation = 0
  /// True when a snapshot shares the read transaction, which must stay at its version.
  private var isPinShared = false
  /// True while observers are called.
  private var isNotifying = false
  /// Weak, since observers may retain the view; their tokens keep them.
  var observers: [WeakLiveObserver] = []
  /// The open write that the view has begun.
  weak var openWrite: WriteTransaction?
  let pendingWrites = PendingWrites()

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
  /// One job in the view's isolation moves it over several commits. True at the beginning; for views of
  /// threads always false, since no job can be sent to them. When false, observers are told that a refresh is
  /// required. The view's own writes are seen at once in any case. Debug builds warn on standard error of a
  /// view that does not move by itself and has not moved for 1000 commits.
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
      // Moves over the commits so far.
      if followsCommits { signal.call() }
    }
  }

  /// Moves to the newest version, and tells the observers of the view.
  ///
  /// - Returns: True when there was a newer version; false inside a write and when an observer calls it.
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

  /// Moves to the newest version, and waits for the jobs that tell the view of commits so far.
  ///
  /// - Parameter isolation: The isolation of the view; the caller's.
  /// - Returns: True when there was a newer version; false inside a write, and when the task is cancelled.
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

  /// Moves to the newest version, if the view reads at all.
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

  /// Moves to the newest version; an error goes to the store's handler of unheard failures.
  func moveOrTell() {
    do { try move() } catch { store.openStore.failures.tell(.liveView, error) }
  }

  /// Notes that a handle writes in the open transaction, which the view may not have begun.
  func didWrite() { hasWritten = true }

  /// Moves to the newest version when handles have written in a transaction that has ended.
  private func catchUpAfterHandleWrites() {
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

  /// Moves the view after commits; called in its isolation.
  func followCommits() {
    // An open transaction moves the view at its end.
    guard !store.transactions.isClosed, !store.isInWriteTransaction else { return }
    if followsCommits { moveOrTell() }
    deliver()
  }

  /// Tells the observers the new changes up to the version of the view.
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

  /// Releases the version; handles of the view are invalid from then on, and the next read begins at the
  /// newest version.
  ///
  /// Pending asynchronous writes of the view run first, in this call; suspended ones (`await`) run later. An
  /// open write of the view is rolled back instead. Nothing happens before the first read and when an observer
  /// calls it. Stops the process outside of the isolation of the view.
  public func invalidate() {
    requireIsolation()
    if isNotifying { return }
    if store.isInWriteTransaction { openWrite?.cancelWrite() } else { finishPendingWrites() }
    guard signal.pin != nil else { return }
    signal.setPin(nil)
    generation += 1
    moveCount += 1
  }

  /// True when the view shows nothing: after `invalidate` until the next read, and when the store is closed.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isInvalidated: Bool {
    requireIsolation()
    return store.transactions.isClosed || (generation > 0 && signal.pin == nil)
  }

  // MARK: Freezing

  /// Returns the snapshot of the version that the view shows.
  ///
  /// The snapshot has no changes of an open transaction.
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
