extension LiveStore: WriteFollower {
  /// Runs a block in a write transaction of its own, which begins at the newest version.
  ///
  /// The view is moved there first, and its observers hear of what came before; then it shows the changes
  /// of the block, and after the commit the new version. Waits for its turn, blocking the thread; use
  /// `await write` where blocking is not fine.
  ///
  /// - Parameter body: Reads and writes. When it throws, everything is rolled back.
  /// - Returns: What the block returns, once its changes are on disk.
  /// - Throws: What the block throws, unchanged; ``ObjectBoxError``: `wrongIsolation`,
  ///   `alreadyInWriteTransaction` inside another write, also of another view, `closed`, `readOnly`,
  ///   `tooManyActiveVersions`, `dbFull`.
  @discardableResult
  @available(*, noasync, message: "this blocks the thread; use 'try await live.write'")
  public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    try checkUsable()
    return try write(skipping: .none, body)
  }

  /// Runs a block in a write transaction that some observers are not told of; see ``write(_:)``.
  ///
  /// - Parameters:
  ///   - tokens: Observers of the store that are not told.
  ///   - body: Reads and writes.
  /// - Returns: What the block returns, once its changes are on disk.
  /// - Throws: As ``write(_:)``, and `foreignToken`.
  @discardableResult
  @available(*, noasync, message: "this blocks the thread; use 'try await live.write'")
  public func write<R>(
    withoutNotifying tokens: [NotificationToken],
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try checkUsable()
    let skipping = try store.core.commits.skipping(tokens)
    return try write(skipping: skipping, body)
  }

  /// Runs a block in a write transaction whose changes no observer is told; see ``write(_:)``.
  ///
  /// - Parameters:
  ///   - silence: Which observers are left out.
  ///   - body: Reads and writes.
  /// - Returns: What the block returns, once its changes are on disk.
  /// - Throws: As ``write(_:)``.
  @discardableResult
  @available(*, noasync, message: "this blocks the thread; use 'try await live.write'")
  public func write<R>(
    withoutNotifying silence: SilentWrite,
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try checkUsable()
    return try write(skipping: .all, body)
  }

  /// Begins a write transaction that is ended by a call; the view goes along with it.
  ///
  /// Waits for its turn, blocking the thread. When the returned object is let go while it is open, it is
  /// rolled back.
  ///
  /// - Parameter isolation: Where `onComplete` of `commitAsyncWrite` is called; the caller's.
  /// - Returns: The transaction, which must not leave the thread.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, and as ``Store/beginWrite(isolation:)``.
  @available(*, noasync, message: "this blocks the thread; use 'try await live.write'")
  public func beginWrite(
    isolation: isolated (any Actor)? = #isolation
  ) throws -> WriteTransaction {
    try checkUsable()
    let write = try store.beginWrite(isolation: isolation)
    try follow(write)
    return write
  }

  // MARK: Going along

  private func write<R>(
    skipping: SkippedListeners,
    _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try store.writeOnThisThread(skipping: skipping) { write in
      try follow(write)
      return try body(write)
    }
  }

  /// Brings the view to the version that a write transaction has begun at.
  func follow(_ write: WriteTransaction) throws {
    try checkUsable()
    openWrite = write
    write.follower = self
    try move()
    deliver()
  }

  /// Brings the view to what an own transaction has committed.
  func didCommit() {
    moveOrTell()
    // For its observers; behind the caller, who goes on first.
    if !observers.isEmpty { signal.call() }
  }

  /// Returns what is to be called when a commit that is asked for is complete.
  func following(_ onComplete: (((any Error)?) -> Void)?) -> ((any Error)?) -> Void {
    let entry = ownWrites.add(canBeRun: false)
    return { error in
      self.didCommit()
      onComplete?(error)
      entry.complete()
    }
  }
}
