extension Store {
  // MARK: Suspending

  /// Runs a block in a write transaction of its own, in the caller's isolation.
  ///
  /// Does not block a thread while it waits for other writers or for the disk.
  ///
  /// The block itself runs without suspension, and may use objects of the caller's isolation.
  ///
  ///     let count = try await store.write { transaction in
  ///       try transaction.put(person)
  ///       return try transaction.count(Person.self)
  ///     }
  ///
  /// - Parameters:
  ///   - tokens: Observers of this store to leave out.
  ///   - isolation: The isolation of the block; the caller's.
  ///   - body: Reads and writes. When it throws, everything is rolled back.
  /// - Returns: The block's result, once its changes are on disk.
  /// - Throws: The block's error, unchanged; `CancellationError` when the task is cancelled before
  ///   the block begins (the block does not run); ``ObjectBoxError``: `closed`, `readOnly`,
  ///   `foreignToken`, `tooManyActiveVersions`, `dbFull`.
  @discardableResult
  public func write<R>(
    withoutNotifying tokens: [NotificationToken] = [],
    isolation: isolated (any Actor)? = #isolation,
    _ body: (WriteTransaction) throws -> R
  ) async throws -> R {
    let skipped = try openStore.commits.skipping(tokens)
    return try await writeSuspending(skipping: skipped, isolation: isolation, body)
  }

  /// Runs a block in a write transaction that notifies no observer; see
  /// ``write(withoutNotifying:isolation:_:)``.
  ///
  /// - Parameters:
  ///   - silence: The observers to leave out.
  ///   - isolation: The isolation of the block; the caller's.
  ///   - body: Reads and writes.
  /// - Returns: The block's result, once its changes are on disk.
  /// - Throws: As ``write(withoutNotifying:isolation:_:)``.
  @discardableResult
  public func write<R>(
    withoutNotifying silence: SilentWrite,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (WriteTransaction) throws -> R
  ) async throws -> R {
    try await writeSuspending(skipping: .all, isolation: isolation, body)
  }

  /// Runs a block in a write transaction that leaves out some observers; see
  /// ``write(withoutNotifying:isolation:_:)``.
  package func writeSuspending<R>(
    skipping: SkippedListeners,
    isolation: isolated (any Actor)?,
    _ body: (WriteTransaction) throws -> R
  ) async throws -> R {
    try checkCanScheduleWrite()
    let lent = try await waitForTransaction(isolation: isolation, isSilent: !skipping.isEmpty)
    defer { openStore.writer.operations.complete() }
    lent.transaction.skipped = skipping
    let ending = WriterThreadCommit(openStore, lent, home: CallbackTarget(isolation))
    let write = WriteTransaction(self, lent.transaction, ending: ending)
    let result = try write.run(body)
    guard !write.isEnded else { return result }
    try write.checkCanEnd()
    write.end()
    try ending.handBack(isGroupingAllowed: true)
    let outcome = await withCheckedContinuation { continuation in
      lent.whenEnded { continuation.resume(returning: $0) }
    }
    lent.transaction.outcome(isCommitted: (try? outcome.get()) != nil)
    try outcome.get()
    return result
  }

  /// Suspends until the writer thread lends a transaction, which the caller must use at once.
  private func waitForTransaction(
    isolation: isolated (any Actor)?,
    isSilent: Bool
  ) async throws -> WriterThreadTransaction {
    try Task.checkCancellation()
    let writer = openStore.writer
    let signal = TaskSignal()
    let block = QueuedBlock(
      id: writer.operations.nextID(),
      .task(isolation: isolation.map { ObjectIdentifier($0) }, signal),
      isSilent: isSilent
    )
    try writer.add(block)
    do {
      return try await withTaskCancellationHandler {
        while true {
          await signal.wait(isolation: isolation)
          if let lent = try writer.takeOffer(block) { return lent }
        }
      } onCancel: {
        _ = writer.cancel(block.id)
      }
    } catch {
      writer.operations.complete()
      throw error
    }
  }

  // MARK: How

  /// Throws when no asynchronous write can begin.
  package func checkCanScheduleWrite() throws {
    if isClosed || transactions.isClosed { throw closedError() }
    if file.isReadOnly {
      throw ObjectBoxError.readOnly(
        message:
          "cannot write to the store at '\(directoryPath)': it was opened with readOnly: true"
      )
    }
  }
}
