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
final class ThreadContext {
  private var states: [StoreThreadState] = []
  /// The identity of the thread; no later thread gets it as long as it is held.
  let identity = ThreadIdentity()
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
  @inline(__always)
  static var current: ThreadContext {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<ThreadContext>.fromOpaque(pointer).takeUnretainedValue()
    }
    return make()
  }

  @inline(never)
  private static func make() -> ThreadContext {
    let context = ThreadContext()
    pthread_setspecific(key, Unmanaged.passRetained(context).toOpaque())
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
  }

  private static func releaseEndedStates() {
    let ended = endedStates.withLock { states in
      defer { states = [] }
      return states
    }
    withExtendedLifetime(ended) {}
  }

  /// The thread's state for a store.
  @inline(__always)
  func state(for store: StoreTransactions) -> StoreThreadState {
    // Not `first`, which allocates memory in unoptimised builds.
    if !states.isEmpty, states[0].transactions === store { return states[0] }
    return find(store)
  }

  @inline(never)
  private func find(_ store: StoreTransactions) -> StoreThreadState {
    if let index = states.firstIndex(where: { $0.transactions === store }) {
      // The store used last is first.
      states.swapAt(0, index)
      return states[0]
    }
    states.removeAll { $0.transactions.isClosed }
    let state = StoreThreadState(store)
    store.add(state)
    states.insert(state, at: 0)
    Self.releaseEndedStates()
    return state
  }
}

/// The identity of a thread, also when it has ended.
///
/// A class, since it has an identity.
final class ThreadIdentity: Sendable {
  /// True when the caller runs on the thread.
  var isCurrent: Bool { ThreadContext.current.identity === self }
}
