internal import Dispatch
internal import ObjectBox

/// The listeners of a client, which are called one after another.
///
/// Invariant of `@unchecked Sendable`: the listeners, which need not be `Sendable`, are stored and
/// read under the lock, and called on one queue alone, as ObjectBox calls them.
final class SyncListeners: @unchecked Sendable {
  private struct Listeners {
    var all: (any SyncListener)?
    var login: (any SyncLoginListener)?
    var completed: (any SyncCompletedListener)?
    var connection: (any SyncConnectionListener)?
    var change: (any SyncChangeListener)?
    var decisions: [UInt64: AsyncStream<Int>.Continuation] = [:]
    var lastStream: UInt64 = 0
    var asksForRejections = false
  }

  private let listeners = Guarded(Listeners())
  private let queue = DispatchQueue(label: "ObjectBox sync listeners")

  var all: (any SyncListener)? {
    get { listeners.withLock { $0.all } }
    set { listeners.withLock { $0.all = newValue } }
  }
  var login: (any SyncLoginListener)? {
    get { listeners.withLock { $0.login } }
    set { listeners.withLock { $0.login = newValue } }
  }
  var completed: (any SyncCompletedListener)? {
    get { listeners.withLock { $0.completed } }
    set { listeners.withLock { $0.completed = newValue } }
  }
  var connection: (any SyncConnectionListener)? {
    get { listeners.withLock { $0.connection } }
    set { listeners.withLock { $0.connection = newValue } }
  }
  var change: (any SyncChangeListener)? {
    get { listeners.withLock { $0.change } }
    set { listeners.withLock { $0.change = newValue } }
  }

  func tellLogin(_ code: SyncCode) {
    tell { listeners in
      for listener in [listeners.login, listeners.all].compactMap({ $0 }) {
        code == .okay ? listener.loggedIn() : listener.loginFailed(result: code)
      }
    }
  }

  func tellCompleted() {
    tell { listeners in
      for listener in [listeners.completed, listeners.all].compactMap({ $0 }) {
        listener.updatesCompleted()
      }
    }
  }

  func tellConnection(isOpen: Bool) {
    tell { listeners in
      for listener in [listeners.connection, listeners.all].compactMap({ $0 }) {
        isOpen ? listener.connected() : listener.disconnected()
      }
    }
  }

  /// True if a listener hears of the objects of cuts.
  var hearChanges: Bool { listeners.withLock { $0.change != nil || $0.all != nil } }

  func tell(_ changes: [obx_schema_id: SyncChange]) {
    guard !changes.isEmpty else { return }
    tell { listeners in
      for listener in [listeners.change, listeners.all].compactMap({ $0 }) {
        listener.changed(changes)
      }
    }
  }

  /// True if the program follows decisions, or has asked for rejections.
  var hearRejections: Bool {
    listeners.withLock { $0.asksForRejections || !$0.decisions.isEmpty }
  }

  /// Notes that the program asks for rejections itself.
  func noteRejectionsAsked() { listeners.withLock { $0.asksForRejections = true } }

  /// The streams that get the number of waiting transactions when the server has decided some.
  var decisionStreams: [AsyncStream<Int>.Continuation] {
    listeners.withLock { Array($0.decisions.values) }
  }

  /// The numbers of waiting transactions: the present one, then after each decision of the server.
  ///
  /// - Parameter present: Returns the present number; called once the stream misses nothing.
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
    // Outside of the lock, which their ends take.
    for stream in streams.values { stream.finish() }
  }

  private func tell(_ body: @escaping @Sendable (Listeners) -> Void) {
    queue.async { [self] in body(listeners.copy) }
  }
}
