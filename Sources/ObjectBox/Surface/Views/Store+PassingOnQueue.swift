extension Store {
  /// Runs a block in a write transaction later, on a queue, with an object as it is then.
  ///
  ///     store.writeAsync(passing: person, on: queue) { transaction, person in
  ///       if let person { try transaction.remove(person) }
  ///     }
  ///
  /// - Parameters:
  ///   - handle: A frozen handle of an object of this store, or a live one of the caller's isolation.
  ///   - queue: Where both blocks are called.
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  ///   - errorHandler: Called with why nothing was written, if so.
  ///   - block: Reads and writes. It is passed a new instance; nil when the object is gone.
  /// - Returns: Names the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func writeAsync<M: Managed, E>(
    passing handle: M,
    on queue: SerialQueue,
    file: StaticString = #fileID,
    line: UInt = #line,
    errorHandler: (@Sendable (any Error) -> Void)? = nil,
    _ block: @escaping @Sendable (WriteTransaction, E?) throws -> Void
  ) -> AsyncTransactionID
  where M.Frozen == FrozenObject<E>, M: SendableMetatype, E: SendableMetatype {
    passing(handle, on: queue, CallSite(file, line), errorHandler) { transaction, reference in
      try block(transaction, try transaction.resolve(reference))
    }
  }

  /// Runs a block in a write transaction later, on a queue, with what results find then.
  ///
  /// - Parameters:
  ///   - results: Frozen results of this store, or live ones of the caller's isolation.
  ///   - queue: Where both blocks are called.
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  ///   - errorHandler: Called with why nothing was written, if so.
  ///   - block: Reads and writes. It is passed new instances; nil when the results are those of a relation
  ///     whose object is gone.
  /// - Returns: Names the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func writeAsync<M: Managed, E>(
    passing results: M,
    on queue: SerialQueue,
    file: StaticString = #fileID,
    line: UInt = #line,
    errorHandler: (@Sendable (any Error) -> Void)? = nil,
    _ block: @escaping @Sendable (WriteTransaction, [E]?) throws -> Void
  ) -> AsyncTransactionID
  where M.Frozen == FrozenResults<E>, M: SendableMetatype, E: SendableMetatype {
    passing(results, on: queue, CallSite(file, line), errorHandler) { transaction, reference in
      try block(transaction, try transaction.resolve(reference))
    }
  }

  /// What cannot be referred to is an error of the write, so it is told like all others, on the queue.
  private func passing<M: Managed & SendableMetatype>(
    _ handle: M,
    on queue: SerialQueue,
    _ site: CallSite,
    _ errorHandler: (@Sendable (any Error) -> Void)?,
    _ block: @escaping @Sendable (WriteTransaction, ThreadSafeReference<M>) throws -> Void
  ) -> AsyncTransactionID {
    let reference = Result {
      try ThreadSafeReference(to: handle, file: site.file, line: site.line)
    }
    let onComplete = errorHandler.map { handler in
      { @Sendable (error: (any Error)?) in if let error { handler(error) } }
    }
    return writeAsync(
      on: queue,
      { transaction in try block(transaction, try reference.get()) },
      onComplete: onComplete
    )
  }
}
