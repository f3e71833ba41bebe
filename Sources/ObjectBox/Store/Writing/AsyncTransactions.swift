internal import Foundation

/// The asynchronous writes of an open store, and the thread that begins and commits their transactions.
///
/// The thread waits for its turn at writing, begins a transaction, and offers it to the first operation,
/// whose block runs in its own isolation while the thread waits. Then it commits; operations that allow it
/// are committed together. A caller that blocks for a turn meanwhile gets an offer that nobody has taken up
/// yet: so a blocked actor never waits for a block that needs the same actor.
///
/// A class, since it owns the thread. Invariant of `@unchecked Sendable`: the variables are touched while
/// the worker's condition is locked only.
final class AsyncTransactions: @unchecked Sendable {
  /// How long an offer stands in seconds when a caller blocks for the turn.
  private static let grace: TimeInterval = 0.002
  /// How long in seconds `run` waits before it looks again unasked.
  private static let patience: TimeInterval = 0.05

  private let worker = WorkerThread(name: "ObjectBox transactions")
  private var waiting: [AsyncOperation] = []
  /// What the thread has offered or waits for.
  private var current: AsyncOperation?
  private var isWantedBack = false
  private var lastNumber: UInt64 = 0
  /// Commits whose completion has not been called.
  private var pendingCommits: Set<UInt64> = []
  /// Operations and commits that are not complete.
  private var openCount = 0

  private var condition: NSCondition { worker.condition }

  private func locked<T>(_ body: () throws -> T) rethrows -> T { try worker.locked(body) }

  // MARK: Filling

  func nextID() -> AsyncTransactionID {
    locked {
      lastNumber += 1
      return AsyncTransactionID(number: lastNumber)
    }
  }

  /// Adds an operation.
  ///
  /// - Throws: ``ObjectBoxError/closed(message:)`` when the store is closed or closing.
  func add(_ operation: AsyncOperation, core: OpenStore) throws {
    try locked {
      guard worker.takesMore else {
        throw StoreError.closed(core.file.location)
      }
      waiting.append(operation)
      openCount += 1
      if worker.isIdle {
        worker.start(isThere: { !self.waiting.isEmpty }, work: { self.work(core) })
      }
      condition.broadcast()
    }
  }

  /// Cancels an operation that has not begun, or the completion of a commit.
  ///
  /// - Returns: True when there was something to cancel.
  func cancel(_ id: AsyncTransactionID) -> Bool {
    let cancelled: AsyncOperation? = locked {
      if let place = waiting.firstIndex(where: { $0.id == id }) {
        let operation = waiting.remove(at: place)
        operation.phase = .cancelled
        return operation
      }
      guard let current, current.id == id else { return nil }
      switch current.phase {
      case .waiting, .offered:
        current.phase = .cancelled
        condition.broadcast()
        return current
      case .running, .cancelled, .failed, .ended: return nil
      }
    }
    if let cancelled {
      // A task that waits for its turn is woken, to learn of it.
      if cancelled.job == nil { cancelled.summon(cancelled) } else { complete() }
      return true
    }
    return locked { pendingCommits.remove(id.number) != nil }
  }

  /// True when a transaction is that of a running operation.
  func isRunning(_ id: AsyncTransactionID, with transaction: Transaction) -> Bool {
    locked {
      guard let current, current.id == id, case .running(let lent) = current.phase else {
        return false
      }
      return lent.transaction === transaction
    }
  }

  /// True while anything is under way.
  var isPerforming: Bool { locked { openCount > 0 } }

  // MARK: Completing

  /// Takes note of a commit that was asked for.
  func expect(_ commit: AsyncTransactionID) {
    locked {
      pendingCommits.insert(commit.number)
      openCount += 1
    }
  }

  /// Returns whether the completion of a commit is to be called, which happens once.
  func settle(_ commit: AsyncTransactionID) -> Bool {
    locked { pendingCommits.remove(commit.number) != nil }
  }

  /// Takes note that an operation or a commit is complete.
  func complete() {
    locked {
      openCount -= 1
      condition.broadcast()
    }
  }

  // MARK: The block's side

  /// What an operation finds when its block is called.
  enum Turn {
    case granted(LentTransaction)
    /// It has been taken back, and will be offered again.
    case later
    case cancelled
    case failed(any Error)
  }

  /// Begins an operation that was offered; called in the isolation of its block.
  func begin(_ operation: AsyncOperation) -> Turn {
    locked {
      switch operation.phase {
      case .offered(let lent):
        operation.phase = .running(lent)
        condition.broadcast()
        return .granted(lent)
      case .failed(let error): return .failed(error)
      case .waiting: return .later
      case .running, .cancelled, .ended: return .cancelled
      }
    }
  }

  // MARK: Closing

  /// True on the thread that begins and commits.
  var isCurrentThread: Bool { worker.isCurrent }

  /// Takes nothing more from now on.
  func refuseMore() {
    worker.refuseMore()
  }

  /// Takes nothing more, and waits until all operations have run and the thread has ended.
  ///
  /// Operations whose blocks need the isolation that the caller blocks are run here; of those, tasks that
  /// are suspended cannot be, and learn that the store is closed.
  ///
  /// - Parameters:
  ///   - core: The store.
  ///   - isHome: Says whether a block that is isolated so needs the caller's isolation.
  func drain(_ core: OpenStore, isHome: (ObjectIdentifier) -> Bool) {
    refuseMore()
    while true {
      let own: AsyncOperation? = locked {
        while !worker.isEnded {
          if let current, case .offered = current.phase, let home = current.home, isHome(home) {
            return current
          }
          condition.wait()
        }
        return nil
      }
      guard let own else { return }
      if let job = own.job { job(own) } else { refuse(own, core) }
    }
  }

  // MARK: Waiting for some

  /// Waits until something has happened that operations bring about, and runs those here whose blocks need
  /// the isolation that the caller blocks.
  ///
  /// Tasks of that isolation that are suspended go behind them.
  ///
  /// - Parameters:
  ///   - isHome: Says whether a block that is isolated so needs the caller's isolation.
  ///   - isDone: Says whether it has happened; `recheck` should be called after it has.
  func run(isHome: (ObjectIdentifier) -> Bool, until isDone: () -> Bool) {
    while true {
      let own: AsyncOperation? = locked {
        while !isDone(), !worker.isEnded {
          if let current, case .offered = current.phase, let home = current.home, isHome(home) {
            if current.job != nil { return current }
            postpone(current, isHome)
          }
          // A cancelled operation that ends it may be released without a signal.
          _ = condition.wait(until: Date(timeIntervalSinceNow: Self.patience))
        }
        return nil
      }
      guard let own, let job = own.job else { return }
      job(own)
    }
  }

  /// Lets those who wait in `run` look again.
  func recheck() {
    locked { condition.broadcast() }
  }

  /// Takes an offer back, and puts its operation behind the last one that can be run here.
  private func postpone(_ operation: AsyncOperation, _ isHome: (ObjectIdentifier) -> Bool) {
    operation.phase = .waiting
    let last = waiting.lastIndex { other in
      other.job != nil && other.home.map(isHome) ?? false
    }
    waiting.insert(operation, at: last.map { $0 + 1 } ?? 0)
    condition.broadcast()
  }

  // MARK: The thread

  private func work(_ core: OpenStore) {
    core.transactions.gate.enterInBackground { self.wantBack() }
    let (group, result) = serve(core)
    core.transactions.gate.leave()
    group.resolve(result)
  }

  /// Asks for the turn, which a caller blocks for.
  private func wantBack() {
    locked {
      isWantedBack = true
      condition.broadcast()
    }
  }

  /// Lets operations run, until one must be committed before the next.
  private func serve(_ core: OpenStore) -> (CommitGroup, Result<Void, any Error>) {
    var group = CommitGroup(core)
    var goesOn = true
    let limits = core.configuration.groupCommit
    while goesOn, group.count < limits.maximumGroupSize,
      group.count == 0 || !core.transactions.gate.hasBlockedCallers,
      let operation = takeFirst(
        isAlone: group.count == 0,
        lingering: group.count == 0 ? .zero : limits.linger
      )
    {
      do {
        let storage = try group.begin()
        let lent = LentTransaction(core.transactions.writeTransaction(storage))
        goesOn = offer(
          lent,
          to: operation,
          &group,
          isContended: core.transactions.gate.hasBlockedCallers
        )
      } catch {
        fail(operation, core.file.shown(error))
      }
    }
    return (group, group.commit())
  }

  /// Takes the first operation that waits, unless it must be alone; nil when none comes in time, or somebody
  /// blocks for the turn.
  private func takeFirst(isAlone: Bool, lingering time: Duration) -> AsyncOperation? {
    let deadline = Date(timeIntervalSinceNow: time / .seconds(1))
    return locked {
      while time > .zero, waiting.isEmpty, !isWantedBack, worker.takesMore,
        condition.wait(until: deadline)
      {}
      guard let first = waiting.first, isAlone || !first.isSilent else { return nil }
      let operation = waiting.removeFirst()
      current = operation
      return operation
    }
  }

  /// Offers a transaction to an operation, and returns whether another one may follow in the group.
  private func offer(
    _ lent: LentTransaction,
    to operation: AsyncOperation,
    _ group: inout CommitGroup,
    isContended: Bool
  ) -> Bool {
    let isOffered = locked {
      // It may have been cancelled since it was taken.
      guard case .waiting = operation.phase else {
        current = nil
        return false
      }
      isWantedBack = isContended
      operation.phase = .offered(lent)
      // A store that is closing may look for it.
      condition.broadcast()
      return true
    }
    guard isOffered else {
      group.drop(lent.transaction.storage)
      return true
    }
    operation.summon(operation)
    switch waitForStart(of: operation) {
    case .begun: break
    case .cancelled:
      group.drop(lent.transaction.storage)
      return true
    case .takenBack:
      group.drop(lent.transaction.storage)
      return false
    }
    let ending = lent.waitForEnding()
    locked {
      operation.phase = .ended
      current = nil
    }
    switch ending {
    case .rollback:
      group.drop(lent.transaction.storage)
      lent.resolve(.success(()))
      return true
    case .commit(let summary, let isGroupingAllowed):
      group.add(lent, summary)
      return isGroupingAllowed && summary.skipped.isEmpty
    }
  }

  private enum Start {
    case begun
    case cancelled
    case takenBack
  }

  /// Waits until an operation takes up its offer, or no longer can.
  private func waitForStart(of operation: AsyncOperation) -> Start {
    let deadline = Date(timeIntervalSinceNow: Self.grace)
    return locked {
      while case .offered = operation.phase {
        guard isWantedBack else {
          condition.wait()
          continue
        }
        if !condition.wait(until: deadline), case .offered = operation.phase {
          operation.phase = .waiting
          waiting.insert(operation, at: 0)
          current = nil
          return .takenBack
        }
      }
      if case .running = operation.phase { return .begun }
      current = nil
      if case .waiting = operation.phase { return .takenBack }
      return .cancelled
    }
  }

  /// Ends an operation whose transaction cannot begin.
  private func fail(_ operation: AsyncOperation, _ error: any Error) {
    let isTold = locked {
      current = nil
      guard case .waiting = operation.phase else { return false }
      operation.phase = .failed(error)
      return true
    }
    if isTold { operation.summon(operation) }
  }

  /// Ends an operation whose task cannot go on, since its actor waits for the store to close.
  private func refuse(_ operation: AsyncOperation, _ core: OpenStore) {
    locked {
      guard case .offered = operation.phase else { return }
      operation.phase = .failed(StoreError.closed(core.file.location))
      condition.broadcast()
    }
    operation.summon(operation)
  }
}
