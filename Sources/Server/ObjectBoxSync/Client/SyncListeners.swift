internal import Dispatch
internal import ObjectBox

/// The listeners of a client, which are called one after another.
///
/// Invariant of `@unchecked Sendable`: the listeners, which need not be `Sendable`, are stored and
/// read under the lock, and called on one queue alone, as ObjectBox calls them.
final class SyncListeners: @unchecked Sendable {
  private struct Listeners {
    /// The listener that the program last set for all events.
    var all: (any SyncListener)?
    var login: (any SyncLoginListener)?
    var completed: (any SyncCompletedListener)?
    var connection: (any SyncConnectionListener)?
    var change: (any SyncChangeListener)?
    var areOnMainThread = false
    var decisions: [UInt64: AsyncStream<Int>.Continuation] = [:]
    var lastStream: UInt64 = 0
    var asksForRejections = false
  }

  private let listeners = Guarded(Listeners())
  private let queue = DispatchQueue(label: "ObjectBox sync listeners")

  /// The listener to all events; setting it replaces the listeners to each.
  var all: (any SyncListener)? {
    get { listeners.withLock { $0.all } }
    set {
      change { listeners in
        listeners.all = newValue
        listeners.login = newValue
        listeners.completed = newValue
        listeners.connection = newValue
        listeners.change = newValue
      }
    }
  }
  var login: (any SyncLoginListener)? {
    get { listeners.withLock { $0.login } }
    set { change { $0.login = newValue } }
  }
  var completed: (any SyncCompletedListener)? {
    get { listeners.withLock { $0.completed } }
    set { change { $0.completed = newValue } }
  }
  var connection: (any SyncConnectionListener)? {
    get { listeners.withLock { $0.connection } }
    set { change { $0.connection = newValue } }
  }
  var change: (any SyncChangeListener)? {
    get { listeners.withLock { $0.change } }
    set { change { $0.change = newValue } }
  }
  /// True to call the listeners on the main thread; a change may not apply to events that occurred before it.
  var areOnMainThread: Bool {
    get { listeners.withLock { $0.areOnMainThread } }
    set { listeners.withLock { $0.areOnMainThread = newValue } }
  }

  /// Sets listeners; releases the previous ones outside of the lock, since their deinitializers may take it.
  private func change(_ body: (inout Listeners) -> Void) {
    let old = listeners.withLock { listeners in
      defer { body(&listeners) }
      return listeners
    }
    withExtendedLifetime(old) {}
  }

  func tellLogin(_ code: SyncCode) {
    tell { code == .ok ? $0.login?.loggedIn() : $0.login?.loginFailed(result: code) }
  }

  func tellCompleted() { tell { $0.completed?.updatesCompleted() } }

  func tellConnection(isOpen: Bool) {
    tell { isOpen ? $0.connection?.connected() : $0.connection?.disconnected() }
  }

  /// True if a listener gets the objects of deltas.
  var hearChanges: Bool { listeners.withLock { $0.change != nil } }

  func tell(_ changes: [obx_schema_id: SyncChange]) {
    if !changes.isEmpty { tell { $0.change?.changed(changes) } }
  }

  /// True if the program uses the decisions, or has read the rejections.
  var hearRejections: Bool {
    listeners.withLock { $0.asksForRejections || !$0.decisions.isEmpty }
  }

  /// Records that the program reads the rejections itself.
  func noteRejectionsAsked() { listeners.withLock { $0.asksForRejections = true } }

  /// Notifies the streams that the server has decided transactions.
  ///
  /// A stream that begins in the meantime is left out: its first number may already include later transactions.
  ///
  /// - Parameter count: Returns the number of transactions that still wait.
  /// - Throws: The error of `count`.
  func tellDecisions(waiting count: () async throws -> Int) async throws {
    let last = listeners.withLock { $0.lastStream }
    let count = try await count()
    let streams = listeners.withLock { $0.decisions.filter { $0.key <= last } }
    for stream in streams.values { stream.yield(count) }
  }

  /// The numbers of waiting transactions: the present one, then after each decision of the server.
  ///
  /// - Parameter present: Returns the present number; called when the stream receives all later ones.
  /// - Returns: The stream.
  func decisions(from present: () -> Int?) -> AsyncStream<Int> {
    let (decisions, stream) = AsyncStream.makeStream(of: Int.self)
    let number = listeners.withLock { listeners in
      listeners.lastStream += 1
      listeners.decisions[listeners.lastStream] = stream
      return listeners.lastStream
    }
    stream.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.decisions.removeValue(forKey: number) }
    }
    if let count = present() { stream.yield(count) }
    return decisions
  }

  /// Ends the streams of decisions.
  func end() {
    var streams: [UInt64: AsyncStream<Int>.Continuation] = [:]
    listeners.withLock { swap(&streams, &$0.decisions) }
    // Outside of the lock, since the streams' termination handlers take it.
    for stream in streams.values { stream.finish() }
  }

  private func tell(_ body: @escaping @Sendable (Listeners) -> Void) {
    let queue = areOnMainThread ? DispatchQueue.main : queue
    queue.async { [self] in body(listeners.copy) }
  }
}
