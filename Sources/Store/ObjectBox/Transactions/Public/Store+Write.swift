extension Store {
  /// Runs a block in a write transaction of its own: all its changes are committed together, or
  /// none.
  ///
  /// Blocks the thread while others write; use `await write` where that is not acceptable. Boxes
  /// and queries of the store that the block uses take part. Debug builds warn on standard error
  /// when the main actor has waited for more than 250 milliseconds.
  ///
  ///     try store.write { transaction in
  ///       let ada = Author(name: "Ada")
  ///       try transaction.put(ada)
  ///       try transaction.put(Note(title: "Engines", author: ada))
  ///     }
  ///
  /// - Parameters:
  ///   - tokens: Observers of this store to leave out.
  ///   - body: Reads and writes. It must not hand the transaction to another thread. When it
  ///     throws, everything is rolled back.
  /// - Returns: The block's result, once its changes are on disk.
  /// - Throws: The block's error, unchanged; ``ObjectBoxError``: `alreadyInWriteTransaction` inside
  ///   another write, `cannotWriteWhileReading` inside a read, `closed`, `readOnly`,
  ///   `foreignToken`, `tooManyActiveVersions`, `dbFull`.
  @discardableResult
  @available(*, noasync, message: "this blocks the thread; use 'try await store.write'")
  public func write<R>(
    withoutNotifying tokens: [NotificationToken] = [],
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try writeOnThisThread(skipping: try openStore.commits.skipping(tokens), body)
  }

  /// Runs a block in a write transaction that notifies no observer.
  ///
  /// - Parameters:
  ///   - silence: The observers to leave out.
  ///   - body: Reads and writes, as in ``write(withoutNotifying:_:)``.
  /// - Returns: The block's result, once its changes are on disk.
  /// - Throws: As ``write(withoutNotifying:_:)``.
  @discardableResult
  @available(*, noasync, message: "this blocks the thread; use 'try await store.write'")
  public func write<R>(
    withoutNotifying silence: SilentWrite,
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try writeOnThisThread(skipping: .all, body)
  }

  package func writeOnThisThread<R>(
    skipping: SkippedListeners,
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try checkCanBeginWrite()
    let state = ThreadContext.current.state(for: transactions)
    let transaction = try transactions.warnings.waitingForWriteLock {
      try transactions.begin(on: state, isWritable: true).takeUnretainedValue()
    }
    transaction.skipped = skipping
    let write = WriteTransaction(
      self,
      transaction,
      ending: CallerThreadCommit(openStore, state, transaction)
    )
    let result = try write.run(body)
    if !write.isEnded { try write.commitWrite() }
    return result
  }

  /// Throws when no write block can begin on this thread.
  func checkCanBeginWrite() throws {
    try checkCanScheduleWrite()
    guard let open = transactions.openTransaction else { return }
    if open.isWritable {
      throw ObjectBoxError.alreadyInWriteTransaction(
        message:
          "a write transaction is open on this thread already; use that one, or runInTransaction, "
          + "which joins it"
      )
    }
    throw StoreError.writeInsideRead
  }

  /// Runs a block whose reads all see one version of the store.
  ///
  /// Never waits for a writer. Inside a write block it also sees that block's writes.
  ///
  ///     let (authors, notes) = try store.read { transaction in
  ///       (try transaction.all(Author.self), try transaction.all(Note.self))
  ///     }
  ///
  /// - Parameter body: Reads; boxes and queries that it uses take part. A write in it throws
  ///   `cannotWriteWhileReading`.
  /// - Returns: The block's result.
  /// - Throws: The block's error, unchanged; ``ObjectBoxError``: `closed`, `maxReadersExceeded`.
  @discardableResult
  public func read<R>(_ body: (ReadTransaction) throws -> R) throws -> R {
    if isClosed { throw closedError() }
    return try transactions.inTransaction(isWritable: false) { transaction, _ in
      let read = ReadTransaction(self, transaction)
      defer { read.end() }
      return try body(read)
    }
  }

  /// Begins a write transaction that ends by a call.
  ///
  /// Blocks the thread while others write. Boxes and queries of the store on this thread take part
  /// until it ends. Releasing the open transaction rolls it back.
  ///
  ///     let transaction = try store.beginWrite()
  ///     try transaction.put(Person(name: "Jane"))
  ///     try transaction.commitWrite()
  ///
  /// - Parameter isolation: The isolation of `onComplete` of `commitAsyncWrite`; the caller's.
  /// - Returns: The transaction, which must not leave the thread.
  /// - Throws: ``ObjectBoxError``: `alreadyInWriteTransaction` inside another write,
  ///   `cannotWriteWhileReading` inside a read, `closed`, `readOnly`, `tooManyActiveVersions`.
  @available(*, noasync, message: "this blocks the thread; use 'try await store.write'")
  public func beginWrite(
    isolation: isolated (any Actor)? = #isolation
  ) throws -> WriteTransaction {
    try checkCanBeginWrite()
    let lent = try transactions.warnings.waitingForWriteLock { try openStore.writer.begin() }
    let ending = WriterThreadCommit(openStore, lent, home: CallbackTarget(isolation))
    return WriteTransaction(self, lent.transaction, ending: ending)
  }

  /// True while a write transaction is open on the calling thread.
  public var isInWriteTransaction: Bool {
    !isClosed && transactions.isWritingOnThisThread
  }

  /// The number of the newest commit; each commit that changes anything increases it.
  ///
  /// Throws ``ObjectBoxError/closed(message:)`` when the store is closed.
  public func version() throws -> Int {
    try transactions.inTransaction(isWritable: false) { transaction, _ in transaction.version }
  }
}
