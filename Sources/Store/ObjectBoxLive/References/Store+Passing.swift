public import ObjectBox

// Writes with a handle: the block gets its object, or the objects of its results, read in the write
// transaction.

extension Store {
  /// Schedules a block in a write transaction, in the caller's isolation, with the data of a
  /// handle.
  ///
  ///     store.writeAsync(passing: person) { transaction, person in
  ///       if let person { try transaction.remove(person) }
  ///     }
  ///
  /// - Parameters:
  ///   - handle: A frozen or live handle of this store: an object or results.
  ///   - isolation: The isolation of the blocks; the caller's.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - errorHandler: Called with the error when nothing was written; with
  ///     `WriteCancellation.byCancelWrite` when the block has cancelled its transaction. Without
  ///     it, errors go to `Configuration.onUnheardFailure`.
  ///   - block: Reads and writes. Gets a new instance, or an array of instances; nil when the
  ///     object or the relation's host is gone.
  public func writeAsync<M: Managed>(
    passing handle: M,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    errorHandler: ((any Error) -> Void)? = nil,
    _ block: @escaping (WriteTransaction, M.Resolved?) throws -> Void
  ) {
    do {
      let reference = try ThreadSafeReference(to: handle, file: file, line: line)
      writeAsync(
        isolation: isolation,
        { transaction in try block(transaction, try transaction.resolve(reference)) },
        onComplete: errorHandler.map { handler in
          { error in if let error { handler(error) } }
        }
      )
    } catch {
      if let errorHandler {
        errorHandler(error)
      } else {
        openStore.failures.tell(.asyncWrite, error)
      }
    }
  }

  /// Runs a block in a write transaction, in the caller's isolation, with the data of a handle; see
  /// `write(withoutNotifying:)`.
  ///
  /// - Parameters:
  ///   - handle: A frozen or live handle of this store: an object or results.
  ///   - isolation: The isolation of the block; the caller's.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - block: Reads and writes. Gets a new instance, or an array of instances; nil when the
  ///     object or the relation's host is gone.
  /// - Returns: The result of the block, once its changes are on disk.
  /// - Throws: The block's error; `ObjectBoxError`: `invalidated`, `differentStore`, others as for
  ///   a write.
  @discardableResult
  public func write<M: Managed, R>(
    passing handle: M,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ block: (WriteTransaction, M.Resolved?) throws -> R
  ) async throws -> R {
    let reference = try ThreadSafeReference(to: handle, file: file, line: line)
    return try await write(isolation: isolation) { transaction in
      try block(transaction, try transaction.resolve(reference))
    }
  }

  /// Schedules a block in a write transaction, on a queue, with the data of a handle.
  ///
  /// - Parameters:
  ///   - handle: A handle of an object or results: frozen, of this store, or live, of the caller's
  ///     isolation.
  ///   - queue: The callback queue of both blocks.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - errorHandler: Called with the error when nothing was written; with `WriteCancellation`
  ///     when the write was cancelled.
  ///   - block: Reads and writes. Gets a new instance, or an array of instances; nil when the
  ///     object or the relation's host is gone.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func writeAsync<M: Managed>(
    passing handle: M,
    on queue: SerialQueue,
    file: StaticString = #fileID,
    line: UInt = #line,
    errorHandler: (@Sendable (any Error) -> Void)? = nil,
    _ block: @escaping @Sendable (WriteTransaction, M.Resolved?) throws -> Void
  ) -> AsyncTransactionID
  where M: SendableMetatype, M.Resolved: SendableMetatype {
    // Its error is reported like errors of the write, on the queue.
    let reference = Result { try ThreadSafeReference(to: handle, file: file, line: line) }
    return writeAsync(
      on: queue,
      { transaction in try block(transaction, try transaction.resolve(try reference.get())) },
      onComplete: errorHandler.map { handler in
        { @Sendable (error: (any Error)?) in if let error { handler(error) } }
      }
    )
  }
}
