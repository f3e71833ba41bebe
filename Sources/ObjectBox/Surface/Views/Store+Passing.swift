extension Store {
  // MARK: Objects

  /// Runs a block in a write transaction later, in the caller's isolation, with an object as it is then.
  ///
  ///     store.writeAsync(passing: person) { transaction, person in
  ///       if let person { try transaction.remove(person) }
  ///     }
  ///
  /// - Parameters:
  ///   - handle: A frozen or live handle of an object of this store, which may belong to another isolation
  ///     when it is frozen.
  ///   - isolation: Where the blocks are called; the caller's.
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  ///   - errorHandler: Called with why nothing was written, if so. Without it
  ///     ``Configuration/onUnheardFailure`` is told.
  ///   - block: Reads and writes. It is passed a new instance; nil when the object is gone.
  public func writeAsync<M: Managed, E>(
    passing handle: M,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    errorHandler: ((any Error) -> Void)? = nil,
    _ block: @escaping (WriteTransaction, E?) throws -> Void
  ) where M.Frozen == FrozenObject<E> {
    passing(handle, isolation, CallSite(file, line), errorHandler) { transaction, reference in
      try block(transaction, try transaction.resolve(reference))
    }
  }

  /// Runs a block in a write transaction, in the caller's isolation, with an object as it is then; see
  /// ``write(withoutNotifying:isolation:_:)``.
  ///
  /// - Parameters:
  ///   - handle: A frozen or live handle of an object of this store.
  ///   - isolation: Where the block runs; the caller's.
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  ///   - block: Reads and writes. It is passed a new instance; nil when the object is gone.
  /// - Returns: What the block returns, once its changes are on disk.
  /// - Throws: What the block throws; ``ObjectBoxError``: `invalidated`, `differentStore`, others as for a
  ///   write.
  @discardableResult
  public func write<M: Managed, E, R>(
    passing handle: M,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ block: (WriteTransaction, E?) throws -> R
  ) async throws -> R where M.Frozen == FrozenObject<E> {
    let reference = try ThreadSafeReference(to: handle, file: file, line: line)
    return try await write(isolation: isolation) { transaction in
      try block(transaction, try transaction.resolve(reference))
    }
  }

  // MARK: Results

  /// Runs a block in a write transaction later, in the caller's isolation, with what results find then.
  ///
  ///     store.writeAsync(passing: readMails) { transaction, mails in
  ///       try mails?.forEach { try transaction.remove($0) }
  ///     }
  ///
  /// - Parameters:
  ///   - results: Frozen or live results of this store.
  ///   - isolation: Where the blocks are called; the caller's.
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  ///   - errorHandler: Called with why nothing was written, if so. Without it
  ///     ``Configuration/onUnheardFailure`` is told.
  ///   - block: Reads and writes. It is passed new instances; nil when the results are those of a relation
  ///     whose object is gone.
  public func writeAsync<M: Managed, E>(
    passing results: M,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    errorHandler: ((any Error) -> Void)? = nil,
    _ block: @escaping (WriteTransaction, [E]?) throws -> Void
  ) where M.Frozen == FrozenResults<E> {
    passing(results, isolation, CallSite(file, line), errorHandler) { transaction, reference in
      try block(transaction, try transaction.resolve(reference))
    }
  }

  /// Runs a block in a write transaction, in the caller's isolation, with what results find then; see
  /// ``write(withoutNotifying:isolation:_:)``.
  ///
  /// - Parameters:
  ///   - results: Frozen or live results of this store.
  ///   - isolation: Where the block runs; the caller's.
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  ///   - block: Reads and writes. It is passed new instances; nil when the results are those of a relation
  ///     whose object is gone.
  /// - Returns: What the block returns, once its changes are on disk.
  /// - Throws: What the block throws; ``ObjectBoxError``: `invalidated`, `differentStore`, others as for a
  ///   write.
  @discardableResult
  public func write<M: Managed, E, R>(
    passing results: M,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ block: (WriteTransaction, [E]?) throws -> R
  ) async throws -> R where M.Frozen == FrozenResults<E> {
    let reference = try ThreadSafeReference(to: results, file: file, line: line)
    return try await write(isolation: isolation) { transaction in
      try block(transaction, try transaction.resolve(reference))
    }
  }

  // MARK: How

  private func passing<M: Managed>(
    _ handle: M,
    _ isolation: isolated (any Actor)?,
    _ site: CallSite,
    _ errorHandler: ((any Error) -> Void)?,
    _ block: @escaping (WriteTransaction, ThreadSafeReference<M>) throws -> Void
  ) {
    do {
      let reference = try ThreadSafeReference(to: handle, file: site.file, line: site.line)
      writeAsync(
        isolation: isolation,
        { transaction in try block(transaction, reference) },
        onComplete: errorHandler.map { handler in
          { error in if let error { handler(error) } }
        }
      )
    } catch {
      if let errorHandler { errorHandler(error) } else { core.failures.tell(.asyncWrite, error) }
    }
  }
}
