internal import Synchronization

/// The threads that read a pinned version.
///
/// Each thread begins and ends a body in its own ``PinUse``. A shared lock or counter would make two threads slower
/// than one.
///
/// A thread that needs the version idle first sets the watch mark of all uses, then reads their
/// depths. A thread that begins a body first raises the depth of its use, then reads the mark. Both
/// orders are sequentially consistent, so at least one of the two threads sees the other.
///
/// The uses keep it alive, also after the end of the pinned version.
package final class PinUses: Sendable {
  private struct State {
    var all: [PinUse] = []
    /// Objects that running bodies may use; released when the last body ends.
    var leaving: [any Sendable] = []
    var isIdle: Bool { all.allSatisfy(\.isIdle) }

    /// Sets or clears the watch mark of all uses; a body that begins or ends in a marked use takes
    /// the lock.
    func watch(_ isWatched: Bool) {
      for use in all { use.watch(isWatched) }
    }

    mutating func takeLeaving() -> [any Sendable] {
      defer {
        leaving = []
        watch(false)
      }
      return leaving
    }
  }

  private let state = Guarded(State())

  /// Begins a body of a thread.
  ///
  /// - Parameters:
  ///   - thread: The thread's own state.
  ///   - transaction: Makes a transaction over the version, for a thread that has not used it yet.
  /// - Returns: The thread's use, for `PinUse.leave`.
  @inline(__always)
  func enter(_ thread: StoreThreadState, _ transaction: () -> Transaction) -> PinUse {
    enterAgain(thread) ?? enterFirst(thread, transaction)
  }

  /// Begins a body of a thread that last read this pinned version; nil for other threads, and if the use is watched.
  @inline(__always)
  package func enterAgain(_ thread: StoreThreadState) -> PinUse? {
    guard let use = thread.lastUse, use.uses === self else { return nil }
    if use.enter() { return use }
    use.leave()
    return nil
  }

  private func enterFirst(
    _ thread: StoreThreadState,
    _ transaction: () -> Transaction
  ) -> PinUse {
    let use = state.withLock { state in
      if let known = state.all.first(where: { $0.thread == ObjectIdentifier(thread) }) {
        _ = known.enter()
        return known
      }
      // Drops unused entries: their threads have ended, or read other versions now.
      var index = 0
      while index < state.all.count {
        if state.all[index].isIdle && isKnownUniquelyReferenced(&state.all[index]) {
          state.all.remove(at: index)
        } else {
          index += 1
        }
      }
      let use = PinUse(self, thread, transaction())
      use.watch(!state.leaving.isEmpty)
      _ = use.enter()
      state.all.append(use)
      return use
    }
    thread.lastUse = use
    return use
  }

  /// Runs a body while no reader runs and none can begin.
  ///
  /// - Returns: The result of the body; nil if a reader was running, and the body was not called.
  func ifIdle<T>(_ body: () throws -> T) rethrows -> T? {
    try state.withLock { state in
      state.watch(true)
      defer { state.watch(!state.leaving.isEmpty) }
      return state.isIdle ? try body() : nil
    }
  }

  /// Runs a body while the version does not change.
  func whileStill<T>(_ body: () -> T) -> T { state.withLock { _ in body() } }

  /// Releases an object once all running bodies, which may use it, have ended.
  package func releaseWhenIdle(_ object: some Sendable) {
    let released: [any Sendable] = state.withLock { state in
      state.leaving.append(object)
      state.watch(true)
      return state.isIdle ? state.takeLeaving() : []
    }
    // Outside of the lock, since a deinitializer may end the version.
    withExtendedLifetime(released) {}
  }

  /// Releases the objects that wait for the last running body.
  fileprivate func noteEnd() {
    let released = state.withLock { $0.isIdle ? $0.takeLeaving() : [] }
    withExtendedLifetime(released) {}
  }

  /// Drops the caches of all threads.
  ///
  /// The version ends, so no body is running.
  func end() {
    let uses = state.withLock { state in
      defer { state.all = [] }
      return state.all
    }
    for use in uses where use.isIdle { use.transaction.closeCursors() }
  }
}

/// One thread's use of a pinned version.
///
/// Invariant of `@unchecked Sendable`: only the use's thread changes `depth`, and it accesses `transaction` while
/// `depth` is above 0. Other threads access `transaction` only after the version has ended, when no body can begin.
package final class PinUse: @unchecked Sendable {
  let uses: PinUses
  /// The identity of the thread's state.
  ///
  /// A later thread with a state of the same identity takes over the idle use.
  let thread: ObjectIdentifier
  let transaction: Transaction
  /// Number of nested bodies that are running.
  private let depth = Atomic<Int>(0)
  private let isWatched = Atomic<Bool>(false)

  fileprivate init(_ uses: PinUses, _ thread: StoreThreadState, _ transaction: Transaction) {
    self.uses = uses
    self.thread = ObjectIdentifier(thread)
    self.transaction = transaction
  }

  /// Begins a body; false when the use is watched, and the caller must end it.
  @inline(__always)
  fileprivate func enter() -> Bool {
    depth.store(depth.load(ordering: .relaxed) + 1, ordering: .sequentiallyConsistent)
    return !isWatched.load(ordering: .sequentiallyConsistent)
  }

  /// Ends a body.
  @inline(__always)
  package func leave() {
    depth.store(depth.load(ordering: .relaxed) - 1, ordering: .sequentiallyConsistent)
    if isWatched.load(ordering: .sequentiallyConsistent) { uses.noteEnd() }
  }

  fileprivate var isIdle: Bool { depth.load(ordering: .sequentiallyConsistent) == 0 }

  fileprivate func watch(_ isWatched: Bool) {
    self.isWatched.store(isWatched, ordering: .sequentiallyConsistent)
  }
}
