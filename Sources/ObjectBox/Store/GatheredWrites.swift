internal import Dispatch
internal import ObjectBoxStorage

/// A small write that may be done by another thread than the one that waits for it.
///
/// Invariant of `@unchecked Sendable`: the waiting thread touches it before it is handed over and after
/// `done` was signalled, the thread that writes in between.
final class GatheredWrite: @unchecked Sendable {
  let body: (Transaction) throws -> Void
  fileprivate var failure: (any Error)?
  fileprivate let done = DispatchSemaphore(value: 0)

  /// Makes a write; when `body` throws what ``ObjectWriter`` refuses, it must have written nothing.
  init(_ body: @escaping (Transaction) throws -> Void) {
    self.body = body
  }
}

/// Small writes that threads ask for at the same time, which one of them commits together.
///
/// The first thread that comes leads: it waits for its turn, meanwhile others come, and then writes what
/// has come by then. A commit waits for the disk as long for one object as for ten. A leader that follows
/// waits a moment for those of the last group, whose writes are done and who are about to come again.
///
/// A class, since it guards shared state.
final class GatheredWrites: Sendable {
  /// How long a leader waits for others that are likely to come, unless the configuration says longer.
  static let linger = Duration.microseconds(50)

  private struct State {
    var waiting: [GatheredWrite] = []
    var hasLeader = false
    /// True from the time when a group was taken until it is on disk.
    var isCommitting = false
    /// How many of the last group have not come again; who comes while that is committed was not in it.
    var absentCount = 0
    /// How many a leader waits for.
    var wantedCount: Int?
  }

  private let state = Guarded(State())
  private let enoughHaveCome = DispatchSemaphore(value: 0)

  /// True when others of the last group are likely to come.
  var expectsOthers: Bool { state.withLock { $0.absentCount > 1 } }

  /// Does a write, alone or together with those of other threads, and returns once it is on disk.
  ///
  /// - Parameters:
  ///   - write: What to do.
  ///   - core: The store, in which this thread has no transaction.
  ///   - isRefusal: Says whether an error was thrown before anything was written.
  /// - Throws: What the write throws, or why it cannot be committed.
  func run(
    _ write: GatheredWrite,
    in core: StoreCore,
    isRefusal: (any Error) -> Bool
  ) throws {
    let (leads, isEnough) = state.withLock { state in
      state.waiting.append(write)
      if !state.isCommitting, state.absentCount > 0 { state.absentCount -= 1 }
      let isEnough = state.wantedCount.map { state.waiting.count >= $0 } ?? false
      if isEnough { state.wantedCount = nil }
      defer { state.hasLeader = true }
      return (!state.hasLeader, isEnough)
    }
    if isEnough { enoughHaveCome.signal() }
    if leads { lead(core, isRefusal) }
    write.done.wait()
    if let failure = write.failure { throw failure }
  }

  private func lead(_ core: StoreCore, _ isRefusal: (any Error) -> Bool) {
    var group: [GatheredWrite] = []
    do {
      try core.inTransaction(isWritable: true) { state in
        group = gather(for: max(Self.linger, core.configuration.groupCommit.linger))
        guard let transaction = state.current else { return }
        for write in group {
          do { try write.body(transaction) } catch  where isRefusal(error) { write.failure = error }
        }
      }
    } catch {
      if group.isEmpty {
        // The transaction could not begin.
        group = takeAll()
        for write in group { write.failure = error }
      } else {
        writeEach(of: group, in: core)
      }
    }
    state.withLock { $0.isCommitting = false }
    for write in group { write.done.signal() }
  }

  /// Writes each for itself, after they could not be written together.
  private func writeEach(of group: [GatheredWrite], in core: StoreCore) {
    for write in group {
      write.failure = nil
      do {
        try core.inTransaction(isWritable: true) { state in
          if let transaction = state.current { try write.body(transaction) }
        }
      } catch { write.failure = error }
    }
  }

  /// Takes what waits, after a moment when more is likely to come.
  private func gather(for linger: Duration) -> [GatheredWrite] {
    let waits = state.withLock { state in
      guard state.absentCount > 0 else { return false }
      state.wantedCount = state.waiting.count + state.absentCount
      return true
    }
    let nanoseconds = Int(linger / .nanoseconds(1))
    if waits, enoughHaveCome.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .timedOut {
      let isTold = state.withLock { state in
        defer { state.wantedCount = nil }
        return state.wantedCount == nil
      }
      // Somebody signals, or has just done so: the next leader must not take it for its own.
      if isTold { enoughHaveCome.wait() }
    }
    return takeAll()
  }

  private func takeAll() -> [GatheredWrite] {
    state.withLock { state in
      let group = state.waiting
      state.waiting = []
      state.absentCount = group.count
      state.isCommitting = true
      state.hasLeader = false
      return group
    }
  }
}
