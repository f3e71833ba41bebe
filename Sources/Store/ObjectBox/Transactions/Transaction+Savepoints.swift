internal import ObjectBoxStorage

/// The state of a write transaction before an operation, restored when the operation fails.
struct Savepoint {
  /// The storage transaction around the savepoint.
  let storage: StorageTransaction
  /// The changes before the savepoint.
  let work: TransactionWork
  let changeCount: Int
  let failure: (any Error)?
  let memory: MemoryMark
}

/// The state of the objects in memory before an operation.
package struct MemoryMark {
  fileprivate let undoCount: Int
  /// The queue of puts; nil if it is empty.
  fileprivate let puts: PutQueue.Mark?
}

extension Transaction {
  /// Runs an operation of several steps.
  ///
  /// If it throws, only the operation is undone, and the transaction continues.
  ///
  /// Without `failure.undoesOperations` there is no savepoint, and a failure rolls the transaction back. The
  /// operation must open and close its own cursors and writers. A savepoint costs a few
  /// microseconds.
  ///
  /// - Parameters:
  ///   - mark: The state of the objects in memory before the operation; nil for the present one.
  ///   - isNeeded: False if the operation can only fail before its first change.
  ///   - body: The operation.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  package func undoing<T>(
    from mark: MemoryMark? = nil,
    if isNeeded: Bool = true,
    _ body: () throws -> T
  ) throws -> T {
    guard failure.undoesOperations, isNeeded else { return try body() }
    try beginSavepoint(mark ?? self.mark)
    let result: T
    do { result = try body() } catch {
      undoSavepoint()
      throw error
    }
    try endSavepoint()
    return result
  }

  /// Runs a block of `runInTransaction`.
  ///
  /// Any failure undoes the whole block, even a failure that the block catches.
  func undoingAsOne<T>(_ body: () throws -> T) throws -> T {
    guard failure.undoesOperations else { return try body() }
    return try undoing {
      failure.undoesOperations = false
      defer {
        failure.undoesOperations = true
        failure.forgetDoom()
      }
      let result = try body()
      if let refusal = failure.refusal { throw refusal }
      return result
    }
  }

  // MARK: Memory

  /// The present state of the objects in memory.
  var mark: MemoryMark {
    MemoryMark(undoCount: undoActions.count, puts: queue?.mark)
  }

  /// Restores the objects in memory to a mark.
  func restore(_ mark: MemoryMark) {
    undo(downTo: mark.undoCount)
    queue?.restore(mark.puts)
  }

  // MARK: Undo actions

  /// Adds an action that restores an object in memory on a rollback.
  func onRollback(_ action: @escaping () -> Void) {
    undoActions.append(action)
  }

  /// Runs undo actions, the newest first, until `count` actions are left.
  func undo(downTo count: Int = 0) {
    while undoActions.count > count { undoActions.removeLast()() }
  }

  // MARK: Storage

  private func beginSavepoint(_ mark: MemoryMark) throws {
    do {
      // Written first, to be read again if the operation is undone.
      try flushDerivedIndexes()
    } catch {
      failure.fail(by: file.shown(error))
      throw error
    }
    let child = try file.environment.beginWrite(inside: storage)
    savepoints.append(
      Savepoint(
        storage: storage,
        work: work,
        changeCount: changeCount,
        failure: failure.error,
        memory: mark
      )
    )
    // Starts empty: adding to the earlier work would copy it.
    work = TransactionWork()
    use(child)
  }

  /// Merges the changes since the last savepoint into the changes before it.
  private func endSavepoint() throws {
    if let error = failure.error, savepoints.last?.failure == nil {
      // The operation continued after a failed step that cannot be undone alone.
      undoSavepoint()
      throw error
    }
    work.closeCursors()
    do {
      try flushUnmovableIndexes()
      try storage.commit()
    } catch {
      undoSavepoint()
      throw error
    }
    let later = work
    use(savepoints[savepoints.count - 1].storage)
    work = savepoints.removeLast().work
    work.add(later)
  }

  /// Undoes all changes since the last savepoint.
  private func undoSavepoint() {
    dropDerivedIndexes()
    work = TransactionWork()
    storage.abortUnlessEnded()
    let savepoint = savepoints.removeLast()
    use(savepoint.storage)
    work = savepoint.work
    forgetWrites(since: savepoint.changeCount)
    failure.restore(savepoint.failure)
    restore(savepoint.memory)
  }

  private func use(_ storage: StorageTransaction) {
    self.storage = storage
    for (_, index) in derivedIndexes.open { index.storage = storage }
  }
}
