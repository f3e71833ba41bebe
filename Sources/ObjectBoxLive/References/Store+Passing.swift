public import ObjectBox

// Writes that are passed a handle: the block gets its object, or the objects of its results, read in the
// write transaction.

extension Store {
  /// Runs a block in a write transaction later, in the caller's isolation, with the data of a handle.
  ///
  ///     store.writeAsync(passing: person) { transaction, person in
  ///       if let person { try transaction.remove(person) }
  ///     }
  ///
  /// - Parameters:
  ///   - handle: A frozen or live handle of this store: an object or results.
  ///   - isolation: The isolation that the blocks are called in; the caller's.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - errorHandler: Called with the error when nothing was written; with
  ///     `WriteCancellation.byCancelWrite` when the block has cancelled its transaction. Without it
  ///     `Configuration.onUnheardFailure` is called.
  ///   - block: Reads and writes. It is passed a new instance, or an array of them; nil when the object,
  ///     or the host of the relation, is gone.
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
  ///   - isolation: The isolation that the block runs in; the caller's.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - block: Reads and writes. It is passed a new instance, or an array of them; nil when the object,
  ///     or the host of the relation, is gone.
  /// - Returns: The result of the block, once its changes are on disk.
  /// - Throws: The block's error; `ObjectBoxError`: `invalidated`, `differentStore`, others as for a write.
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

  /// Runs a block in a write transaction later, on a queue, with the data of a handle.
  ///
  /// - Parameters:
  ///   - handle: A frozen handle of this store, or a live one of the caller's isolation: an object or results.
  ///   - queue: The queue that both blocks are called on.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - errorHandler: Called with the error when nothing was written; with `WriteCancellation` when the
  ///     write was cancelled.
  ///   - block: Reads and writes. It is passed a new instance, or an array of them; nil when the object,
  ///     or the host of the relation, is gone.
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
    // An error here is reported like those of the write, on the queue.
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
