public import ObjectBox

extension LiveStore: WritingView {
  /// Runs a block in a write transaction of its own, which begins at the newest version.
  ///
  /// First the view moves there, and notifies its observers of earlier commits. Inside the block it
  /// shows the block's changes, after the commit the new version. Blocks the thread while others
  /// write; use `await write` where that is not acceptable.
  ///
  ///     try live.write { transaction in try transaction.put(Note(title: "Milk")) }
  ///     print(try live.count(Note.self))  // counts the new note
  ///
  /// - Parameter body: Reads and writes. When it throws, everything is rolled back.
  /// - Returns: The result of the block, once its changes are on disk.
  /// - Throws: The block's error, unchanged; `ObjectBoxError`: `wrongIsolation`,
  ///   `alreadyInWriteTransaction` inside another write, also of another view, `closed`,
  ///   `readOnly`, `tooManyActiveVersions`, `dbFull`.
  @discardableResult
  @available(*, noasync, message: "this blocks the thread; use 'try await live.write'")
  public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    try checkUsable()
    return try write(skipping: .none, body)
  }

  /// Runs a block in a write transaction that leaves out some observers; see ``write(_:)``.
  ///
  /// - Parameters:
  ///   - tokens: Tokens of observers of the store to leave out.
  ///   - body: Reads and writes.
  /// - Returns: The result of the block, once its changes are on disk.
  /// - Throws: As ``write(_:)``, and `foreignToken`.
  @discardableResult
  @available(*, noasync, message: "this blocks the thread; use 'try await live.write'")
  public func write<R>(
    withoutNotifying tokens: [NotificationToken],
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try checkUsable()
    let skipping = try store.openStore.commits.skipping(tokens)
    return try write(skipping: skipping, body)
  }

  /// Runs a block in a write transaction that notifies no observer; see ``write(_:)``.
  @discardableResult
  @available(*, noasync, message: "this blocks the thread; use 'try await live.write'")
  public func write<R>(
    withoutNotifying silence: SilentWrite,
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try checkUsable()
    return try write(skipping: .all, body)
  }

  /// Begins a write transaction that ends by a call; the view shows its changes.
  ///
  /// Blocks the thread while others write. Releasing the open transaction rolls it back.
  ///
  /// - Parameter isolation: The isolation of `onComplete` of `commitAsyncWrite`; the caller's.
  /// - Returns: The transaction, which must not leave the thread.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, and as `Store.beginWrite(isolation:)`.
  @available(*, noasync, message: "this blocks the thread; use 'try await live.write'")
  public func beginWrite(
    isolation: isolated (any Actor)? = #isolation
  ) throws -> WriteTransaction {
    try checkUsable()
    let write = try store.beginWrite(isolation: isolation)
    try follow(write)
    return write
  }

  // MARK: Moving with writes

  private func write<R>(
    skipping: SkippedListeners,
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try store.writeOnThisThread(skipping: skipping) { write in
      try follow(write)
      return try body(write)
    }
  }

  /// Moves the view to the version at which a write transaction has begun.
  func follow(_ write: WriteTransaction) throws {
    try checkUsable()
    openWrite = write
    write.follower = self
    try move()
    deliver()
  }

  /// Moves the view to the version that its own transaction has committed.
  package func didCommit() {
    moveOrTell()
    // Notifies observers later, so that the caller continues first.
    if hasObservers { signal.call() }
  }

  /// Returns a completion for an asynchronous commit, which moves the view and then calls
  /// `onComplete`.
  package func following(_ onComplete: (((any Error)?) -> Void)?) -> ((any Error)?) -> Void {
    let entry = pendingWrites.add(canBeRun: false)
    return { error in
      self.didCommit()
      onComplete?(error)
      entry.complete()
    }
  }
}
