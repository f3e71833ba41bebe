internal import Synchronization

/// The uses of a pinned version by threads, side by side.
///
/// Threads that read one version touch only their own ``PinUse`` to begin and end a body: no lock and no count
/// that they share, which would make two threads slower than one. A thread that needs the version idle watches
/// all uses first, and then reads their depths; a use raises its depth first, and then reads whether it is
/// watched. Both are sequentially consistent, so that at least one of the two sees the other.
///
/// A class, since the uses share it, also after the end of the pinned version.
package final class PinUses: Sendable {
  private struct State {
    var all: [PinUse] = []
    /// Objects that the version's readers may use, released when the last of them has ended.
    var leaving: [any Sendable] = []
    var isIdle: Bool { all.allSatisfy(\.isIdle) }

    /// Makes uses that begin or end take the lock.
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

  /// Begins a body of a thread that used this version last; nil when it did not, or the use is watched.
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
      // Their threads have ended, or read other versions now.
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

  /// Runs a body while no other can begin, unless one is running.
  ///
  /// - Returns: The result of the body; nil when one was running.
  func ifIdle<T>(_ body: () throws -> T) rethrows -> T? {
    try state.withLock { state in
      state.watch(true)
      defer { state.watch(!state.leaving.isEmpty) }
      return state.isIdle ? try body() : nil
    }
  }

  /// Runs a body while the version does not change.
  func whileStill<T>(_ body: () -> T) -> T { state.withLock { _ in body() } }

  /// Releases an object that running bodies may use, once they have ended.
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

  /// Drops the caches of all threads; the version ends, and no body is running.
  func end() {
    let uses = state.withLock { state in
      defer { state.all = [] }
      return state.all
    }
    for use in uses where use.isIdle { use.dropCaches() }
  }
}

/// One thread's use of a pinned version.
///
/// Invariant of `@unchecked Sendable`: the thread uses `transaction` while its depth is above 0, which it alone
/// changes; others only touch it once the version has ended, and no thread can begin a body then.
package final class PinUse: @unchecked Sendable {
  let uses: PinUses
  /// The identity of the state of the thread; a later thread with the same one takes over the idle use.
  let thread: ObjectIdentifier
  let transaction: Transaction
  /// Number of bodies that run, one inside another.
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

  fileprivate func dropCaches() { transaction.closeCursors() }
}
