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
/// A class, since it lives in thread-local storage and ends with the thread.
package final class ThreadContext {
  private var states: [StoreThreadState] = []
  /// The state that was used last, one of `states`, and its store: hot paths count no reference and check no
  /// exclusive access.
  @exclusivity(unchecked) private var latest:
    (store: ObjectIdentifier, state: Unmanaged<StoreThreadState>)?
  /// The identity of the thread; no later thread gets it as long as it is held.
  package let identity = ThreadIdentity()
  /// The objects that the thread is releasing.
  let releases = ReleaseQueue()

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      // The system passes what `current` stored; some systems declare the pointer as optional.
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

  /// The context of the calling thread, which keeps it alive.
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

  /// States of threads that have ended; the next thread that begins to use a store releases them.
  ///
  /// The last reference to a store may release queues of Dispatch, whose own storage of the ending thread is
  /// gone by then: Dispatch would use memory that it has freed.
  private static let endedStates = Guarded<[StoreThreadState]>([])

  /// Ends the read transactions of the ending thread, and releases nothing.
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
  package func state(for store: StoreTransactions) -> StoreThreadState {
    reference(for: store).takeUnretainedValue()
  }

  /// Passes the calling thread's state for a store to a body, without counting a reference to it.
  ///
  /// - Parameters:
  ///   - store: The transactions of the store.
  ///   - body: Is passed the state, which lives on while the thread is inside of a transaction.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  @inline(__always)
  package static func withState<T>(
    for store: StoreTransactions,
    _ body: (StoreThreadState) throws -> T
  ) rethrows -> T {
    let state = reference._withUnsafeGuaranteedRef { $0.reference(for: store) }
    return try state._withUnsafeGuaranteedRef(body)
  }

  @inline(__always)
  private func reference(for store: StoreTransactions) -> Unmanaged<StoreThreadState> {
    if let latest, latest.store == ObjectIdentifier(store) { return latest.state }
    return find(store)
  }

  @inline(never)
  private func find(_ store: StoreTransactions) -> Unmanaged<StoreThreadState> {
    let state = states.first { $0.transactions === store } ?? addState(for: store)
    let found = Unmanaged.passUnretained(state)
    latest = (ObjectIdentifier(store), found)
    return found
  }

  private func addState(for store: StoreTransactions) -> StoreThreadState {
    latest = nil
    states.removeAll { $0.transactions.isClosed }
    let state = StoreThreadState(store)
    store.add(state)
    states.append(state)
    Self.releaseEndedStates()
    return state
  }
}

/// The identity of a thread, also when it has ended.
///
/// A class, since it has an identity.
package final class ThreadIdentity: Sendable {
  /// True when the caller runs on the thread.
  package var isCurrent: Bool { ThreadContext.current.identity === self }
}
