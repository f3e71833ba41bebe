internal import Foundation

/// Asynchronous blocks: the thread offers a transaction to one block after another.
///
/// Blocks that allow it share a commit.
///
/// A block runs in its own isolation while the thread waits. If a caller blocks for the write lock,
/// the thread takes back an offer that the block has not accepted. So a blocked actor never waits
/// for a block that needs this actor.
extension WriterThread {
  /// Time in seconds that an offer stays open while a caller blocks for the write lock.
  private static let grace: TimeInterval = 0.002

  // MARK: Queue

  /// Adds a block; throws when the store is closed or closing.
  package func add(_ block: QueuedBlock) throws {
    try condition.withLock {
      guard takesMore else { throw StoreError.closed(transactions.file.location) }
      blocks.append(block)
      operations.begin()
      condition.broadcast()
      startThread()
    }
  }

  /// Cancels a block that has not begun, or the completion of a commit; true if it was found.
  ///
  /// The code of the block receives the cancellation in its isolation.
  package func cancel(_ id: AsyncTransactionID) -> Bool {
    let cancelled: QueuedBlock? = condition.withLock {
      guard let block = blocks.remove(id) ?? current, block.id == id else { return nil }
      switch block.phase {
      case .waiting, .offered: break
      case .running, .failed, .ended: return nil
      }
      block.phase = .failed(block.cancellation)
      condition.broadcast()
      return block
    }
    guard let cancelled else { return operations.takeCompletion(of: id) }
    cancelled.onCancel?()
    notify(cancelled)
    return true
  }

  /// True if a transaction belongs to a running block with the given ID.
  package func isRunning(_ id: AsyncTransactionID, with transaction: Transaction) -> Bool {
    condition.withLock {
      guard let current, current.id == id, case .running(let lent) = current.phase else {
        return false
      }
      return lent.transaction === transaction
    }
  }

  // MARK: The block's side

  /// Accepts the transaction that was offered to a block; called in the isolation of its code.
  ///
  /// - Returns: The transaction; nil if the offer was taken back and will be repeated.
  /// - Throws: The reason why the block never runs; `CancellationError` if another call has run it.
  func takeOffer(_ block: QueuedBlock) throws -> WriterThreadTransaction? {
    try condition.withLock {
      switch block.phase {
      case .offered(let lent):
        block.phase = .running(lent)
        condition.broadcast()
        return lent
      case .waiting: return nil
      case .failed(let error): throw error
      case .running, .ended: throw CancellationError()
      }
    }
  }

  /// Wakes the code of a block, which accepts its offer or receives the error.
  private func notify(_ block: QueuedBlock) {
    switch block.caller {
    case .task(_, let signal): signal.send()
    case .isolation(let target, _): target.send { self.run(block) }
    }
  }

  /// Calls the body of a block if it has an offer or an error; called in the isolation of the body.
  private func run(_ block: QueuedBlock) {
    guard case .isolation(_, let body) = block.caller else { return }
    do {
      guard let lent = try takeOffer(block) else { return }
      body.take()?(.success(lent))
    } catch is CancellationError {
      // Another call has run the block.
    } catch {
      body.take()?(.failure(error))
    }
  }

  // MARK: Blocked isolations

  /// Rejects new blocks and records, and waits until the queues are empty and the thread has ended.
  ///
  /// `isHome` names the isolations that the caller blocks. Their blocks run inside this call. Their suspended tasks
  /// cannot continue, and receive the error of a closed store.
  func drain(isHome: (ObjectIdentifier) -> Bool) {
    refuseMore()
    run(isHome: isHome, until: { false }) { task in
      task.phase = .failed(StoreError.closed(transactions.file.location))
      notify(task)
    }
  }

  /// Waits for a condition that depends on blocks; they call `recheck` when it may have changed.
  ///
  /// `isHome` names the isolations that the caller blocks. Their blocks run inside this call. Their suspended tasks
  /// move after these blocks in the queue.
  package func run(isHome: (ObjectIdentifier) -> Bool, until isDone: () -> Bool) {
    run(isHome: isHome, until: isDone) { task in
      task.phase = .waiting
      blocks.insert(task) { $0.isCallable && $0.isolation.map(isHome) ?? false }
    }
  }

  private func run(
    isHome: (ObjectIdentifier) -> Bool,
    until isDone: () -> Bool,
    refusing: (_ task: QueuedBlock) -> Void
  ) {
    func next() -> QueuedBlock? {
      while !isDone(), !isEnded {
        if let current, case .offered = current.phase, let home = current.isolation, isHome(home) {
          if current.isCallable { return current }
          refusing(current)
          condition.broadcast()
        }
        // Polls: the release of a cancelled block may meet the condition without a signal.
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
      }
      return nil
    }
    while let own = condition.withLock(next) { run(own) }
  }

  /// Makes waiting calls of `run` check their conditions again.
  package func recheck() {
    condition.withLock { condition.broadcast() }
  }

  // MARK: The thread

  /// Runs blocks until they must be committed; the thread holds the write lock.
  func runBlocks() {
    condition.withLock { asksForBlocks = false }
    var group = CommitGroup(transactions)
    var mayFollow = true
    while mayFollow, group.lent.count < maximumGroupSize,
      group.lent.isEmpty || !isContended,
      let block = takeFirst(mustShare: !group.lent.isEmpty)
    {
      do {
        let lent = try group.lend()
        switch offer(lent, to: block, isContended: isContended) {
        case .running: mayFollow = group.takeBack(lent)
        case let other:
          group.drop(lent.transaction)
          if case .waiting = other { mayFollow = false }
        }
        end(block)
      } catch {
        fail(block, error)
      }
    }
    commit(&group)
  }

  /// True when a blocked caller or asynchronous records wait for the write lock.
  private var isContended: Bool {
    transactions.gate.hasBlockedCallers || condition.withLock { !records.isEmpty }
  }

  /// Takes the first waiting block; nil if there is none, or it may not share the commit.
  ///
  /// With `mustShare` it waits up to `linger` for a block, unless another caller wants the write
  /// lock.
  private func takeFirst(mustShare: Bool) -> QueuedBlock? {
    let deadline = Date(timeIntervalSinceNow: linger / .seconds(1))
    return condition.withLock {
      while mustShare, linger > .zero, blocks.isEmpty, !isLockWanted, takesMore,
        condition.wait(until: deadline)
      {}
      if mustShare, blocks.next?.isSilent ?? true { return nil }
      current = blocks.popFirst()
      return current
    }
  }

  /// Offers a transaction to a block, and waits until the block accepts it or the offer ends.
  ///
  /// - Returns: `running` if it was accepted, `waiting` if it was taken back, or the phase of a
  ///   block that has ended.
  private func offer(
    _ lent: WriterThreadTransaction,
    to block: QueuedBlock,
    isContended: Bool
  ) -> QueuedBlock.Phase {
    let isOffered = condition.withLock {
      // The block may have been cancelled since `takeFirst`.
      guard case .waiting = block.phase else { return false }
      isLockWanted = isContended
      block.phase = .offered(lent)
      // A caller that closes the store may wait to run this block.
      condition.broadcast()
      return true
    }
    if isOffered { notify(block) }
    let deadline = Date(timeIntervalSinceNow: Self.grace)
    return condition.withLock {
      while case .offered = block.phase {
        guard isLockWanted else {
          condition.wait()
          continue
        }
        if !condition.wait(until: deadline), case .offered = block.phase {
          block.phase = .waiting
          blocks.prepend(block)
        }
      }
      return block.phase
    }
  }

  private func end(_ block: QueuedBlock) {
    condition.withLock {
      if case .running = block.phase { block.phase = .ended }
      current = nil
    }
  }

  /// Ends a block with a transaction that cannot begin.
  private func fail(_ block: QueuedBlock, _ error: any Error) {
    let isTold = condition.withLock {
      current = nil
      guard case .waiting = block.phase else { return false }
      block.phase = .failed(error)
      return true
    }
    if isTold { notify(block) }
  }
}
