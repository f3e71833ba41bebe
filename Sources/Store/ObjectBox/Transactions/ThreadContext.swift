#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The states of a thread in the stores that it uses.
///
/// It is kept in thread-local storage, and ends with the thread.
package final class ThreadContext {
  private var states: [StoreThreadState] = []
  /// The last used state and its store.
  ///
  /// Unretained: `states` keeps it alive. Earns 21 % of the row 'empty read transaction'.
  private var latest: (store: ObjectIdentifier, state: Unmanaged<StoreThreadState>)?
  /// The identity of the thread; no later thread has the same one while it is referenced.
  package let identity = ThreadIdentity()
  /// The objects that the thread is releasing.
  let releases = ReleaseQueue()

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      // The system passes the context that `reference` stored. Some systems declare the pointer as
      // optional.
      let pointer: UnsafeMutableRawPointer? = pointer
      if let pointer {
        Unmanaged<ThreadContext>.fromOpaque(pointer).takeRetainedValue().leaveStates()
      }
    }
    precondition(code == 0, "the system has no thread-local storage left (\(code))")
    return key
  }()

  /// The context of the calling thread.
  package static var current: ThreadContext { reference.takeUnretainedValue() }

  /// The context of the calling thread, unretained: the thread keeps it alive.
  @inline(__always)
  private static var reference: Unmanaged<ThreadContext> {
    if let pointer = pthread_getspecific(key) { return .fromOpaque(pointer) }
    return make()
  }

  @inline(never)
  private static func make() -> Unmanaged<ThreadContext> {
    let context = Unmanaged.passRetained(ThreadContext())
    pthread_setspecific(key, context.toOpaque())
    return context
  }

  /// States of ended threads; the next thread that begins to use a store releases them.
  ///
  /// An ending thread must not release them. The last reference to a store may release dispatch
  /// queues, and Dispatch has already freed its own storage for the ending thread.
  private static let endedStates = Guarded<[StoreThreadState]>([])

  /// Ends the read transactions of the ending thread, without releasing its states.
  private func leaveStates() {
    for state in states { state.transactions.remove(state) }
    Self.endedStates.withLock { $0 += states }
    states = []
    latest = nil
  }

  private static func releaseEndedStates() {
    let ended = endedStates.withLock { states in
      defer { states = [] }
      return states
    }
    withExtendedLifetime(ended) {}
  }

  /// The thread's state for a store.
  package func state(for store: TransactionScheduler) -> StoreThreadState {
    reference(for: store).takeUnretainedValue()
  }

  /// Calls a body with the calling thread's state for a store, without counting a reference.
  ///
  /// - Parameters:
  ///   - store: The transactions of the store.
  ///   - body: Receives the state, which stays alive while the thread is inside a transaction.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  @inline(__always)
  package static func withState<T>(
    for store: TransactionScheduler,
    _ body: (StoreThreadState) throws -> T
  ) rethrows -> T {
    let state = reference._withUnsafeGuaranteedRef { $0.reference(for: store) }
    return try state._withUnsafeGuaranteedRef(body)
  }

  @inline(__always)
  private func reference(for store: TransactionScheduler) -> Unmanaged<StoreThreadState> {
    if let latest, latest.store == ObjectIdentifier(store) { return latest.state }
    return find(store)
  }

  @inline(never)
  private func find(_ store: TransactionScheduler) -> Unmanaged<StoreThreadState> {
    let state = states.first { $0.transactions === store } ?? addState(for: store)
    let found = Unmanaged.passUnretained(state)
    latest = (ObjectIdentifier(store), found)
    return found
  }

  private func addState(for store: TransactionScheduler) -> StoreThreadState {
    latest = nil
    states.removeAll { $0.transactions.isClosed }
    let state = StoreThreadState(store)
    store.add(state)
    states.append(state)
    Self.releaseEndedStates()
    return state
  }
}

/// The identity of a thread, valid after the thread has ended.
package final class ThreadIdentity: Sendable {
  /// True when the caller runs on the thread.
  package var isCurrent: Bool { ThreadContext.current.identity === self }
}
